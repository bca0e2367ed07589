import { retryAdvice } from "../api/errors/retry.ts";
import { ERRORS } from "../api/errors/table.ts";
import { table } from "./table.ts";

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
      `## ${code}\n\n${status} \`${type}\`: ${internal}.\n\n> ${message}\n\n${retryAdvice(status)}\n`,
  )
  .join("\n")}`;
}
