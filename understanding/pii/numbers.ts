import type { Call } from "../types.ts";
import type { Context } from "./context.ts";
import { judge, type Verdict } from "./judge.ts";
import type { Lexicon } from "./language/lexicon.ts";
import { groupsOf, readingsOf } from "./readings.ts";
import { type Atom, findRuns, type Run } from "./runs.ts";
import type { Turn } from "./spoken/elements.ts";
import { fold } from "./spoken/tokens.ts";
import type { Entity, PiiType } from "./types.ts";

/** Values of digits and letters: documents, accounts, cards, telephones, plates. */
export function findNumbers(call: Call, turns: readonly Turn[], context: Context, lexicon: Lexicon): Entity[] {
  const speakers = call.utterances.map(({ speaker }) => speaker);
  const judgeAtoms = (atoms: readonly Atom[], run: readonly Atom[]): Verdict | null => {
    const [first, last] = [run[0] as Atom, atoms.at(-1) as Atom];
    // "Es el que acaba en 418": plain words at its head are none of it.
    const sure = run.find(({ weak }) => !weak) ?? first;
    if (isCounted(turns[first.utterance] as Turn, atoms, lexicon)) return null;
    const subjects = context.at(first.utterance, first.start, { utterance: last.utterance, end: last.end }, sure);
    // Plain words become letters at a value's edge only where somebody speaks of such a value.
    const alone = turns[first.utterance]?.elements.every(({ kind }) => kind === "digits" || kind === "sign") ?? false;
    const verdict = judge(readingsOf(atoms, speakers), subjects, call.language, alone);
    const named = subjects.some(({ topic }) => topic === verdict?.type || topic === "ANY" || topic === "VEHICLE");
    return atoms.some(({ edge }) => edge) && !named ? null : verdict;
  };
  return bridged(findRuns(turns, lexicon, speakers), turns, context, lexicon, judgeAtoms).flatMap(({ atoms }) => {
    const found = parts(atoms, judgeAtoms);
    // What was asked for is there: another number in a later turn is another matter.
    if (found.some(({ verdict }) => verdict.fit >= FORMED)) context.close(atoms[0]?.utterance ?? 0);
    return found.flatMap(({ atoms, verdict }) => pieces(atoms, verdict));
  });
}

/** At most so many words of talk may part a value: "seis siete siete, que no me acuerdo, cuatro cinco…". */
const TALK = 8;

/** … and so few where neither side of them is a value. */
const STUMBLE = 2;

/** Said by who looks for the rest, or begins anew. */
const WAIT =
  /(?<!\p{L})(?:esper[ae]\p{L}*|un (?:momento|segundo)\p{L}*|a ver|lo (?:miro|busco)|perdon\p{L}*|empiezo|hang on|hold on|let me|wait|sorry|start (?:again|over))(?!\p{L})/u;

/** Neighbouring runs of a turn that only together have a form, with talk between them that is about nothing else. */
function bridged(runs: Run[], turns: readonly Turn[], context: Context, lexicon: Lexicon, judgeAtoms: Judge): Run[] {
  const joined: Run[] = [];
  for (const run of runs) {
    const before = joined.at(-1);
    const last = before?.atoms.at(-1);
    const [first] = run.atoms;
    if (before && last && first && last.utterance === first.utterance) {
      const between = (turns[first.utterance] as Turn).text.slice(last.end, first.start);
      const talk =
        // "a las dieciocho cuarenta": the second is nobody's.
        !lexicon.before.test((turns[first.utterance] as Turn).folded.slice(0, first.start)) &&
        !Object.keys(lexicon.months).some((month) => fold(between).includes(month)) &&
        between.split(/\s+/u).length <= (WAIT.test(fold(between)) ? 2 * TALK : TALK) &&
        !context.hasCue(first.utterance, last.end, first.start);
      const about = context.at(first.utterance, before.atoms[0]?.start ?? 0, last)[0]?.topic;
      const both = [...before.atoms, { ...first, joint: "pause" as const }, ...run.atoms.slice(1)];
      const fitOf = (atoms: readonly Atom[]) => bestOf(atoms, judgeAtoms)?.verdict.fit ?? 0;
      // "seis treinta, espere que lo miro, seis treinta y uno …": a false start tells the value too.
      const started = WAIT.test(fold(between)) && fitOf(before.atoms) < GOOD && fitOf(run.atoms) > 0 && fitOf(both) > 0;
      // "5, 6, 4 mole 3, 6, 7": a word that was not understood, where somebody's number is asked for.
      const stumbled =
        about !== undefined &&
        about !== "HARMLESS" &&
        between.trim().split(/\s+/u).length <= STUMBLE &&
        Math.max(fitOf(before.atoms), fitOf(run.atoms)) < FORMED &&
        fitOf(both) > 0;
      // "… cuatro cinco, ¿me sigue?, seis siete": whatever is said before a value is whole, where one is asked for.
      const unfinished = about !== undefined && about !== "HARMLESS" && fitOf(before.atoms) < GOOD && !isWords(run);
      if (
        talk &&
        !/\d|@/u.test(between) &&
        (started ||
          stumbled ||
          unfinished ||
          (about !== undefined && fitOf(both) >= GOOD && Math.max(fitOf(before.atoms), fitOf(run.atoms)) < GOOD))
      ) {
        joined[joined.length - 1] = { atoms: both };
        continue;
      }
    }
    joined.push(run);
  }
  return joined;
}

