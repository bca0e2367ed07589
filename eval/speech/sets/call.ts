import { Random } from "../../random.ts";
import type { MakeSet } from "./build.ts";
import { castFor, voicesFor } from "./calls/cast.ts";
import { LANGUAGES, type Language } from "./calls/language.ts";
import { produced, written } from "./calls/play.ts";
import { type Script, writeScript } from "./calls/script.ts";
import { kept, type Wanted } from "./keep.ts";
import { PARTS, type Part, type Voice } from "./voices/catalogue.ts";
import { speakWithKokoro } from "./voices/kokoro.ts";
import { linesOf, playedTogether } from "./voices/lines.ts";
import { recordedAlone, recordedCalls } from "./voices/recorded-calls.ts";

/** A language and split: calls of two whose voices say any text, calls of three, and recordings of one voice. */
const COUNTS = { two: 22, three: 4, one: 6 };

/**
 * Calls of one to three minutes whose words, times, turns and speakers are known, and recordings of one voice
 * (condition `one-voice`). Half of the pairs and more are of one sex, half of the calls have the band of a telephone.
 */
export const call: MakeSet = async (making) =>
  kept(
    [...freeCalls(COUNTS), ...neuralCalls(), ...(await recordedCalls(making)), ...(await recordedAlone(making))],
    making,
  );

const SPLITS = ["development", "held-out"] as const;

export function freeCalls({ two, three, one }: typeof COUNTS): Wanted[] {
  return LANGUAGES.flatMap((language) =>
    SPLITS.flatMap((split) => [
      ...Array.from({ length: two }, (_, i) => freeCall(`call-${language}-${split}-${i + 1}`, language, split, i)),
      ...Array.from({ length: three }, (_, i) => {
        const id = `call-${language}-${split}-three-${i + 1}`;
        return freeCall(id, language, split, i, i % 2 === 0 ? "three-way" : "transferred");
      }),
      ...Array.from({ length: one }, (_, i) => alone(`voice-${language}-${split}-${i + 1}`, language, split, i)),
    ]),
  );
}

function freeCall(
  id: string,
  language: Language,
  split: Voice["split"],
  i: number,
  kind: Script["kind"] = "inbound",
): Wanted {
  const random = new Random(id);
  const script = writeScript({ kind, language, split, length: i % 3 === 2 ? "long" : "full", random });
  const cast = castFor(script, split, i % 3 !== 0, random);
  return produced({ id, set: "call", script, cast, narrow: i % 2 === 1 });
}

/** What both sides of a call say, said by one. */
function alone(id: string, language: Language, split: Voice["split"], i: number): Wanted {
  const random = new Random(id);
  const script = writeScript({ kind: "inbound", language, split, length: "full", random });
  const lines = script.lines.map((line) => ({
    ...line,
    speaker: "0",
    pause: Math.max(0.25, line.pause),
    over: undefined,
  }));
  const voices = voicesFor(language, split);
  const voice = voices[i % voices.length] as Voice;
  return produced({
    id,
    set: "call",
    script: { ...script, lines, roles: {} },
    cast: { "0": voice },
    narrow: i % 2 === 1,
    facts: { condition: "one-voice" },
  });
}

/** Every agent of a topic with every customer of it, and each voice alone. */
export function neuralCalls(): Wanted[] {
  const pairs = PARTS.filter(({ role }) => role === "agent").flatMap((agent) =>
    PARTS.filter((customer) => customer.role === "customer" && together(agent, customer)).map((customer) => ({
      agent,
      customer,
    })),
  );
  return [
    ...pairs.map(({ agent, customer }, i) => neuralCall(agent, customer, i % 2 === 1)),
    ...PARTS.map((part, i) => neuralAlone(part, i % 2 === 1)),
  ];
}

const together = (a: Part, b: Part) =>
  a.language === b.language && a.voice.split === b.voice.split && a.topic === b.topic;

function neuralCall(agent: Part, customer: Part, narrow: boolean): Wanted {
  const id = `call-${agent.language}-${agent.voice.split}-${agent.voice.name}-${customer.voice.name}`;
  const played = playedTogether(agent, customer, new Random(id));
  const lines = played.map(({ part, text, pause }) => ({ speaker: part === agent ? "0" : "1", text, pause }));
  const script: Script = { kind: "inbound", language: agent.language, lines, roles: { "0": "agent", "1": "customer" } };
  const cast = { "0": agent.voice, "1": customer.voice };
  return neural(id, script, cast, narrow);
}

function neuralAlone(part: Part, narrow: boolean): Wanted {
  const id = `voice-${part.language}-${part.voice.split}-${part.voice.name}`;
  const random = new Random(id);
  const lines = linesOf(part).map(({ text }) => ({ speaker: "0", text, pause: random.between(0.3, 1.2) }));
  const script: Script = { kind: "inbound", language: part.language, lines, roles: {} };
  return neural(id, script, { "0": part.voice }, narrow, "one-voice");
}

function neural(id: string, script: Script, cast: Record<string, Voice>, narrow: boolean, condition?: string): Wanted {
  return {
    id,
    set: "call",
    recipe: { script, cast, narrow, condition },
    make: async (path, making) => {
      const sayings = script.lines.map(({ speaker, text }) => ({
        voice: cast[speaker] as Voice,
        language: script.language,
        text,
      }));
      const spoken = await speakWithKokoro(sayings, making);
      const known = await written(path, { id, set: "call", script, cast, narrow }, spoken);
      return condition === undefined ? known : { ...known, condition };
    },
  };
}
