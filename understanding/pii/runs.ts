import type { Lexicon } from "./language/lexicon.ts";
import type { Element, Turn } from "./spoken/elements.ts";

/** Digits or letters of a value, in one turn. */
export interface Atom {
  kind: "digits" | "letters";
  text: string;
  weak: boolean;
  code: boolean;
  /** A plain word, taken as a letter for a trial. */
  edge?: boolean;
  utterance: number;
  start: number;
  end: number;
  /** What stands between it and the atom before. */
  joint: Joint;
}

/** In rising order of distance: next to each other, a comma or filler, "no, perdón", another turn. */
export type Joint = "touch" | "pause" | "correction" | "turn";

/** Atoms that may be one value: dictated in a row, over fillers, corrections and what the other side says in between. */
export interface Run {
  atoms: Atom[];
}

/** At most so many words that mean nothing may stand within a value. */
const FILLERS = 8;

/** At most so many words make a turn that only says "go on". */
const BACKCHANNEL = 7;

export function findRuns(turns: readonly Turn[], lexicon: Lexicon, speakers: readonly (string | null)[]): Run[] {
  const runs: Run[] = [];
  let atoms: Atom[] = [];
  let joint: Joint = "touch";
  let fillers = 0;
  const close = () => {
    const run = settled(atoms);
    if (run.length > 0) runs.push({ atoms: run });
    atoms = [];
    joint = "touch";
    fillers = 0;
  };
  turns.forEach((turn, utterance) => {
    if (atoms.length > 0) {
      if (isBackchannel(turn, lexicon)) {
        joint = "turn";
        return;
      }
      const first = atoms[0]?.utterance ?? utterance;
      const other = speakers[utterance] !== speakers[first];
      const heard = other && (echoes(turn, atoms) || mishears(turn, turns[utterance + 1], lexicon));
      if (!goesOn(turn, lexicon) || (other && !heard)) close();
      else joint = "turn";
      fillers = 0;
    }
    turn.elements.forEach((element, index) => {
      const previous = atoms.at(-1);
      if (element.kind === "digits" && !isMeasured(turn, element, lexicon)) {
        if (previous && breaks(turn, previous, element, utterance)) close();
        const plus = turn.elements[index - 1];
        const { start } = plus?.kind === "sign" && plus.text === "+" ? plus : element;
        atoms.push({
          kind: "digits",
          text: element.text,
          weak: false,
          code: false,
          utterance,
          start,
          end: element.end,
          joint,
        });
        joint = "touch";
        fillers = 0;
      } else if (element.kind === "letters" && inPlace(turn, index, atoms, lexicon)) {
        atoms.push({ ...element, utterance, joint });
        joint = "touch";
        fillers = 0;
      } else if (atoms.length > 0) {
        const kind = standsBetween(element, lexicon);
        if (kind === null || ++fillers > FILLERS) close();
        else if (kind !== "touch" && joint !== "turn" && joint !== "correction") joint = kind;
      }
    });
  });
  close();
  return runs.filter(({ atoms }) => atoms.some(({ kind }) => kind === "digits") || spelled(atoms));

  function breaks(turn: Turn, previous: Atom, element: Element, utterance: number): boolean {
    // A decimal comma makes an amount: it ends what was before the number.
    return previous.utterance === utterance && /^\s*[€$£]/u.test(turn.text.slice(previous.end, element.start));
  }
}

/** Letters are taken next to digits or other letters; a weak one opens nothing on its own at the head of a run. */
function inPlace(turn: Turn, index: number, atoms: readonly Atom[], lexicon: Lexicon): boolean {
  const element = turn.elements[index] as Element & { weak: boolean };
  if (!element.weak || atoms.length > 0) return true;
  for (let next = index + 1; next < turn.elements.length; next++) {
    const one = turn.elements[next] as Element;
    if (one.kind === "digits" || (one.kind === "letters" && !one.weak)) return true;
    if (one.kind !== "letters" && standsBetween(one, lexicon) === null) return false;
  }
  return true;
}

/** Words of a spelling alphabet, and lone capitals, become sure in the same breath as what is. */
function settled(atoms: readonly Atom[]): Atom[] {
  const sure = atoms.map((atom) => ({ ...atom }));
  for (const list of [sure, sure.toReversed()]) {
    let near = false;
    list.forEach((atom, at) => {
      const joint = list === sure ? atom.joint : list[at - 1]?.joint;
      if (joint === "turn") near = false;
      if (near && atom.code) atom.weak = false;
      // A link ("y") between two does not part them.
      if (!atom.weak) near = true;
    });
  }
  return sure;
}

const spelled = (atoms: readonly Atom[]) => atoms.filter(({ weak }) => !weak).length >= 3;

