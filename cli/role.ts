/** A started role: what it tells the process that started it, and how it ends. */
export interface RunningRole {
  /** Sent to the parent over the channel, when there is one; e.g. the addresses that the role listens on. */
  ready: Record<string, unknown>;
  /** Finishes what the role holds and lets go of the rest; bounded by the role's own grace. */
  stop(): Promise<void>;
  /** Settles when the role ends by itself. A rejection is a fault. */
  ended?: Promise<void>;
}

/**
 * Runs a role until it is asked to end: by SIGTERM (Kubernetes), by SIGINT (a terminal), or by the end of the process
 * that started it with a channel (the embedded stack), so that nothing outlives a killed parent. A second signal ends
 * it at once. Answers the exit code.
 */
export async function runRole(start: () => Promise<RunningRole>): Promise<number> {
  const asked = new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.once(signal, () => {
        resolve();
        process.once(signal, () => process.exit(1));
      });
    }
    process.once("disconnect", resolve);
  });
  const starting = start();
  starting.catch(() => undefined); // told by the race, or of no interest any more
  const role = await Promise.race([starting, asked.then(() => null)]);
  // Asked to end before it could do anything: the caller ends the process, and with it whatever was half open.
  if (role === null) return 0;
  // Without a channel there is no parent that waits for this.
  process.send?.({ ready: role.ready });
  await Promise.race([asked, role.ended ?? new Promise<never>(() => undefined)]);
  await role.stop();
  return 0;
}
