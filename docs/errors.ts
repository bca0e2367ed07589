import { ERRORS } from "../api/errors/table.ts";
import { table } from "./table.ts";

/** What a client does about an answer of this status; retry classes of the interface specification, section 7. */
const RETRY: Record<number, string> = {
  402: "Do not repeat; add credit first. Nothing was processed or charged.",
  409: "Repeating it at once gives the same answer: what it conflicts with must change first.",
  429: "Wait as long as `Retry-After` says, then repeat.",
  500: "Repeat with growing waits and an `Idempotency-Key`. Nothing was charged.",
  503: "Repeat with growing waits and an `Idempotency-Key`. Nothing was charged.",
};
const NO_RETRY = "Do not repeat the request unchanged.";

/** docs/errors.md, from the API's table. `doc_url` of every error points to the code's heading. */
export function errorsPage(): string {
  const codes = Object.entries(ERRORS);
  return `# Errors

<!-- Written by \`npm run docs:errors\` from api/errors/table.ts. -->

Every error has the body \`{"error": {"type", "code", "message", "param", "doc_url", "request_id"}}\`. Program against
\`code\`: it never changes. \`message\` is for people, in Spanish, and may change. \`param\` names the field, with dots for
nested ones. \`request_id\` equals the header \`Service-Request-Id\` and is in the server's log.

${table(
  ["HTTP", "Type", "Code"],
  codes.map(([code, { status, type }]) => [String(status), `\`${type}\``, `[\`${code}\`](#${code})`]),
)}

${codes
  .map(
    ([code, { status, type, message, internal }]) =>
      `## ${code}\n\n${status} \`${type}\`: ${internal}.\n\n> ${message}\n\n${RETRY[status] ?? NO_RETRY}\n`,
  )
  .join("\n")}`;
}
