import type { Call } from "../types.ts";
import { findBirthDates } from "./birth-dates.ts";
import { Context } from "./context.ts";
import { findEchoes } from "./echoes.ts";
import { findEmails } from "./emails.ts";
import { lexiconOf } from "./language/languages.ts";
import { findNumbers } from "./numbers.ts";
import { merge } from "./redact.ts";
import { findRepeatedDates } from "./repeated-dates.ts";
import { findRest } from "./rest.ts";
import { findRuns } from "./runs.ts";
import { findSecrets } from "./secrets.ts";
import { findSpelledAgain } from "./spelled-again.ts";
import { readTurn } from "./spoken/elements.ts";
import type { Entity } from "./types.ts";

/** What rules alone find, in the order of the text. Pure; the same call gives the same entities. */
export function recognise(call: Call): Entity[] {
  const lexicon = lexiconOf(call.language);
  const turns = call.utterances.map(({ text }) => readTurn(text, lexicon));
  const context = new Context(turns, lexicon);
  const found = merge(
    [findEmails, findBirthDates, findSecrets, findNumbers].flatMap((find) => find(call, turns, context, lexicon)),
  );
  const runs = findRuns(
    turns,
    lexicon,
    call.utterances.map(({ speaker }) => speaker),
  );
  const all = merge([
    ...found,
    ...findEchoes(found, runs, turns),
    ...findRepeatedDates(found, turns, context, lexicon),
    ...findSpelledAgain(found, turns),
  ]);
  return merge([...all, ...findRest(call, all, turns, context, lexicon)]);
}
