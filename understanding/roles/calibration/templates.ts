import type { Call, Role } from "../../types.ts";

/**
 * A written call. `kind` says what is right to answer: roles for `inbound`, and for every other kind nothing rather
 * than something wrong (`outbound`, `transfer`, `ivr`, `three-way`, `one-sided`, `swapped`: somebody says what the other
 * side says; `inbound-none`: no company at all).
 */
export interface Template {
  id: string;
  language: string;
  kind: string;
  lines: { voice: string; text: string }[];
}

export interface WrittenCall {
  id: string;
  kind: string;
  call: Call;
  /** What each speaker is; null for those who are neither, or a machine. */
  truth: Record<string, Role | null>;
}

/** Voices of a template: A and B work for the company, C and D call it; the rest (machine, friends) have no role. */
const ROLES: Record<string, Role> = { A: "agent", B: "agent", C: "customer", D: "customer" };

/** Reads `= id kind` and, below it, lines of a voice's letter and what it says. Throws for a line of another form. */
export function readTemplates(text: string, language: string): Template[] {
  const templates: Template[] = [];
  text.split("\n").forEach((line, number) => {
    if (line.trim() === "") return;
    const [, id, kind] = /^= (\S+) (\S+)$/.exec(line) ?? [];
    const [, voice, said] = /^([A-Z]) (.+)$/.exec(line) ?? [];
    if (id && kind) templates.push({ id, language, kind, lines: [] });
    else if (voice && said && templates.length > 0) templates.at(-1)?.lines.push({ voice, text: said });
    else throw new SyntaxError(`line ${number + 1} is neither "= id kind" nor "A text"`);
  });
  return templates;
}

/** One call of the template: `{one|other}` is one of them and `#` a digit. Numbers its speakers by who speaks first. */
export function draw({ id, kind, language, lines }: Template, random: () => number): WrittenCall {
  const speakers = new Map<string, string>();
  let time = 0;
  const utterances = lines.map(({ voice, text }) => {
    const speaker = speakers.get(voice) ?? String(speakers.size);
    speakers.set(voice, speaker);
    const said = text
      .replace(/\{([^{}]*)\}/g, (_, choices: string) => {
        const all = choices.split("|");
        return all[Math.floor(random() * all.length)] ?? "";
      })
      .replace(/#/g, () => String(Math.floor(random() * 10)));
    const start = time;
    time += said.split(" ").length * 0.35 + 0.4;
    return { speaker, speakerRole: null, text: said, start, end: time - 0.4 };
  });
  const truth = Object.fromEntries([...speakers].map(([voice, speaker]) => [speaker, ROLES[voice] ?? null]));
  return { id, kind, truth, call: { language, utterances } };
}

/** Numbers from 0 to 1 that repeat with their seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
