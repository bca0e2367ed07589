import { join } from "node:path";
import type { Benchmark, Outcome } from "../bench/benchmark.ts";
import { userCache } from "../process/user-cache.ts";

/** What `npm run eval -- NAME` runs: how good the results are, where a benchmark says how fast they come. */
export type Evaluation = Benchmark;
export type { Outcome };

/** Where sets, finished transcripts and weights are kept: the XDG cache directory, as for models. */
export const evaluationCache = (env = process.env) => join(userCache(env), "eval");
