import { SAMPLE_RATE } from "../types.ts";
import { agglomerate, type Cluster, within } from "./linkage.ts";
import type { Voiceprints } from "./voiceprints.ts";

/** Clusters held at a time, of all chunks so far: their table of similarities is the largest thing, 4 MB. */
export const MOST_CLUSTERS = 1_000;
/** Of one chunk; more voices than this within five minutes are not told apart. */
export const MOST_LOCAL = 8;
/** Windows clustered at once: a chunk has 240 s of speech at most, which is about 250 of them. */
const MOST_WINDOWS = 750;

/**
 * Two clusters are two voices when their windows are less alike than this share of how alike windows of one voice are.
 * Both are measured on the recording itself, so a bad line, which makes all less alike, moves both. On development
 * voices the most unlike parts of one voice came to 0.72; two voices to 0.6 and less, but for pairs of espeak-ng's
 * variants, which come to 0.75 and more.
 */
export const VOICE_RATIO = 0.7;
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
 * The voices of a recording, from the clusters of its stretches: clusters are joined until the two most alike are two
 * voices, and what is too little to be a speaker is left out. At least one for any cluster at all, loudest claim first.
 */
export function findVoices(clusters: readonly Cluster[], ratio = VOICE_RATIO): Cluster[] {
  const total = clusters.reduce((sum, { samples }) => sum + samples, 0);
  const scale = likeness(clusters);
  const found = agglomerate(clusters, (_, similarity, a, b) => {
    const own = Math.min(ownLikeness(a, scale), ownLikeness(b, scale));
    return similarity < ratio * own;
  });
  const least = Math.max(Math.min(LEAST_SAMPLES, LEAST_SHARE_WHEN_SHORT * total), LEAST_SHARE * total);
  const enough = found.filter(({ samples }) => samples >= least);
  if (enough.length > 0) return enough;
  const most = found.reduce<Cluster | undefined>((a, b) => (a && a.samples >= b.samples ? a : b), undefined);
  return most ? [most] : [];
}

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
