import { SAMPLE_RATE } from "../types.ts";
import { agglomerate, between, type Cluster, join, within } from "./linkage.ts";
import { type Group, group, halves, separation } from "./separation.ts";
import type { Voiceprints } from "./voiceprints.ts";
import type { Row } from "./window-sample.ts";

/** Clusters held at a time, of all chunks so far: their table of similarities is the largest thing, 4 MB. */
export const MOST_CLUSTERS = 1_000;
/** Of one chunk; more voices than this within five minutes are not told apart. */
export const MOST_LOCAL = 8;
/** Windows clustered at once: a chunk has 240 s of speech at most, which is about 250 of them. */
const MOST_WINDOWS = 750;

/**
 * Clusters are two voices to begin with when their windows are less alike than CUT of how alike windows of one voice
 * are; both are measured on the recording itself, so a bad line, which makes all less alike, moves both. One voice's
 * most unlike parts come to 0.7. Under CLEAR there is no doubt; else two voices have to be two heaps (`separation`).
 */
const CUT = 0.7;
const CLEAR = 0.6;
/**
 * Where one heap ends and two begin. On development voices, one voice cut in the best way came to 4.5 at most in 55
 * recordings of it (once to 5.1, in 39 windows of one of three), two voices to 5.9 and more in 62 of 65 calls. The
 * other three are pairs of espeak-ng's variants: 4.0, 4.7 and 5.0. People, of whom there were three, came to 3.6 and
 * 7.5.
 */
const TWO_HEAPS = 5.3;
/** What somebody must have said to be somebody: this long, or this share of a short recording, … */
const LEAST_SAMPLES = 8 * SAMPLE_RATE;
const LEAST_SHARE_WHEN_SHORT = 0.2;
/** … and this share of the speech. */
const LEAST_SHARE = 0.05;

/** Clusters of one stretch of the recording, at most `most` of them, in the order of their first windows. */
export function localClusters({ windows, vectors, width }: Voiceprints, most = MOST_LOCAL): Cluster[] {
  const clusters: Cluster[] = [];
  for (let from = 0; from < windows.length; from += MOST_WINDOWS) {
    const singles = windows.slice(from, from + MOST_WINDOWS).map(({ start, end }, i) => {
      const at = (from + i) * width;
      return { sum: Float64Array.from(vectors.subarray(at, at + width)), count: 1, samples: end - start };
    });
    clusters.push(...agglomerate(singles, (left) => left <= most));
  }
  return clusters.length > most ? agglomerate(clusters, (left) => left <= most) : clusters;
}

/**
 * The voices of a recording, from the clusters of its stretches and windows from all over it. Clusters are joined
 * until the two most alike are under CUT, and what is too little to be a speaker is left out. Two of these that are
 * one heap of windows are joined; one that is two heaps is divided. At least one voice for any cluster.
 */
export function findVoices(clusters: readonly Cluster[], rows: readonly Row[]): Cluster[] {
  const total = clusters.reduce((sum, { samples }) => sum + samples, 0);
  const least = Math.max(Math.min(LEAST_SAMPLES, LEAST_SHARE_WHEN_SHORT * total), LEAST_SHARE * total);
  const scale = likeness(clusters);
  const joined = agglomerate(clusters, (_, similarity, a, b) => similarity < CUT * commonLikeness(a, b, scale));
  const enough = joined.filter(({ samples }) => samples >= least);
  const most = joined.toSorted((a, b) => b.samples - a.samples)[0];
  const clear = (a: Cluster, b: Cluster) => between(a, b) < CLEAR * commonLikeness(a, b, scale);
  const voices = distinct(enough.length > 0 ? enough : most ? [most] : [], rows, clear);
  const divided = groupsOf(rows, voices).flatMap((one, i) => {
    const parts = divide(one, (least / total) * samplesOf(rows));
    return parts.length > 1 ? parts : [voices[i] as Cluster];
  });
  return divided.length > voices.length ? distinct(divided, rows) : voices;
}

/** Joins the two voices that are least apart until every two are two, or `clear` says so without a look at windows. */
function distinct(
  voices: readonly Cluster[],
  rows: readonly Row[],
  clear: (a: Cluster, b: Cluster) => boolean = () => false,
): Cluster[] {
  if (voices.length < 2) return [...voices];
  const groups = groupsOf(rows, voices);
  let worst = { i: 0, j: 0, apart: TWO_HEAPS };
  for (const [i, a] of voices.entries()) {
    for (const [j, b] of voices.entries()) {
      if (j <= i || clear(a, b)) continue;
      const apart = separation(groups[i] as Group, groups[j] as Group);
      if (apart < worst.apart) worst = { i, j, apart };
    }
  }
  if (worst.j === 0) return [...voices];
  const both = join(voices[worst.i] as Cluster, voices[worst.j] as Cluster);
  const others = voices.filter((_, k) => k !== worst.i && k !== worst.j);
  return distinct([...others, both], rows, clear);
}

/** The heaps that a voice's windows are, each with speech of `least` samples. */
function divide(voice: Group, least: number): Group[] {
  let best: { parts: [Group, Group]; apart: number } | undefined;
  for (const parts of halves(voice.rows)) {
    if (parts.some(({ samples }) => samples < least)) continue;
    const apart = separation(...parts);
    if (apart >= (best?.apart ?? TWO_HEAPS)) best = { parts, apart };
  }
  return best ? best.parts.flatMap((part) => divide(part, least)) : [voice];
}

const groupsOf = (rows: readonly Row[], voices: readonly Cluster[]) =>
  group(
    rows,
    voices.map(({ sum }) => sum),
  );

const samplesOf = (rows: readonly Row[]) => rows.reduce((sum, { start, end }) => sum + end - start, 0);

const commonLikeness = (a: Cluster, b: Cluster, scale: number) =>
  Math.min(ownLikeness(a, scale), ownLikeness(b, scale));

/** How alike the windows of a cluster are. Of a handful of windows the recording's own figure says more. */
function ownLikeness(cluster: Cluster, scale: number): number {
  const own = within(cluster) ?? scale;
  const weight = cluster.count / (cluster.count + FAITH);
  return weight * own + (1 - weight) * scale;
}

/** Windows at which a cluster's own figure counts as much as the recording's. */
const FAITH = 10;
/** Mean cosine of two windows of one voice on development voices, from 0.55 (GSM) to 0.65. */
const USUAL_LIKENESS = 0.6;

/**
 * How alike windows of one local cluster are over the recording: a mean weighted by windows, which begins as that of
 * FAITH windows of the usual likeness, because a recording of a few seconds has no cluster to look at.
 */
function likeness(clusters: readonly Cluster[]): number {
  let [sum, weight] = [USUAL_LIKENESS * FAITH, FAITH];
  for (const cluster of clusters) {
    const own = within(cluster);
    if (own === undefined) continue;
    sum += own * cluster.count;
    weight += cluster.count;
  }
  return sum / weight;
}
