import { clip } from "../../audio/resample.ts";
import { telephone } from "../../audio/telephone.ts";
import { writeWav } from "../../audio/wav.ts";
import { Random } from "../../random.ts";
import type { MakeSet, Making } from "./build.ts";
import { kept, type Wanted } from "./keep.ts";
import type { Recording, Turn, Word } from "./types.ts";
import { type Prompt, promptsOf, SPEAKERS, speechOf } from "./voices/recorded.ts";
import { RATE } from "./voices/speech.ts";

/**
 * People of different languages in one file: one language, a change after some time, languages turn by turn. A turn is
 * a word here (of `language`), as long as its prompt: the times of the words inside are not known. Condition `one`,
 * `changing` or `alternating`.
 */
export const languages: MakeSet = async (making) => kept(await languageFiles(making), making);

const PATTERNS = ["one", "changing", "alternating"] as const;
const SECONDS = 75;

export async function languageFiles({ cache }: Making): Promise<Wanted[]> {
  const splits = ["development", "held-out"] as const;
  const wanted: Wanted[] = [];
  for (const split of splits) {
    const speakers = SPEAKERS.filter((speaker) => speaker.split === split);
    const prompts = await Promise.all(speakers.map((speaker) => promptsOf(speaker, cache)));
    for (const pattern of PATTERNS) {
      for (const [a, first] of speakers.entries()) {
        const others = pattern === "one" ? [first] : speakers.filter((speaker) => speaker.language !== first.language);
        for (const second of others) {
          const b = speakers.indexOf(second);
          const id = `languages-${pattern}-${first.name}${pattern === "one" ? "" : `-${second.name}`}`;
          const voices = [first, second].slice(0, pattern === "one" ? 1 : 2);
          const said = [a, b].slice(0, voices.length).map((index) => prompts[index] as Prompt[]);
          wanted.push(
            file(
              id,
              split,
              pattern,
              voices.map(({ language }) => language),
              said,
              voices.map(({ name }) => name),
            ),
          );
        }
      }
    }
  }
  return wanted;
}

function file(
  id: string,
  split: Recording["split"],
  pattern: (typeof PATTERNS)[number],
  spoken: string[],
  prompts: Prompt[][],
  names: string[],
): Wanted {
  const people = [...new Set(names.map((name) => name.replace(/-es$/, "")))];
  // Allison speaks two languages: one speaker.
  const speakerOf = (who: number) => String(people.indexOf((names[who] as string).replace(/-es$/, "")));
  const random = new Random(id);
  const order = prompts.map((list) => random.shuffled(list));
  const narrow = random.chance(0.5);
  return {
    id,
    set: "languages",
    recipe: { people, pattern, spoken, narrow, SECONDS, ids: order.map((list) => list.map((prompt) => prompt.id)) },
    make: async (path) => {
      const samples: number[] = [];
      const words: Word[] = [];
      const turns: Turn[] = [];
      const seconds = new Map<string, number>();
      const next = order.map(() => 0);
      for (let turn = 0; samples.length < SECONDS * RATE; turn++) {
        const who =
          pattern === "one" ? 0 : pattern === "changing" ? (samples.length < (SECONDS * RATE) / 2 ? 0 : 1) : turn % 2;
        const language = spoken[who] as string;
        const until = samples.length + random.between(3, 8) * RATE;
        const start = samples.length;
        while (samples.length < until) {
          for (let i = random.between(0.2, 0.6) * RATE; i > 0; i--) samples.push(12 * (random.next() - 0.5));
          const list = order[who] as Prompt[];
          const prompt = list[(next[who] as number) % list.length] as Prompt;
          next[who] = (next[who] as number) + 1;
          const speech = await speechOf(prompt);
          if (speech.length < RATE / 2) continue;
          const from = samples.length / RATE;
          for (const sample of speech) samples.push(sample);
          const to = samples.length / RATE;
          words.push({ text: prompt.text ?? "", start: from, end: to, speaker: speakerOf(who), language });
          seconds.set(language, (seconds.get(language) ?? 0) + to - from);
        }
        const mine = words.filter((word) => word.start * RATE >= start);
        turns.push({ speaker: speakerOf(who), start: mine[0]?.start ?? 0, end: mine.at(-1)?.end ?? 0 });
      }
      const sound = Int16Array.from(samples, clip);
      await writeWav(path, RATE, narrow ? telephone(sound) : sound);
      const most = [...seconds].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
      return {
        split,
        language: most,
        durationMs: Math.round((1_000 * sound.length) / RATE),
        condition: pattern,
        words,
        turns,
        voices: people.map((name) => `recorded-${name}`),
      };
    },
  };
}
