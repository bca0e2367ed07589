import { pieces } from "./numbers.ts";
import type { Atom, Run } from "./runs.ts";
import type { Turn } from "./spoken/elements.ts";
import type { Entity, PiiType } from "./types.ts";

/** So many digits of a value, said once more, tell of it; so few while the value is still spoken of. */
const LEAST = 4;
const LEAST_NEAR = 3;
/** Turns. */
const NEAR = 12;

/** Digits and letters that differ where a value was misheard or is said anew, by how long it is. */
const SLIPS: [length: number, differ: number][] = [
  [9, 2],
  [5, 1],
];

const NUMBERS: PiiType[] = ["PHONE", "NATIONAL_ID", "BANK_ACCOUNT", "CARD", "PASSPORT", "LICENSE_PLATE"];

/**
 * What is repeated of a value elsewhere in the call, "y acaba en 53 32", though nothing there says what it is: by the other side,
 * who reads it back, or because it was not understood.
 */
export function findEchoes(entities: readonly Entity[], runs: readonly Run[], turns: readonly Turn[]): Entity[] {
  return runs.flatMap(({ atoms }) => {
    const [first] = atoms;
    if (!first) return [];
    const digits = atoms.filter(({ kind }) => kind === "digits");
    const said = textOf(digits);
    // Of what is found already in the same breath nothing is learned.
    const others = entities.filter(({ utterance }) => !atoms.some((atom) => atom.utterance === utterance));
    const type = NUMBERS.find((one) => {
      const whole = saidOf(others, turns, one, () => true);
      if (said.length >= LEAST && whole.digits.includes(said)) return true;
      const near = saidOf(others, turns, one, ({ utterance }) => Math.abs(utterance - first.utterance) <= NEAR);
      if (said.length >= LEAST_NEAR && near.digits.includes(said)) return true;
      return isLike(said, near.digits) || (said !== "" && isLike(textOf(atoms), near.all));
    });
    if (!type) return [];
    const value = saidOf(others, turns, type, () => true);
    return pieces(withLetters(atoms, value.all), { type, confidence: 0.5 });
  });
}

const textOf = (atoms: readonly Atom[]) => atoms.map(({ text }) => text).join("");

/** From the first digits to the last, and the letters beside them that the value has too. */
function withLetters(atoms: readonly Atom[], value: string): readonly Atom[] {
  const isOwn = ({ kind, text }: Atom) =>
    kind === "digits" || value.includes(text) || (text === "O" && value.includes("0"));
  let from = atoms.findIndex(({ kind }) => kind === "digits");
  let to = atoms.findLastIndex(({ kind }) => kind === "digits") + 1;
  while (from > 0 && isOwn(atoms[from - 1] as Atom)) from -= 1;
  while (to < atoms.length && isOwn(atoms[to] as Atom)) to += 1;
  return atoms.slice(from, to);
}

/** Digits, and digits and letters, of the entities of a type, in the order of the call. */
function saidOf(
  entities: readonly Entity[],
  turns: readonly Turn[],
  type: PiiType,
  counts: (entity: Entity) => boolean,
): { digits: string; all: string } {
  let [digits, all] = ["", ""];
  for (const entity of entities) {
    if (entity.type !== type || !counts(entity)) continue;
    for (const one of (turns[entity.utterance] as Turn).elements) {
      if (one.start < entity.start || one.end > entity.end || (one.kind !== "digits" && one.kind !== "letters"))
        continue;
      all += one.text;
      if (one.kind === "digits") digits += one.text;
    }
  }
  return { digits, all };
}

/** Whether a text stands in another but for a slip or two (Sellers, 1980: edit distance to the nearest part of a text). */
function isLike(text: string, whole: string): boolean {
  const differ = SLIPS.find(([length]) => text.length >= length)?.[1];
  if (differ === undefined || whole === "") return false;
  let row = new Array<number>(whole.length + 1).fill(0);
  for (let at = 1; at <= text.length; at++) {
    const next = [at];
    for (let to = 1; to <= whole.length; to++)
      next.push(
        Math.min(
          (row[to - 1] as number) + (text[at - 1] === whole[to - 1] ? 0 : 1),
          (row[to] as number) + 1,
          (next[to - 1] as number) + 1,
        ),
      );
    row = next;
  }
  return Math.min(...row) <= differ;
}
