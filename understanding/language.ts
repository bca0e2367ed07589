import { eld } from "eld/small";

/**
 * By how much another language must fit better than the call's own before a text counts as foreign; near relatives
 * (Spanish and Catalan) are 0.01 apart on a headline, unrelated ones 0.1 (eld's scores).
 */
const MARGIN = 0.06;
/** Fewer words say nothing reliable about their language. */
const FEWEST_WORDS = 4;

/** Whether a text is clearly in another language than `code`. A language that the detector does not know is never foreign. */
export function isForeign(text: string, code: string): boolean {
  if (text.split(/\s+/u).length < FEWEST_WORDS && /^[\p{Script=Latin}\P{L}]*$/u.test(text)) return false;
  const detected = eld.detect(text);
  if (detected.language === "" || detected.language === code) return false;
  const scores = detected.getScores() as Record<string, number>;
  if (!KNOWN.has(code)) return false;
  return (scores[detected.language] ?? 0) - (scores[code] ?? 0) > MARGIN;
}

/** Languages of the detector that recognition may name too. */
const KNOWN = new Set(
  "am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh".split(
    " ",
  ),
);

const names = new Intl.DisplayNames(["en"], { type: "language" });

/** `es` → `Spanish`. */
export function languageName(code: string): string {
  return (code === "und" ? undefined : names.of(code)) ?? "the language of the call";
}