/** Letters, perhaps of plain words. */
const isWords = ({ atoms }: Run) => atoms[0]?.kind !== "digits";

type Judge = (atoms: readonly Atom[], run: readonly Atom[]) => Verdict | null;

interface Part {
  atoms: readonly Atom[];
  verdict: Verdict;
}

/** A form as good as this is not looked at further. */
const GOOD = 0.6;
const CERTAIN = 0.9;

/**
 * The values in a run: usually one. Weak letters at its ends are taken where they make the form; where the whole has no
 * form, two halves may.
 */
function parts(atoms: readonly Atom[], judgeAtoms: Judge): Part[] {
  const whole = bestOf(atoms, judgeAtoms);
  if (whole && whole.verdict.fit >= GOOD) return [whole];
  const groups = groupsOf(atoms);
  let found: Part[] = whole ? [whole] : [];
  let most = whole?.verdict.fit ?? 0;
  for (let at = 1; at < groups.length; at++) {
    const halves = [groups.slice(0, at).flat(), groups.slice(at).flat()].flatMap(
      (half) => bestOf(half, judgeAtoms) ?? [],
    );
    // What is said around the whole weighs more than a form that a half happens to have.
    if (whole && !halves.some(({ verdict }) => verdict.type === whole.verdict.type || verdict.fit > CERTAIN)) continue;
    const fit = Math.max(0, ...halves.map(({ verdict }) => verdict.fit));
    if (fit >= GOOD && fit > most) {
      most = fit;
      // What is left over belongs to it rather than to nobody.
      found = halves.length === 1 && whole ? [{ ...whole, verdict: (halves[0] as Part).verdict }] : halves;
    }
  }
  return found;
}

/** Words of a spelling alphabet right before a value are its letters: "Alpha" of "Alpha Yankee, Alpha Yankee, 79". */
function withCodeWords({ atoms, verdict }: Part, run: readonly Atom[]): Part {
  let from = run.length;
  const [head] = atoms;
  if (head) from = run.findIndex(({ utterance, start }) => utterance === head.utterance && start === head.start);
  const before: Atom[] = [];
  for (let at = from - 1; at >= 0 && run[at]?.code && run[at + 1]?.joint === "touch"; at--)
    before.unshift(run[at] as Atom);
  return { atoms: [...before, ...atoms], verdict };
}

/** From here on a value has a form, which more letters may fill. */
const FORMED = 0.5;

/** The part of a run that fits best; of equals the one with more spelled letters, then the longer where there is a form. */
function bestOf(run: readonly Atom[], judgeAtoms: Judge): Part | undefined {
  const codes = ({ atoms }: Part) => atoms.filter(({ code }) => code).length;
  return ends(run)
    .map((atoms) => ({ atoms, verdict: judgeAtoms(atoms, run) }))
    .filter((part): part is Part => part.verdict !== null)
    .map((part) => withCodeWords(part, run))
    .sort(
      (a, b) =>
        b.verdict.fit - a.verdict.fit ||
        codes(b) - codes(a) ||
        (a.verdict.fit >= FORMED ? b.atoms.length - a.atoms.length : a.atoms.length - b.atoms.length),
    )[0];
}

const LINKS = new Set(["Y"]);

/** With and without the weak letters at either end. */
function ends(atoms: readonly Atom[]): (readonly Atom[])[] {
  const first = atoms.findIndex(({ weak }) => !weak);
  const last = atoms.findLastIndex(({ weak }) => !weak) + 1;
  if (first < 0) return [];
  const all: (readonly Atom[])[] = [];
  // A short word of a later turn, "ya lo veo", is none of it.
  const isTalk = (at: number) => {
    const { utterance, text } = atoms[at] as Atom;
    return at >= last && utterance !== atoms[last - 1]?.utterance && text.length > 1 && /[AEIOU]/u.test(text);
  };
  // "adn y ciento cuatro": a link between is a letter perhaps.
  const isLink = ({ text, code, joint }: Atom, at: number, from: number) =>
    at > from && !code && joint === "touch" && LINKS.has(text);
  const edge = (atom: Atom, at: number, from: number) =>
    at < first || at >= last ? { ...atom, weak: at < first && isLink(atom, at, from), edge: true } : atom;
  for (let from = first; from >= 0; from--)
    for (let to = last; to <= atoms.length && !isTalk(to - 1); to++)
      all.push(atoms.map((atom, at) => edge(atom, at, from)).slice(from, to));
  return all.slice(0, 40);
}

/** "a las cinco", "opción 3": a short number behind such words is nobody's. */
function isCounted({ folded }: Turn, atoms: readonly Atom[], { before }: Lexicon): boolean {
  const digits = atoms.reduce((sum, { text, kind }) => sum + (kind === "digits" ? text.length : 0), 0);
  return digits < 6 && before.test(folded.slice(0, (atoms[0] as Atom).start));
}

/** A value over several turns is an entity in each. */
export function pieces(
  atoms: readonly { utterance: number; start: number; end: number }[],
  { type, confidence }: { type: PiiType; confidence: number },
): Entity[] {
  const found: Entity[] = [];
  for (const { utterance, start, end } of atoms) {
    const last = found.at(-1);
    if (last?.utterance === utterance) last.end = end;
    else found.push({ type, utterance, start, end, confidence, source: "rule" });
  }
  return found;
}
