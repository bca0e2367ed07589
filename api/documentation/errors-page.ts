import { retryAdvice } from "../errors/retry.ts";
import { ERRORS } from "../errors/table.ts";

/** The page that `doc_url` of every error points into: a section a code, its id the code. */
export function errorsPage(): string {
  const codes = Object.entries(ERRORS);
  const rows = codes.map(
    ([code, { status, type }]) =>
      `<tr><td>${status}</td><td><code>${type}</code></td><td><a href="#${code}"><code>${code}</code></a></td></tr>`,
  );
  const sections = codes.map(
    ([code, { status, type, message, internal }]) => `<section id="${code}">
<h2><code>${code}</code></h2>
<p>${status} <code>${type}</code>: ${html(internal)}.</p>
<blockquote lang="es">${html(message)}</blockquote>
<p>${html(retryAdvice(status))}</p>
</section>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Escriba: errors</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="assets/page.css">
</head>
<body>
<p><a href="../docs">API reference</a></p>
<h1>Errors</h1>
<p>Every error has the body <code>{"error": {"type", "code", "message", "param", "doc_url", "request_id"}}</code>. Program
against <code>code</code>: it never changes. <code>message</code> is for people, in Spanish, and may change.
<code>param</code> names the field, with dots for nested ones. <code>request_id</code> equals the header
<code>Service-Request-Id</code> and is in the server's log.</p>
<table>
<thead><tr><th>HTTP</th><th>Type</th><th>Code</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
${sections.join("\n")}
</body>
</html>
`;
}

/** Escaped, with `code` between back-ticks. */
function html(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/`([^`]+)`/g, "<code>$1</code>");
}
