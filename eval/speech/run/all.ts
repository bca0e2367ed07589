import { join } from "node:path";
import { wholeNumber } from "../../../bench/benchmark.ts";
import { createLog } from "../../../process/log.ts";
import { installRuntime } from "../../../workflows/runtime.ts";
import type { Measured } from "../figures/measured.ts";
import { buildSets } from "../sets/build.ts";
import type { Recording } from "../sets/types.ts";
import { codeVersion } from "./code-version.ts";
import { type Pipeline, startPipeline } from "./pipeline.ts";
import { keepTranscripts, type Transcripts } from "./transcripts.ts";

/** The recordings that the options `only`, `split` and `limit` name. */
export async function chosen(
  options: { only?: string; split?: string; limit?: string; made?: boolean },
  cache: string,
  say: (line: string) => void,
): Promise<Recording[]> {
  const { only, split } = options;
  if (split !== undefined && split !== "development" && split !== "held-out") {
    throw new Error("--split is development or held-out");
  }
  const limit = wholeNumber({ limit: options.limit }, "limit", Number.MAX_SAFE_INTEGER);
  const sets = only === undefined ? {} : { only: only.split(",") };
  const all = await buildSets({ cache, say, onlyMade: options.made ?? false, ...sets });
  const taken = new Map<string, number>();
  return all.filter((recording) => {
    if (split !== undefined && recording.split !== split) return false;
    const group = [recording.set, recording.language, recording.condition, recording.expectation].join();
    taken.set(group, (taken.get(group) ?? 0) + 1);
    return (taken.get(group) as number) <= limit;
  });
}

export interface Keep extends Transcripts {
  close(): Promise<void>;
}

/** Settings of the workers with which a transcript may come out another; of hearing, and of what follows. */
const HEARING_SETTINGS = ["ESCRIBA_SPEAKER_MODEL"];
const SETTINGS = ["ESCRIBA_UPSTREAMS", "ESCRIBA_UNDERSTANDING_MODEL", "ESCRIBA_ROLES_CALIBRATION"];

/** The kept transcripts, with a pipeline that starts when one is to be made. */
export async function openRecordings(cache: string, environment: Record<string, string | undefined>): Promise<Keep> {
  let started: Promise<Pipeline> | undefined;
  const start = () => {
    const log = createLog("eval", environment.ESCRIBA_LOG_LEVEL ?? "error");
    installRuntime(log);
    return startPipeline(join(cache, "objects"), environment, log);
  };
  const pipeline = () => {
    started ??= start();
    return started;
  };
  const set = (names: readonly string[]) => names.map((name) => `${name}=${environment[name] ?? ""}`).join("\n");
  const code = await codeVersion();
  const version = { hearing: `${code.hearing}\n${set(HEARING_SETTINGS)}`, all: `${code.all}\n${set(SETTINGS)}` };
  return {
    ...keepTranscripts(join(cache, "transcripts"), version, pipeline),
    close: async () => {
      await (await started?.catch(() => undefined))?.close();
    },
  };
}

/**
 * Places in the list: the first of each set, language and condition, then the second of each, so that little time still
 * covers all.
 */
export function inTurn(recordings: readonly Recording[]): number[] {
  const taken = new Map<string, number>();
  const turns = recordings.map(({ set, language, condition, expectation }, place) => {
    const group = [set, language, condition, expectation].join();
    const turn = taken.get(group) ?? 0;
    taken.set(group, turn + 1);
    return { place, turn };
  });
  return turns.sort((a, b) => a.turn - b.turn || a.place - b.place).map(({ place }) => place);
}

/** One is decoded while another is heard. */
const AT_A_TIME = 2;

/**
 * Transcripts of recordings, `with` or `without` their vocabulary; those that are not kept and for which no time is
 * left are left out. The language is never given: finding it is a part of the work.
 */
export async function transcribeAll(
  keep: Transcripts,
  recordings: readonly Recording[],
  vocabulary: "with" | "without",
  timeLeft: () => boolean,
  say: (line: string) => void,
): Promise<Measured[]> {
  const found: (Measured | undefined)[] = recordings.map(() => undefined);
  const order = inTurn(recordings);
  const lane = async () => {
    for (let place = order.shift(); place !== undefined; place = order.shift()) {
      const recording = recordings[place] as Recording;
      const request = { language: null, vocabulary: vocabulary === "with" ? (recording.vocabulary ?? []) : [] };
      const known = await keep.known(recording.path, request);
      if (known === null && !timeLeft()) continue;
      if (known === null) say(`transcribing ${recording.id} (${order.length} more to come)`);
      found[place] = { recording, ...(known ?? (await keep.make(recording.path, request))) };
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, lane));
  const measured = found.filter((one) => one !== undefined);
  const left = recordings.length - measured.length;
  if (left > 0) say(`${left} of ${recordings.length} recordings are left out: their time was over`);
  return measured;
}
