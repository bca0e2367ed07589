import type { Call } from "../types.ts";
import { findBirthDates } from "./birth-dates.ts";
import { Context } from "./context.ts";
import { findEchoes } from "./echoes.ts";
import { findEmails } from "./emails.ts";
import { lexiconOf } from "./language/languages.ts";
import { findNumbers } from "./numbers.ts";
import { merge } from "./redact.ts";
import { findRuns } from "./runs.ts";
import { findSecrets } from "./secrets.ts";
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
  return merge([...found, ...findEchoes(found, runs, turns)]);
}
