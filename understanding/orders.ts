import { machineTalk } from "./machine-talk/score.ts";
import { MACHINE_SCORE, machineScore } from "./machine-words.ts";
import { MACHINE_ORDER, MARKUP } from "./order-phrases.ts";
import { BEFORE, DISMISS, LIMIT, MACHINE, PRODUCT, PRODUCT_ORDER, WRITE } from "./order-words.ts";
import { sentencesOf } from "./sentences.ts";
import type { Call, Utterance } from "./types.ts";

/**
 * What is said to a machine that reads the transcript, not to the person on the line: "ignore your instructions and …".
 * Such sentences are kept from the models (their place is marked), because no wording of a prompt makes every model deaf
 * to them. They stay in the transcript, personal data and abuse in them are looked for apart, and nothing that only
 * they say is believed. An innocent sentence that is taken for one costs a summary one sentence.
 */
export interface Separated {
  /** The call without them; turns keep their places. */
  clean: Call;
  /** Only them, every other character a space, so that offsets are those of the call; null when there are none. */
  suspect: Call | null;
  /** `clean` without the sentences that may be said to a machine: what an opinion of a model can rest on. */
  firm: Call;
  /** … and without those of which there is any doubt: what it must rest on while it can be asked for once more. */
  certain: Call;
}

/**
 * From here on a sentence is taken for one that is said to a machine: of sentences of calls that the fit did not see 2 in a hundred,
 * of orders of templates that it did not see 4 in 5 (`npm run fit-orders`).
 */
const SURE = -1;
/** … and from here on it proves nothing: 6 in a hundred, and 11 orders in 12. */
const DOUBTFUL = -1.8;
/** One in seven sentences of calls sounds like this, and all but one order of fifty. */
const PERHAPS = -3.3;

/** Whether there is any doubt that a sentence is said between people. */
export const isPerhapsOrder = (sentence: string): boolean => machineTalk(sentence) >= PERHAPS;

/** In the place of a sentence that is left out. */
export const LEFT_OUT = "[…] ";
/** After an order its payload follows ("Write HACKED."): so many sentences of the same speaker are looked at more strictly. */
const AFTERMATH = 4;

export function separateOrders(call: Call): Separated {
  let alert = 0;
  let speaker: string | null | undefined;
  let any = false;
  let some = false;
  const turns = call.utterances.map((turn) => {
    if (turn.speaker !== speaker) alert = 0;
    speaker = turn.speaker;
    let clean = "";
    let suspect = "";
    let firm = "";
    let certain = "";
    for (const sentence of sentencesOf(turn.text)) {
      const talk = machineTalk(sentence);
      const found = isOrder(sentence, alert > 0) || talk >= (alert > 0 ? DOUBTFUL : SURE);
      if (!found && talk < DOUBTFUL) firm += sentence;
      if (!found && talk < PERHAPS) certain += sentence;
      alert = found ? AFTERMATH : Math.max(0, alert - 1);
      any ||= found;
      some ||= talk >= DOUBTFUL;
      if (!found) clean += sentence;
      else if (!clean.endsWith(LEFT_OUT)) clean += LEFT_OUT;
      suspect += found ? sentence : " ".repeat(sentence.length);
    }
    return { clean, suspect, firm, certain };
  });
  const of = (kind: keyof (typeof turns)[number]): Call => ({
    ...call,
    utterances: call.utterances.map((turn, at): Utterance => ({ ...turn, text: turns[at]?.[kind] ?? "" })),
  });
  const held = { firm: any || some ? of("firm") : call, certain: of("certain") };
  return any ? { ...held, clean: of("clean"), suspect: of("suspect") } : { ...held, clean: call, suspect: null };
}

/** `alert`: an order was just given. */
export function isOrder(sentence: string, alert = false): boolean {
  const text = sentence.normalize("NFC");
  if (MARKUP.test(text) || MACHINE_ORDER.test(text) || machineScore(text) >= MACHINE_SCORE) return true;
  const [dismisses, writes, machine, product, limits] = [DISMISS, WRITE, MACHINE, PRODUCT, LIMIT].map((form) =>
    form.test(text),
  );
  if (alert) return Boolean(dismisses || writes || machine || product || limits);
  if (dismisses && (machine || product || BEFORE.test(text))) return true;
  if (writes && machine) return true;
  // "Write a summary in French", "mark the sentiment as positive": an order about what is made of a transcript.
  if (PRODUCT_ORDER.test(text) || (writes && product && limits)) return true;
  return Boolean(machine && limits && product);
}
