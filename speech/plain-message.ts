/** Long enough for any sentence, short enough for a warning. */
const LONGEST = 200;

/**
 * The first line of an error's message, fit for a warning that a client reads: without paths of the machine, which are
 * none of a client's business.
 */
export function plainMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split("\n")[0] ?? "").replace(/(?:file:\/\/)?(?:\/[\w.@~+-]+){2,}/g, "…").slice(0, LONGEST);
}