/** What an element between two atoms makes of their joint; null when it parts them. */
function standsBetween(element: Element, { between, corrections }: Lexicon): Joint | null {
  if (element.kind === "sign") {
    if (element.spoken) return element.text === "@" ? null : "touch";
    if (/[-./–—:()+'"º°#*]/u.test(element.text)) return "touch";
    return /[,;…!¡?¿]/u.test(element.text) ? "pause" : null;
  }
  if (element.kind !== "word") return null;
  if (corrections.has(element.text)) return "correction";
  return between.has(element.text) ? "pause" : null;
}

/** Said by who listens: few words, no digits, and none that starts another matter. */
function isBackchannel({ elements, folded }: Turn, lexicon: Lexicon): boolean {
  const words = elements.filter(({ kind }) => kind !== "sign");
  if (words.length > 0 && words.every(({ kind }) => kind === "letters")) return false;
  if (words.length > BACKCHANNEL || elements.some(({ kind }) => kind === "digits")) return false;
  if (elements.some((one) => one.kind === "letters" && (!one.weak || one.code || /^[^AEIOU]{2,}$/u.test(one.text))))
    return false;
  return !lexicon.cues.some(({ words: cue }) => folded.search(cue) >= 0);
}

/** Whether who listens says what was said: as many of its digits and letters, in their order, as are not misheard. */
function echoes({ elements }: Turn, atoms: readonly Atom[]): boolean {
  const said = elements.flatMap((one) => (one.kind === "digits" || one.kind === "letters" ? [...one.text] : []));
  const before = atoms.map(({ text }) => text).join("");
  let at = 0;
  let same = 0;
  for (const sign of said) {
    const found = before.indexOf(sign, at);
    if (found < 0) continue;
    same += 1;
    at = found + 1;
  }
  return same >= said.length * ECHO;
}

const ECHO = 0.6;

/** Digits of what is said in one breath. */
const BREATH = 4;

/** Who listens says one breath, wrongly, and is put right: "noventa y seis", "no, noventa y ocho". */
function mishears({ elements }: Turn, next: Turn | undefined, lexicon: Lexicon): boolean {
  const digits = elements.reduce((sum, one) => sum + (one.kind === "digits" ? one.text.length : 0), 0);
  const idle = elements.every((one) => one.kind !== "word" || standsBetween(one, lexicon) !== null);
  return digits > 0 && digits <= BREATH && idle && next !== undefined && goesOn(next, lexicon);
}

/** Opens a sentence of its own: "in 1999", "en 2010". */
const OPENS = new Set(["in", "en", "that's", "son"]);

/** Begins with an atom, but for fillers. */
function goesOn({ elements }: Turn, lexicon: Lexicon): boolean {
  let fillers = 0;
  if (OPENS.has(elements[0]?.text ?? "") && elements.some(({ kind }, at) => at > 1 && kind === "word")) return false;
  if (elements.every(({ kind }) => kind === "letters" || kind === "sign")) return true;
  for (const [index, element] of elements.entries()) {
    if (element.kind === "digits" || (element.kind === "letters" && !element.weak)) return true;
    // "I called" opens a sentence, "e, ¿lo tiene?" ends a value.
    if (
      element.kind === "letters" &&
      (element.end - element.start > 3 || opensNothing(elements[index + 1]) || leadsToDigits(elements, index))
    )
      return true;
    if (element.kind === "letters") return false;
    if (standsBetween(element, lexicon) === null || ++fillers > FILLERS) return false;
  }
  return false;
}

/** Whether what follows a letter leaves it a letter: nothing, a sign, or more of a value. */
function opensNothing(next: Element | undefined): boolean {
  return !next || (next.kind !== "word" && !(next.kind === "letters" && next.weak));
}

/** "e ese uno seis": letters, weak ones too, that digits follow. */
function leadsToDigits(elements: readonly Element[], from: number): boolean {
  const next = elements.slice(from).findIndex(({ kind }) => kind !== "letters");
  return next > 0 && elements[from + next]?.kind === "digits";
}

/** "45 euros", "300 megas", "5%"; "1.250,50 €" too, from its first digit on. */
export function isMeasured({ folded }: Turn, element: Element, lexicon: Lexicon): boolean {
  const after = folded.slice(element.end);
  const rest = /^(?:[.,]\d+)+/u.exec(after)?.[0] ?? "";
  // "GR 2255 PM" is a plate, "5 pm" a time.
  if (element.end - element.start > 2 && !rest && /^\s+[ap]m(?!\p{L})/u.test(after)) return false;
  return (
    lexicon.measures.test(after.slice(rest.length)) || /[€$£]\s*(?:\d+[.,])*$/u.test(folded.slice(0, element.start))
  );
}
