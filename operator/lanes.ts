/**
 * Does something to each item, in their order, at most `atATime` at once; `lane` counts from 0, and never does two
 * things at once. After a failure nothing more is begun, and when all that was begun has ended it is thrown.
 */
export async function inLanes<T>(
  items: readonly T[],
  atATime: number,
  run: (item: T, lane: number) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const one = async (_: unknown, lane: number) => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await run(next, lane).catch((error: unknown) => {
        waiting.length = 0;
        throw error;
      });
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(atATime, items.length) }, one));
  const failed = ends.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}
