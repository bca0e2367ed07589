import { throughGsm } from "../../audio/gsm.ts";
import { clip, resample } from "../../audio/resample.ts";
import { telephone } from "../../audio/telephone.ts";
import { readWav, writeStereo, writeWav } from "../../audio/wav.ts";
import { Random } from "../../random.ts";
import type { MakeSet, Making } from "./build.ts";
import { freeCalls, neuralCalls } from "./call.ts";
import { kept, type Wanted } from "./keep.ts";
import { naturalFiles } from "./natural.ts";
import type { Recording } from "./types.ts";

/**
 * The same recordings as other lines and files carry them: 20 dB quieter, µ-law at 8 kHz, GSM, and three kinds of
 * stereo. Words, turns and roles are those of the recording that each is made from.
 */
export const condition: MakeSet = async (making) => {
  const sources = await Promise.all(
    [...sourceCalls(), ...(await naturalFiles(making)).filter(some)].map((wanted) => kept([wanted], making)),
  );
  return kept(sources.flat().flatMap(conditions), making);
};

const SOURCES = 2;
const some = ({ id }: Wanted) => /^natural-(en-reader|en-prompts|es-prompts)-1$/.test(id);

/** Of each language and split the first calls whose voices say any text, and the neural calls that are not narrow. */
function sourceCalls(): Wanted[] {
  const calls = freeCalls({ two: SOURCES, three: 0, one: 0 });
  const neural = neuralCalls()
    .filter(({ id }) => /^call-(en|es)-held-out/.test(id))
    .slice(0, SOURCES);
  return [...calls, ...neural];
}

const RATE = 16_000;

type Change = (
  samples: Int16Array,
  source: Recording,
  making: Making,
) => Promise<Int16Array | [Int16Array, Int16Array]>;

const CHANGES: Record<string, Change> = {
  "quiet-20db": async (samples) => Int16Array.from(samples, (sample) => Math.round(sample / 10)),
  "mu-law": async (samples) => telephone(samples),
  gsm: async (samples, _, { cache }) => resample(await throughGsm(resample(samples, 0.5), cache), 2),
  "stereo-same": async (samples) => [samples, samples],
  "stereo-opposite-phase": async (samples) => [samples, Int16Array.from(samples, (sample) => clip(-sample))],
  "stereo-channel-a-speaker": async (samples, source) => apart(samples, source),
};

export function conditions(source: Recording): Wanted[] {
  return Object.entries(CHANGES)
    .filter(
      ([name]) =>
        name !== "stereo-channel-a-speaker" || new Set(source.turns?.map(({ speaker }) => speaker)).size === 2,
    )
    .map(([name, change]) => ({
      id: `${source.id}-${name}`,
      set: "condition" as const,
      recipe: { source: source.path.split("/").at(-1), name },
      make: async (path, making) => {
        const changed = await change((await readWav(source.path)).samples, source, making);
        if (Array.isArray(changed)) await writeStereo(path, RATE, changed);
        else await writeWav(path, RATE, changed);
        const { id: _id, set: _set, path: _path, ...known } = source;
        return { ...known, condition: name };
      },
    }));
}

/**
 * Each of two speakers on a side of their own, with the other 30 dB under it as in a headset; where they speak at once
 * both sides have both.
 */
function apart(samples: Int16Array, source: Recording): [Int16Array, Int16Array] {
  const sides: [Int16Array, Int16Array] = [new Int16Array(samples.length), new Int16Array(samples.length)];
  const speakers = [...new Set(source.turns?.map(({ speaker }) => speaker))];
  const speaking = speakers.map((speaker) => {
    const on = new Uint8Array(samples.length);
    for (const turn of source.turns ?? []) {
      if (turn.speaker === speaker)
        on.fill(1, Math.max(0, Math.round((turn.start - 0.1) * RATE)), Math.round((turn.end + 0.15) * RATE));
    }
    return on;
  });
  const random = new Random(source.id);
  for (let i = 0; i < samples.length; i++) {
    const sample = samples[i] as number;
    for (const [side, on] of speaking.entries()) {
      const other = speaking[1 - side] as Uint8Array;
      const gain = on[i] || !other[i] ? 1 : 0.03;
      (sides[side] as Int16Array)[i] = clip(gain * sample + random.next() - 0.5);
    }
  }
  return sides;
}
