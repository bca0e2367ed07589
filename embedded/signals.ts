/** How a person or a supervisor ends the command: once to stop in order, again to stop quicker, a third time at once. */
export interface Stopping {
  /** Aborts at the first signal. */
  asked: AbortSignal;
  /** Aborts at the second one: what still runs is killed. */
  hurried: AbortSignal;
}

/**
 * Signals closer together than this are one: npm hands Ctrl-C on to a script that the terminal has already told, and
 * a closing terminal sends SIGHUP and SIGTERM at once.
 */
const SAME_MS = 500;

export function listenForStop(report: (line: string) => void, now = () => performance.now()): Stopping {
  const asked = new AbortController();
  const hurried = new AbortController();
  let last = Number.NEGATIVE_INFINITY;
  const onSignal = () => {
    const same = now() - last < SAME_MS;
    last = now();
    if (same) return;
    if (hurried.signal.aborted) process.exit(130);
    if (asked.signal.aborted) {
      report("Stopping at once.");
      hurried.abort(new Stopped());
    } else {
      report("Stopping; Ctrl-C again to stop at once.");
      asked.abort(new Stopped());
    }
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
  return { asked: asked.signal, hurried: hurried.signal };
}

/** The reason of an abort that a signal asked for. */
export class Stopped extends Error {
  override name = "Stopped";
  constructor() {
    super("stopped");
  }
}
