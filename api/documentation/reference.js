// No validator badge: it would ask a server on the internet about this document.
window.SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  validatorUrl: null,
});
