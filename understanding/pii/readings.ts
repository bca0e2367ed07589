import type { Atom } from "./runs.ts";

/**
 * The values that atoms may stand for, as capitals and digits: with and without what a correction took back, what the other
 * side repeated, and words that are letters only perhaps.
 */
export function readingsOf(atoms: readonly Atom[], speakers: readonly (string | null)[]): string[] {
  const found = new Set<string>();
  for (const taken of [atoms, ...mainSpeaker(atoms, speakers)])
    for (const corrected of [taken, ...withoutSlips(taken)])
      for (const said of [corrected, withoutRepeats(corrected)]) {
        found.add(textOf(said));
        found.add(textOf(said.filter(({ weak }) => !weak)));
        found.add(textOf(said.filter(({ weak, text }) => !weak || !/^[AYEO]$/u.test(text))));
      }
  for (const text of [...found]) if (/\dO|O\d/u.test(text)) found.add(text.replaceAll("O", "0"));
  found.delete("");
  return [...found];
}

const textOf = (atoms: readonly Atom[]) => atoms.map(({ text }) => text).join("");

/** Without what anybody but the first speaker of the run said. */
function mainSpeaker(atoms: readonly Atom[], speakers: readonly (string | null)[]): Atom[][] {
  const turns = [...new Set(atoms.map(({ utterance }) => utterance))];
  if (turns.length < 2) return [];
  const main = speakers[turns[0] as number];
  const own = atoms.filter(({ utterance }) => speakers[utterance] === main);
  // Where nobody knows who speaks, a turn that repeats the one before is an echo.
  const fresh = atoms.filter((atom) => {
    const at = turns.indexOf(atom.utterance);
    const of = (turn: number | undefined) => textOf(atoms.filter(({ utterance }) => utterance === turn));
    return at === 0 || !of(turns[at - 1]).endsWith(of(atom.utterance));
  });
  return [own, fresh].filter((some) => some.length < atoms.length);
}

/** Each correction takes back the atom before it, the group before it, or as much as follows it. */
function withoutSlips(atoms: readonly Atom[]): Atom[][] {
  if (!atoms.some(({ joint }) => joint === "correction")) return [];
  const groups = groupsOf(atoms);
  const oneAtom = groups.flatMap((group, index) =>
    groups[index + 1]?.[0]?.joint === "correction" ? group.slice(0, -1) : group,
  );
  const oneGroup = groups.flatMap((group, index) => (groups[index + 1]?.[0]?.joint === "correction" ? [] : group));
  const asMuch: Atom[] = [];
  for (const group of groups) {
    if (group[0]?.joint === "correction")
      for (let left = textOf(group).length; left > 0 && asMuch.length > 0; ) left -= asMuch.pop()?.text.length ?? left;
    asMuch.push(...group);
  }
  return [oneAtom, oneGroup, asMuch, ...begunAnew(atoms)];
}

/** "dos seis uno tres, perdón, dos seis uno uno": what is said anew takes back what began as it does. */
function begunAnew(atoms: readonly Atom[]): Atom[][] {
  const at = atoms.findIndex(({ joint }) => joint === "correction");
  const said = atoms[at]?.text;
  return Array.from({ length: Math.min(RETURN, at) }, (_, back) => at - back - 1)
    .filter((from) => atoms[from]?.text === said)
    .map((from) => [...atoms.slice(0, from), ...atoms.slice(at)]);
}

/** At most so many atoms are said anew. */
const RETURN = 8;

/** Without a group that says again what the one before said. */
function withoutRepeats(atoms: readonly Atom[]): Atom[] {
  const groups = groupsOf(atoms);
  return groups.flatMap((group, index) => {
    const before = groups[index - 1];
    return before && textOf(group).length > 1 && textOf(before) === textOf(group) ? [] : group;
  });
}

/** Parted at every joint that is more than a touch. */
export function groupsOf(atoms: readonly Atom[]): Atom[][] {
  const groups: Atom[][] = [];
  for (const atom of atoms) {
    if (atom.joint === "touch" && groups.length > 0) groups.at(-1)?.push(atom);
    else groups.push([atom]);
  }
  return groups;
}
