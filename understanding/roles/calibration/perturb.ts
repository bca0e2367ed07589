import type { Call } from "../../types.ts";

export interface Disturbance {
  /** Share of the words that the recogniser gets wrong: replaced, dropped or doubled. */
  wordErrors: number;
  /** Share of the words that get the other speaker's number, at turn ends and in short turns, where it happens. */
  speakerErrors: number;
  /** Share of the turns that are not heard at all. */
  lostTurns: number;
  /** No full stops, question marks and capitals. */
  unpunctuated: boolean;
  /** The recording begins late: so many first turns are missing. */
  lateTurns: number;
}

export const UNDISTURBED: Disturbance = {
  wordErrors: 0,
  speakerErrors: 0,
  lostTurns: 0,
  unpunctuated: false,
  lateTurns: 0,
};

/** The call as a recogniser and a diarizer of that quality would give it. */
export function perturb(call: Call, disturbance: Disturbance, random: () => number): Call {
  const { wordErrors, speakerErrors, lostTurns, unpunctuated, lateTurns } = disturbance;
  const vocabulary = call.utterances.flatMap(({ text }) => text.split(" "));
  let utterances: Utterances = call.utterances.slice(lateTurns).filter(() => random() >= lostTurns);
  utterances = confuseSpeakers(utterances, speakerErrors, random);
  return {
    ...call,
    utterances: utterances.flatMap((utterance) => {
      const misheard = mishear(utterance.text.split(" "), wordErrors, vocabulary, random).join(" ");
      const text = unpunctuated ? misheard.toLowerCase().replace(/[.,;:!?¿¡]+/g, "") : misheard;
      return text === "" ? [] : [{ ...utterance, text }];
    }),
  };
}

function mishear(words: string[], rate: number, vocabulary: readonly string[], random: () => number): string[] {
  return words.flatMap((word) => {
    if (random() >= rate) return [word];
    const kind = random();
    if (kind < 0.2) return [];
    if (kind < 0.3) return [word, word];
    if (kind < 0.6) return [vocabulary[Math.floor(random() * vocabulary.length)] ?? word];
    return [garble(word, random)];
  });
}

/** Another word of much the same sound: a letter less, another vowel, or the word in two. */
function garble(word: string, random: () => number): string {
  const at = Math.floor(random() * word.length);
  const kind = random();
  if (kind < 0.4) return word.slice(0, at) + word.slice(at + 1);
  if (kind < 0.8) return word.slice(0, at) + "aeiou"[Math.floor(random() * 5)] + word.slice(at + 1);
  return `${word.slice(0, at)} ${word.slice(at)}`.trim();
}

type Utterances = Call["utterances"];

/**
 * Words at the beginning of a turn go to the one before, and short turns wholly, until the share is reached: that is
 * where a diarizer that hears in windows errs.
 */
function confuseSpeakers(utterances: Utterances, share: number, random: () => number): Utterances {
  const total = utterances.reduce((sum, { text }) => sum + text.split(" ").length, 0);
  let budget = Math.round(total * share);
  const spilled = new Map<number, number>();
  const order = utterances.map((_, index) => index).slice(1);
  while (budget > 0 && order.length > 0) {
    const [index = 0] = order.splice(Math.floor(random() * order.length), 1);
    const words = utterances[index]?.text.split(" ").length ?? 0;
    const moved = words <= 3 ? words : Math.min(words, 1 + Math.floor(random() * 4));
    spilled.set(index, moved);
    budget -= moved;
  }
  return utterances.flatMap((utterance, index) => {
    const moved = spilled.get(index) ?? 0;
    const before = utterances[index - 1];
    if (moved === 0 || !before) return [utterance];
    const words = utterance.text.split(" ");
    const first = { ...utterance, speaker: before.speaker, text: words.slice(0, moved).join(" ") };
    const rest = { ...utterance, text: words.slice(moved).join(" ") };
    return rest.text === "" ? [first] : [first, rest];
  });
}

/** The call with two speakers' numbers exchanged from somewhere in its middle on: a diarizer that lost the thread. */
export function exchangeSpeakers(call: Call, random: () => number): Call {
  const [one, other] = [...new Set(call.utterances.map(({ speaker }) => speaker))];
  if (one === undefined || other === undefined) return call;
  const from = Math.floor(call.utterances.length * (0.35 + 0.3 * random()));
  const exchanged = (speaker: string | null) => (speaker === one ? other : speaker === other ? one : speaker);
  const utterances = call.utterances.map((utterance, index) =>
    index < from ? utterance : { ...utterance, speaker: exchanged(utterance.speaker) },
  );
  return { ...call, utterances };
}
