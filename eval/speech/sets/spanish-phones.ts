/**
 * The English sounds (ARPAbet) nearest to Spanish ones, for an aligner whose model has heard English only. It has to
 * find where a sound is, not to tell it from its neighbours, and for that they are near enough.
 */
const NEAREST: Record<string, string> = {
  a: "AA",
  e: "EH",
  ɛ: "EH",
  i: "IY",
  o: "OW",
  ɔ: "OW",
  u: "UW",
  ʊ: "UW",
  ɪ: "IY",
  b: "B",
  β: "V",
  d: "D",
  ð: "DH",
  g: "G",
  ɡ: "G",
  ɣ: "G",
  p: "P",
  t: "T",
  k: "K",
  f: "F",
  s: "S",
  z: "Z",
  θ: "S",
  x: "HH",
  m: "M",
  n: "N",
  ɲ: "N Y",
  ŋ: "NG",
  l: "L",
  ʎ: "Y",
  ʝ: "Y",
  j: "Y",
  w: "W",
  ɾ: "D",
  r: "R",
  ʃ: "SH",
  tʃ: "CH",
};

/** A word's sounds in IPA to the English ones; null when one has no neighbour. */
export function englishPhones(ipa: string): string | null {
  const sounds = ipa.replaceAll(/[ˈˌːˑ\s]/g, "").match(/tʃ|./gu) ?? [];
  const phones = sounds.map((sound) => NEAREST[sound]);
  return phones.length === 0 || phones.includes(undefined) ? null : phones.join(" ");
}
