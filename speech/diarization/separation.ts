import { SAMPLE_RATE } from "../types.ts";
import type { Cluster } from "./linkage.ts";
import { principalDirections } from "./principal.ts";
import type { Row } from "./window-sample.ts";

/** The windows that are most like one of several voices. */
export interface Group extends Cluster {
  rows: readonly Row[];
}

/** Rounds of giving windows to voices; they rarely change after the third. */
const ROUNDS = 20;
/** A window this long counts in full when voices are taken from windows, a shorter one by its length. */
const FULL_SAMPLES = SAMPLE_RATE;
/** Between windows closer than this, nobody else begins as a rule. */
const CLOSE = 0.3 * SAMPLE_RATE;
/** What it is worth that neighbours stay together, in standard deviations, and the pairs at which it counts half. */
const TOGETHER = 1.5;
const FEW_PAIRS = 5;
/** Directions along which a cut in two is tried. */
const DIRECTIONS = 3;

/**
 * Gives each window to the voice it is most like and takes the voices anew from them, until nothing changes (k-means).
 */
export function group(rows: readonly Row[], voices: readonly Float64Array[]): Group[] {
  let directions = voices;
  let before: number[] = [];
  for (let round = 0; ; round++) {
    const lengths = directions.map((direction) => Math.hypot(...direction) || 1);
    const choice = rows.map(({ vector }) => {
      const likeness = directions.map((direction, k) => dot(direction, vector) / (lengths[k] as number));
      return likeness.indexOf(Math.max(...likeness));
    });
    if (round === ROUNDS || choice.every((voice, i) => voice === before[i])) {
      return directions.map((_, k) => groupOf(rows.filter((_, i) => choice[i] === k)));
    }
    before = choice;
    directions = directions.map((direction, k) => {
      const own = rows.filter((_, i) => choice[i] === k);
      return own.length > 0 ? sumOf(own, ({ start, end }) => Math.min(1, (end - start) / FULL_SAMPLES)) : direction;
    });
  }
}

/**
 * Cuts in two that may be two voices: along the directions in which windows differ most, at the median, then `group`.
 */
export function halves(rows: readonly Row[]): [Group, Group][] {
  const vectors = rows.map(({ vector }) => vector);
  return principalDirections(vectors, DIRECTIONS).map((direction) => {
    const places = vectors.map((vector) => dot(direction, vector));
    const middle = places.toSorted((a, b) => a - b)[Math.floor(places.length / 2)] as number;
    const sides = [true, false].map((side) => rows.filter((_, i) => (places[i] as number) >= middle === side));
    return group(
      rows,
      sides.map((side) => sumOf(side, () => 1)),
    ) as [Group, Group];
  });
}

/**
 * Whether two groups of windows are two heaps or one that was cut: how far they are apart on the line between their
 * voices, in standard deviations within them (d′), and something more when windows that follow each other closely are
 * in one group. Each window is measured against its own voice without itself. A normal distribution cut in its middle
 * comes to 2.65, in the best of many directions to somewhat more; two heaps come to more, the emptier it is between
 * them. A line that makes all windows less alike changes it little. 0 for groups of less than three.
 */
export function separation(a: Group, b: Group): number {
  if (a.rows.length < 3 || b.rows.length < 3) return 0;
  const own = a.rows.map(({ vector }) => without(vector, a.sum) - along(vector, b.sum));
  const other = b.rows.map(({ vector }) => along(vector, a.sum) - without(vector, b.sum));
  const [left, right] = [moments(own), moments(other)];
  const spread = Math.sqrt((left.squares + right.squares) / (own.length + other.length));
  if (spread === 0) return Number.POSITIVE_INFINITY;
  return (left.mean - right.mean) / spread + TOGETHER * togetherness(a, b);
}

/** How often close neighbours are in one group: 0 is by chance, 1 always; drawn to 0 when there are few of them. */
function togetherness(a: Group, b: Group): number {
  const first = new Set(a.rows);
  const rows = [...a.rows, ...b.rows].toSorted((x, y) => x.start - y.start);
  let [pairs, same] = [0, 0];
  for (const [i, row] of rows.entries()) {
    const next = rows[i + 1];
    if (!next || next.start - row.end >= CLOSE) continue;
    pairs += 1;
    if (first.has(row) === first.has(next)) same += 1;
  }
  if (pairs === 0) return 0;
  const share = a.rows.length / rows.length;
  const chance = share ** 2 + (1 - share) ** 2;
  return ((same / pairs - chance) / (1 - chance)) * (pairs / (pairs + FEW_PAIRS));
}

function groupOf(rows: readonly Row[]): Group {
  const samples = rows.reduce((sum, { start, end }) => sum + end - start, 0);
  return { rows, sum: sumOf(rows, () => 1), count: rows.length, samples };
}

function sumOf(rows: readonly Row[], weigh: (row: Row) => number): Float64Array {
  const sum = new Float64Array(rows[0]?.vector.length ?? 0);
  for (const row of rows) {
    const weight = weigh(row);
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + weight * (row.vector[i] as number);
  }
  return sum;
}

function moments(values: readonly number[]): { mean: number; squares: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, squares: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) };
}

/** Cosine of a window and a voice. */
const along = (vector: Float32Array, sum: Float64Array) => dot(sum, vector) / (Math.hypot(...sum) || 1);

/** Cosine of a window and the voice that it is part of, less itself. */
const without = (vector: Float32Array, sum: Float64Array) =>
  along(
    vector,
    sum.map((value, i) => value - (vector[i] as number)),
  );

function dot(a: Float64Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < b.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
