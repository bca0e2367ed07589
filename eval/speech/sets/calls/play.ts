import { writeWav } from "../../../audio/wav.ts";
import type { Wanted } from "../keep.ts";
import type { Recording } from "../types.ts";
import type { Voice } from "../voices/catalogue.ts";
import { RATE, type Speech } from "../voices/speech.ts";
import { synthesize } from "../voices/synthesis.ts";
import { type Rendered, render } from "./render.ts";
import type { Script } from "./script.ts";

/** A script with its voices: what a call is, before it is audio. */
export interface Production {
  id: string;
  set: Recording["set"];
  script: Script;
  /** The voice of each speaker. */
  cast: Record<string, Voice>;
  narrow: boolean;
  /** What is known besides, such as the expectation. */
  facts?: Partial<Recording>;
}

/** A call that voices speak which say any text. */
export function produced({ id, set, script, cast, narrow, facts }: Production): Wanted {
  return {
    id,
    set,
    recipe: { script, cast, narrow, facts },
    make: async (path, making) => {
      const spoken = await synthesize(
        script.lines.map(({ speaker, text }) => ({ voice: voiceOf(cast, speaker), language: script.language, text })),
        making,
      );
      return { ...(await written(path, { id, set, script, cast, narrow }, spoken)), ...facts };
    },
  };
}

/** Writes a call that was spoken, and says what is known of it. */
export async function written(
  path: string,
  { id, script, cast, narrow }: Production,
  spoken: Speech[],
): Promise<Omit<Recording, "id" | "set" | "path">> {
  const rendered: Rendered = render(script, spoken, id, narrow);
  await writeWav(path, RATE, rendered.samples);
  const voices = [...new Set(Object.values(cast))];
  return {
    split: voices[0]?.split ?? "development",
    language: script.language,
    durationMs: Math.round((1_000 * rendered.samples.length) / RATE),
    ...(narrow && { condition: "telephone" }),
    words: rendered.words,
    text: rendered.turns.map(({ text }) => text).join(" "),
    turns: rendered.turns,
    roles: script.roles,
    voices: Object.values(cast).map(({ name }) => name),
  };
}

function voiceOf(cast: Record<string, Voice>, speaker: string): Voice {
  const voice = cast[speaker];
  if (!voice) throw new Error(`nobody plays speaker ${speaker}`);
  return voice;
}
