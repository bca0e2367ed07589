/** Does something to each item, in their order, at most `atATime` at once. Rejects with the first failure. */
export async function inLanes<T>(items: readonly T[], atATime: number, run: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next);
  };
  await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, lane));
}
