import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger };

/** Paths that could carry a secret or a caller's words; a log line never shows them. */
const REDACTED = [
  "authorization",
  "*.authorization",
  "headers.authorization",
  "secret",
  "*.secret",
  "api_key",
  "*.api_key",
];

/** JSON lines on standard error, so that a command's standard output stays its own. */
export function createLog(
  name: string,
  level: string,
  destination: DestinationStream = pino.destination({ fd: 2, sync: false }),
): Logger {
  return pino({ name, level, redact: REDACTED, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
