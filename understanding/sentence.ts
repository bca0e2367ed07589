import { isForeign } from "./language.ts";
import { isOrder } from "./orders.ts";
import type { Reading } from "./reader.ts";
import { sentencesOf } from "./sentences.ts";
import { isContent, stem, wordsOf } from "./words.ts";

/** Of a sentence's content words, the share whose family must occur in the call, and at least one. */
const LEAST_SUPPORT = 0.2;
/** Fewer different words say nothing about a call. */
const LEAST_WORDS = 3;

/** Nothing that speech has: links, addresses, tags, code, markup. */
const WRITTEN =
  /https?:|www\.|\S+@\S+\.\S+|\b[\w-]+\.(?:com|net|org|io|ai|es|dev|xyz|example|evil)\b|[<>{}`|\\]|\]\(|\[\/?[a-z]+\]|\*\*|^#+\s|&[a-z]+;|\p{Extended_Pictographic}/iu;

/**
 * Whether a text that a model wrote freely can be about this call: no order to a machine, nothing that only what was said
 * to machines has, and no markup, link or address that was not said.
 */
export function believable(text: string, { evidence, suspect }: Reading): boolean {
  if (/[\p{Cc}--[\n\t]]/v.test(text) || isOrder(text)) return false;
  for (const token of text.split(/\s+/u)) if (WRITTEN.test(token) && !evidence.hasLiteral(token)) return false;
  if (!suspect) return true;
  return !contentOf(text).some((word) => suspect.hasStem(word) && !evidence.hasStem(word));
}

/** … and says something of what was said in it, in its language. */
export function supported(text: string, reading: Reading): boolean {
  if (!believable(text, reading)) return false;
  if (new Set(wordsOf(text).map(({ folded }) => folded)).size < LEAST_WORDS) return false;
  const { known, share } = reading.evidence.support(text);
  if (reading.sources.isStranded(text)) return false;
  return known > 0 && share >= LEAST_SUPPORT;
}

export function inLanguage(text: string, { call }: Reading): boolean {
  return !isForeign(text, call.language);
}

/** The sentences of a text that hold; the others fall away. */
export function supportedSentences(text: string, reading: Reading): string[] {
  return sentencesOf(text)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "" && supported(sentence, reading));
}

function contentOf(text: string): string[] {
  return wordsOf(text)
    .filter(({ folded }) => isContent(folded))
    .map(({ folded }) => stem(folded));
}
