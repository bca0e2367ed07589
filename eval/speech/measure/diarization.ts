import { assign } from "./assignment.ts";

/** Somebody speaks, seconds. Turns of different speakers may overlap. */
export interface SpeakerTurn {
  speaker: string;
  start: number;
  end: number;
}

/** Seconds of speaker time. */
export interface DiarizationErrors {
  /** Speaker time of the reference that is scored; somebody beside somebody counts twice. */
  total: number;
  missed: number;
  falseAlarm: number;
  confusion: number;
}

/**
 * Diarization errors as NIST's Rich Transcription evaluations score them (md-eval) and pyannote.metrics does: each
 * speaker of the answer stands for at most one of the reference, so that they share the most time; `collar` seconds
 * on both sides of every border of the reference are not scored; overlapping speech is.
 */
export function diarizationErrors(
  reference: readonly SpeakerTurn[],
  answer: readonly SpeakerTurn[],
  { collar = 0 }: { collar?: number } = {},
): DiarizationErrors {
  const theirs = [...new Set(reference.map(({ speaker }) => speaker))];
  const ours = [...new Set(answer.map(({ speaker }) => speaker))];
  const pieces = scored(reference, answer, collar).map(({ start, end }) => ({
    seconds: end - start,
    reference: speaking(reference, start, end),
    answer: speaking(answer, start, end),
  }));
  const shared = ours.map(() => theirs.map(() => 0));
  for (const piece of pieces) {
    for (const our of piece.answer) {
      for (const their of piece.reference) {
        const row = shared[ours.indexOf(our)] as number[];
        row[theirs.indexOf(their)] = (row[theirs.indexOf(their)] as number) + piece.seconds;
      }
    }
  }
  const standsFor = new Map(
    assign(shared).flatMap((column, row) => (column === null ? [] : [[ours[row], theirs[column]]])),
  );
  const errors: DiarizationErrors = { total: 0, missed: 0, falseAlarm: 0, confusion: 0 };
  for (const { seconds, reference: there, answer: here } of pieces) {
    const right = [...here].filter((speaker) => there.has(standsFor.get(speaker) as string)).length;
    errors.total += seconds * there.size;
    errors.missed += seconds * Math.max(0, there.size - here.size);
    errors.falseAlarm += seconds * Math.max(0, here.size - there.size);
    errors.confusion += seconds * (Math.min(there.size, here.size) - right);
  }
  return errors;
}

/** Errors over speaker time, in percent; NaN when nothing is scored. */
export function diarizationErrorRate({ total, missed, falseAlarm, confusion }: DiarizationErrors): number {
  return (100 * (missed + falseAlarm + confusion)) / total;
}

/** The time line cut at every border of either side, without what the collars cover. */
function scored(reference: readonly SpeakerTurn[], answer: readonly SpeakerTurn[], collar: number) {
  const borders = reference.flatMap(({ start, end }) => [start, end]);
  const covered = borders.map((border) => ({ start: border - collar, end: border + collar }));
  const cuts = new Set([
    ...borders,
    ...answer.flatMap(({ start, end }) => [start, end]),
    ...covered.flatMap(({ start, end }) => [start, end]),
  ]);
  const times = [...cuts].sort((a, b) => a - b);
  return times.slice(1).flatMap((end, i) => {
    const start = times[i] as number;
    const middle = (start + end) / 2;
    const silent = covered.some((zone) => middle > zone.start && middle < zone.end);
    return silent ? [] : [{ start, end }];
  });
}

function speaking(turns: readonly SpeakerTurn[], start: number, end: number): Set<string> {
  const middle = (start + end) / 2;
  return new Set(turns.filter((turn) => turn.start < middle && turn.end > middle).map(({ speaker }) => speaker));
}
