import { clip } from "../../../audio/resample.ts";
import { telephone } from "../../../audio/telephone.ts";
import { writeWav } from "../../../audio/wav.ts";
import { Random } from "../../../random.ts";
import type { Making } from "../build.ts";
import type { Wanted } from "../keep.ts";
import type { Turn } from "../types.ts";
import { type Prompt, promptsOf, SPEAKERS, type Speaker, speechOf } from "./recorded.ts";
import { RATE } from "./speech.ts";

/** Each pair of people makes this many calls. */
const CALLS = 2;
const SECONDS = 90;

/**
 * Calls made of recorded people's prompts: what is said makes no sense and may be in two languages, but the voices are
 * real. Turns are known, words are not (condition `recorded`).
 */
export async function recordedCalls({ cache }: Making): Promise<Wanted[]> {
  const prompts = await allPrompts(cache);
  const pairs = SPEAKERS.flatMap((a, i) =>
    SPEAKERS.slice(i + 1)
      .filter((b) => a.split === b.split && person(a) !== person(b))
      .map((b) => [a, b] as const),
  );
  return pairs.flatMap((pair) =>
    Array.from({ length: CALLS }, (_, i) => {
      const id = `call-recorded-${pair[0].name}-${pair[1].name}-${i + 1}`;
      return conversation(id, [...pair], prompts, i % 2 === 1, "recorded");
    }),
  );
}

/** Each person alone (condition `one-voice`). */
export async function recordedAlone({ cache }: Making): Promise<Wanted[]> {
  const prompts = await allPrompts(cache);
  return SPEAKERS.flatMap((speaker) =>
    Array.from({ length: CALLS }, (_, i) =>
      conversation(`voice-recorded-${speaker.name}-${i + 1}`, [speaker], prompts, i % 2 === 1, "one-voice"),
    ),
  );
}

const person = ({ name }: Speaker) => name.replace(/-es$/, "");

async function allPrompts(cache: string): Promise<Map<Speaker, Prompt[]>> {
  const lists = new Map<Speaker, Prompt[]>();
  for (const speaker of SPEAKERS) lists.set(speaker, await promptsOf(speaker, cache));
  return lists;
}

function conversation(
  id: string,
  speakers: Speaker[],
  prompts: Map<Speaker, Prompt[]>,
  narrow: boolean,
  condition: string,
): Wanted {
  const order = speakers.map((speaker) => new Random(`${id} ${speaker.name}`).shuffled(prompts.get(speaker) ?? []));
  return {
    id,
    set: "call",
    recipe: { speakers, narrow, SECONDS, ids: order.map((list) => list.map((prompt) => prompt.id)) },
    make: async (path) => {
      const { samples, turns, seconds } = await talk(id, order);
      const sound = Int16Array.from(samples, clip);
      await writeWav(path, RATE, narrow ? telephone(sound) : sound);
      const most = speakers[seconds.indexOf(Math.max(...seconds))] as Speaker;
      return {
        split: most.split,
        language: most.language,
        durationMs: Math.round((1_000 * sound.length) / RATE),
        condition,
        turns,
        voices: speakers.map((speaker) => `recorded-${person(speaker)}`),
      };
    },
  };
}

/** They take turns of one to three prompts, with pauses of 0.2 to 0.9 s, until the time is up. */
async function talk(id: string, order: Prompt[][]): Promise<{ samples: number[]; turns: Turn[]; seconds: number[] }> {
  const random = new Random(id);
  const next = order.map(() => 0);
  const gains = order.map(() => 10 ** (random.between(-4, 4) / 20));
  const seconds = order.map(() => 0);
  const turns: Turn[] = [];
  const samples: number[] = [];
  const noise = () => 12 * (random.next() - 0.5);
  const silence = (length: number) => {
    for (let i = 0; i < length; i++) samples.push(noise());
  };
  for (let who = 0; samples.length < SECONDS * RATE; who = (who + 1) % order.length) {
    silence(random.between(0.2, 0.9) * RATE);
    const mine = order[who] as Prompt[];
    for (let wanted = random.between(1.2, 6) * RATE, said = 0; said < wanted; ) {
      const prompt = mine[(next[who] as number) % mine.length] as Prompt;
      next[who] = (next[who] as number) + 1;
      const speech = await speechOf(prompt);
      if (speech.length < RATE / 2) continue;
      if (said > 0) silence(random.between(0.1, 0.3) * RATE);
      const start = samples.length / RATE;
      const gain = ((gains[who] as number) * 0.06 * 32_768) / level(speech);
      for (const sample of speech) samples.push(gain * sample + noise());
      turns.push({
        speaker: String(who),
        start,
        end: samples.length / RATE,
        ...(prompt.text && { text: prompt.text }),
      });
      seconds[who] = (seconds[who] as number) + speech.length / RATE;
      said += speech.length;
    }
  }
  silence(RATE / 2);
  return { samples, turns, seconds };
}

const level = (speech: Int16Array) =>
  Math.sqrt(speech.reduce((sum, sample) => sum + sample * sample, 0) / speech.length) || 1;
