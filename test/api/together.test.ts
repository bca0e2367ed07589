import test from "ava";
import { Together } from "../../api/together.ts";

/** A run that answers when it is told to; `runs` are the questions of each. */
function start({ gatherMs = 0 } = {}) {
  const runs: string[][] = [];
  const ends: (() => void)[] = [];
  const together = new Together<string, string>(async (questions) => {
    runs.push([...questions]);
    await new Promise<void>((resolve) => ends.push(resolve));
    if (questions.includes("bad")) throw new Error("bad");
    return questions.map((question) => `${question}!`);
  }, gatherMs);
  /** Ends the oldest run that has not ended, once it has begun. */
  const end = async () => {
    while (ends.length === 0) await new Promise(setImmediate);
    ends.shift()?.();
  };
  return { runs, end, together };
}

test("questions of one turn go together, and those that come meanwhile in the next run; each gets its answer", async (t) => {
  const { runs, end, together } = start();
  const first = ["a", "b"].map((question) => together.ask("one", question));
  await new Promise((resolve) => setTimeout(resolve, 10));
  const second = ["c", "d", "e"].map((question) => together.ask("one", question));
  await end();
  t.deepEqual(await Promise.all(first), ["a!", "b!"]);
  await end();
  t.deepEqual(await Promise.all(second), ["c!", "d!", "e!"]);
  t.deepEqual(runs, [
    ["a", "b"],
    ["c", "d", "e"],
  ]);
});

test("other keys do not wait", async (t) => {
  const { runs, end, together } = start();
  const slow = together.ask("one", "a");
  const other = together.ask("two", "b");
  await end();
  await end();
  t.deepEqual(await Promise.all([slow, other]), ["a!", "b!"]);
  t.deepEqual(runs, [["a"], ["b"]]);
});

test("a question that fails fails alone", async (t) => {
  const { runs, end, together } = start();
  const answers = Promise.allSettled(["a", "bad", "b"].map((question) => together.ask("one", question)));
  for (let i = 0; i < 4; i += 1) await end();
  t.deepEqual(
    (await answers).map((one) => (one.status === "fulfilled" ? one.value : one.reason.message)),
    ["a!", "bad", "b!"],
  );
  t.deepEqual(runs, [["a", "bad", "b"], ["a"], ["bad"], ["b"]]);
  const after = together.ask("one", "c");
  await end();
  t.is(await after, "c!");
});

test("a run has at most 64 questions", async (t) => {
  const { runs, end, together } = start();
  const answers = Array.from({ length: 100 }, (_, i) => together.ask("one", String(i)));
  await end();
  await end();
  t.is((await Promise.all(answers)).length, 100);
  t.deepEqual(
    runs.map(({ length }) => length),
    [64, 36],
  );
});

test("what gathers goes when it is hurried", async (t) => {
  const { runs, end, together } = start({ gatherMs: 3_600_000 });
  const answer = together.ask("one", "a");
  together.hurry("two");
  await new Promise((resolve) => setTimeout(resolve, 10));
  t.deepEqual(runs, []);
  together.hurry("one");
  together.hurry("one");
  await end();
  t.is(await answer, "a!");
  t.deepEqual(runs, [["a"]]);
});
