import test from "ava";
import { Rounds } from "../../operator/rounds.ts";
import { VirtualClock } from "./model/clock.ts";

function setUp(over: { decide?: (pool: string) => Promise<void>; refresh?: () => Promise<void> } = {}) {
  const clock = new VirtualClock();
  const seen: string[] = [];
  const rounds = new Rounds({
    clock,
    refresh: over.refresh ?? (async () => undefined),
    pools: () => ["n/a", "n/b"],
    decide: async (pool) => {
      seen.push(`${clock.monotonic()} ${pool}`);
      await over.decide?.(pool);
    },
  });
  const end = new AbortController();
  const running = rounds.run(end.signal);
  return { clock, seen, rounds, end, running };
}

test("every pool, every two seconds", async (t) => {
  const { clock, seen, end, running } = setUp();
  await clock.advance(5_000);
  t.deepEqual(seen, ["0 n/a", "0 n/b", "2000 n/a", "2000 n/b", "4000 n/a", "4000 n/b"]);
  end.abort();
  await running;
});

test("what was heard of is decided about at once, a burst once, others not", async (t) => {
  const { clock, seen, rounds } = setUp();
  await clock.advance(700);
  for (let count = 0; count < 5; count += 1) rounds.hear("n/b");
  rounds.hear("n/unknown");
  await clock.advance(1_000);
  t.deepEqual(seen.slice(2), ["750 n/b"]);
});

test("no pool waits for another, and none is decided about twice at a time", async (t) => {
  const slow = Promise.withResolvers<void>();
  const { clock, seen, rounds } = setUp({ decide: async (pool) => (pool === "n/a" ? slow.promise : undefined) });
  await clock.advance(1_000);
  rounds.hear("n/a");
  await clock.advance(3_500);
  t.deepEqual(seen, ["0 n/a", "0 n/b", "2000 n/b", "4000 n/b"]);
  slow.resolve();
  await clock.advance(100);
  t.deepEqual(seen.slice(4), ["4550 n/a"], "what was heard in the meantime is looked at now");
});

test("answers that are late do not hold a round up, nor what was heard in the meantime", async (t) => {
  const { clock, seen, rounds } = setUp({ refresh: () => new Promise(() => undefined) });
  await clock.advance(100);
  rounds.hear("n/b");
  await clock.advance(2_500);
  t.deepEqual(seen, ["150 n/b", "500 n/a", "500 n/b", "2500 n/a", "2500 n/b"]);
});

test("a failure ends it, after what is under way", async (t) => {
  const slow = Promise.withResolvers<void>();
  const { clock, rounds, running } = setUp({
    decide: async (pool) => {
      if (pool === "n/a") throw new Error("the lease is lost");
      await slow.promise;
    },
  });
  let ended = false;
  const result = t.throwsAsync(
    running.finally(() => {
      ended = true;
    }),
    { message: "the lease is lost" },
  );
  await clock.advance(3_000);
  t.false(ended);
  t.true(rounds.age > 2_000, "it has stopped");
  slow.resolve();
  await result;
});
