import type { Sentiment } from "./types.ts";
import { fold } from "./words.ts";

/**
 * Words that leave little doubt how somebody feels, Spanish and English. Not a judge of sentiment, which is the model's:
 * a witness against an answer that says the contrary of what was said in so many words.
 */
const NEGATIVE =
  /(?<!\p{L})(?:hart[oa]s?|enfadad[oa]s?|furios[oa]s?|indignad[oa]s?|decepcionad[oa]s?|cabread[oa]s?|verguenza|vergonzos[oa]|inaceptable|intolerable|estafa|estafador\p{L}*|fatal|horrible|pesim[oa]s?|lamentable|desastre|tomadura de pelo|asco|indignante|angry|furious|fed up|unacceptable|disappoint\p{L}*|disgust\p{L}*|terribl[ey]|awful|appalling|ridiculous|rude|useless|nightmare|outrag\p{L}*|frustrat\p{L}*|worst|unhappy|(?:not|never|n['’]t) (?:\p{L}+ )?(?:happy|satisfied|pleased)|no estoy (?:nada )?(?:content[oa]|satisfech[oa])|rip-?off|scam)(?!\p{L})/giu;
const POSITIVE =
  /(?<!\p{L})(?:gracias|encantad[oa]s?|perfecto|estupendo|genial|fenomenal|maravillos[oa]|content[oa]s?|satisfech[oa]s?|excelente|amable|agradecid[oa]s?|thanks|thank you|great|wonderful|perfect|excellent|lovely|happy|pleased|delighted|brilliant|fantastic|grateful|kind of you|satisfied)(?!\p{L})/giu;

/** What the words alone say; null when they say nothing, or both. */
export function plainSentiment(text: string): Exclude<Sentiment, "neutral"> | null {
  const folded = fold(text);
  const negative = folded.match(NEGATIVE)?.length ?? 0;
  const positive = folded.replace(NEGATIVE, " ").match(POSITIVE)?.length ?? 0;
  if (negative > 0 && positive === 0) return "negative";
  return positive > 0 && negative === 0 ? "positive" : null;
}
