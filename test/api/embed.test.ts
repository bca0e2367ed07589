import test from "ava";
import { ApiError } from "../../api/errors/api-error.ts";
import { batches } from "../../api/routes/embeddings/batches.ts";
import { type Embedder, embedAll } from "../../api/routes/embeddings/embed.ts";
import { createLog } from "../../process/log.ts";
import { TokenCounter } from "../../upstream/tokens.ts";

const WINDOW = 32_000;
const signal = new AbortController().signal;
const vectorOf = (text: string) => [text.length, 1];
const words = Array.from({ length: 256 }, (_, i) => "x".repeat(i + 1));

const tokens = new TokenCounter(undefined, createLog("api", "silent"));
const run = (embed: Embedder["embed"], inputs = words, within = signal) =>
  embedAll({ embed, tokens }, batches(inputs, WINDOW), {
    dimensions: 2,
    native: undefined,
    window: WINDOW,
    signal: within,
  });
const answer = (input: readonly string[], promptTokens: number | null = input.length) => ({
  vectors: input.map(vectorOf),
  promptTokens,
});
const code = (error: unknown) => (error instanceof ApiError ? `${error.code} ${error.param}` : error);

test("vectors come in the order of the input, whichever request ends first; at most four at once", async (t) => {
  const open: (() => void)[] = [];
  let most = 0;
  const done = run(async ({ input }) => {
    await new Promise<void>((resolve) => {
      open.push(resolve);
      most = Math.max(most, open.length);
      // The last of four is let go first.
      setImmediate(() => open.pop()?.());
    });
    return answer(input);
  });
  const { vectors, promptTokens, estimated } = await done;
  t.deepEqual(vectors, words.map(vectorOf));
  t.is(promptTokens, 256);
  t.false(estimated);
  t.is(most, 4);
});

test("one request that fails ends the others, and the rest are not asked", async (t) => {
  let asked = 0;
  let aborted = 0;
  const failure = new Error("no");
  const error = await t.throwsAsync(
    run(async (_request, options) => {
      asked += 1;
      if (asked === 2) throw failure;
      await new Promise((_, reject) =>
        options.signal.addEventListener("abort", () => {
          aborted += 1;
          reject(new Error("aborted"));
        }),
      );
      throw new Error("unreachable");
    }),
  );
  t.is(error, failure);
  await new Promise(setImmediate);
  t.is(asked, 4);
  t.is(aborted, 3);
});

test("a client that goes ends all of them", async (t) => {
  const gone = new AbortController();
  const done = run(
    async (_request, options) => {
      await new Promise((_, reject) => options.signal.addEventListener("abort", () => reject(options.signal.reason)));
      throw new Error("unreachable");
    },
    words,
    gone.signal,
  );
  const reason = new Error("gone");
  gone.abort(reason);
  t.is(await t.throwsAsync(done), reason);
});

test("wrong dimension or count: upstream_unavailable", async (t) => {
  const wrong = [
    (input: readonly string[]) => input.map(() => [1, 2, 3]),
    (input: readonly string[]) => input.map((_, i) => (i === 5 ? [] : [1, 2])),
    (input: readonly string[]) => input.slice(1).map(vectorOf),
    (input: readonly string[]) => [...input, "one more"].map(vectorOf),
    () => [],
  ];
  for (const vectors of wrong) {
    const error = await t.throwsAsync(run(async ({ input }) => ({ vectors: vectors(input), promptTokens: 1 })));
    t.is(code(error), "upstream_unavailable null");
  }
});

test("an element over the window by its own usage is refused; one of exactly the window is not", async (t) => {
  const inputs = ["short", "y".repeat(40_000), "short"];
  const counted = (tokens: number) => run(async ({ input }) => answer(input, input.length === 1 ? tokens : 1), inputs);
  t.is(code(await t.throwsAsync(counted(32_001))), "invalid_parameter input");
  t.is((await counted(32_000)).vectors.length, 3);
});

test("the number of dimensions is told to the upstream unless it is the one it makes unasked", async (t) => {
  const told = async (native: number | undefined) => {
    let dimensions: number | undefined;
    const embed: Embedder["embed"] = async (request) => {
      dimensions = request.dimensions;
      return answer(request.input);
    };
    await embedAll({ embed, tokens }, batches(["x"], WINDOW), { dimensions: 2, native, window: WINDOW, signal });
    return dimensions;
  };
  t.is(await told(undefined), 2);
  t.is(await told(3), 2);
  t.is(await told(2), undefined);
});

test("without usage the tokens are estimated and marked so, for all when one request lacks it", async (t) => {
  const { promptTokens, estimated } = await run(
    async ({ input }) => answer(input, input[0] === words[0] ? null : 10),
    [...Array<string>(32).fill("x"), ...Array<string>(32).fill("y")],
  );
  t.true(estimated);
  t.is(promptTokens, 18);
});

test("on an estimate nobody is refused, and no more is counted than was held", async (t) => {
  const { promptTokens } = await run(async ({ input }) => answer(input, null), ["y".repeat(200_000)]);
  t.is(promptTokens, WINDOW);
});
