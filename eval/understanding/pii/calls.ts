import type { Call } from "../../../understanding/types.ts";
import { CARRIERS } from "./carriers/carriers.ts";
import { HARMLESS } from "./carriers/harmless.ts";
import { dictate, type Speaker } from "./dictation/dictate.ts";
import { sayDigits } from "./dictation/digits.ts";
import { WORDS } from "./dictation/words.ts";
import { Random } from "./random.ts";
import { Script } from "./script.ts";
import type { Bit, DigitStyle, LabelledCall, Language, Split, Style } from "./types.ts";
import { DETERMINISTIC, type Deterministic, makeValue } from "./values.ts";

const DIGITS: DigitStyle[] = ["solid", "grouped", "spaced", "single", "single", "pairs", "hundreds", "mixed", "number"];

const OFFSETS = { development: 0, wider: 29, "held-out": 13 };

/** Calls of one language and split. Every call has another customer, who dictates in one way; harmless numbers outnumber values. */
export function makeCalls(language: Language, split: Split, count: number, seed: number): LabelledCall[] {
  return Array.from({ length: count }, (_, index) => {
    const random = new Random(seed * 100_003 + index * 7919 + OFFSETS[split] + (language === "es" ? 1 : 0));
    return makeCall(`${language}-${split}-${index}`, { language, split, style: styleOf(random), random });
  });
}

/** Exchanges about one value of that type, and nothing else. */
export function makeExchanges(
  language: Language,
  split: Split,
  type: Deterministic,
  count: number,
  seed: number,
): LabelledCall[] {
  return Array.from({ length: count }, (_, index) => {
    const random = new Random(seed * 900_001 + index * 6007 + DETERMINISTIC.indexOf(type) * 131 + OFFSETS[split]);
    const speaker = { language, split, style: { ...styleOf(random), flat: false }, random };
    const script = new Script(false);
    write(script, type, speaker);
    return {
      id: `${language}-${split}-${type}-${index}`,
      call: { language, utterances: script.utterances },
      gold: script.gold,
    };
  });
}

function styleOf(random: Random): Style {
  return {
    digits: random.pick(DIGITS),
    between: random.pick(["comma", "space", "words", "stop"]),
    letters: random.pick(["written", "name", "word", "code", "lower"]),
    doubles: random.pick([0, 0.5, 1]),
    filler: random.pick([0, 0.1, 0.3]),
    correction: random.pick([0, 0, 0.15]),
    turns: random.pick([0, 0, 0.25, 0.5]),
    echo: random.pick([0, 0.5]),
    flat: random.chance(0.15),
  };
}

function makeCall(id: string, speaker: Speaker): LabelledCall {
  const { language, split, random } = speaker;
  const script = new Script(speaker.style.flat);
  const types = random.shuffle(DETERMINISTIC).slice(0, 5);
  const carriers = types.map((type) => ({ type, turns: [] as string[] }));
  const harmless = Array.from({ length: 9 }, () => ({ type: null, turns: random.pick(HARMLESS[language][split]) }));
  for (const { type, turns } of random.shuffle([...carriers, ...harmless])) {
    if (type === null) for (const turn of turns) script.turn(turn.slice(0, 1), fill(turn.slice(3), speaker));
    else write(script, type, speaker);
  }
  const call: Call = { language, utterances: script.utterances };
  return { id, call, gold: script.gold };
}

/** A value and the turns around it. */
function write(script: Script, type: Deterministic, speaker: Speaker): void {
  const { language, split, random } = speaker;
  const turns = random.pick(CARRIERS[language][split][type]);
  const value = makeValue(type, language, random);
  const bits = dictate(value, speaker);
  const gold = script.value(type, value.groups.join(""));
  const words = (text: string | undefined): Bit[] =>
    (text ?? "")
      .split(" ")
      .filter(Boolean)
      .map((say) => ({ say }));
  for (const turn of turns) {
    const [before, after] = turn.slice(3).split("{}");
    if (after === undefined) script.turn(turn.slice(0, 1), words(before));
    else script.turn(turn.slice(0, 1), [...words(before), ...bits, ...words(after)], gold);
  }
}

/** Harmless numbers in digits or in words. */
export function fill(template: string, { language, style, random }: Speaker): Bit[] {
  const words = WORDS[language];
  const spoken = !["solid", "grouped", "spaced", "mixed"].includes(style.digits);
  const text = template.replaceAll(/\{([NDY])(\d?)\}/gu, (_, kind: string, size: string) => {
    if (kind === "D") return sayDigits(random.digits(Number(size)), style, words, random).join(" ");
    const number =
      kind === "Y"
        ? random.whole(1985, 2026)
        : random.whole(10 ** (Number(size) - 1) + (size === "1" ? 1 : 0), 10 ** Number(size) - 1);
    return spoken ? words.number(number) : String(number);
  });
  return text.split(" ").map((say) => ({ say }));
}
