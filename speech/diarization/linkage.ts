/**
 * Vectors of one voice, or of what may become one, by what adds up: the sum of unit vectors and their number. The mean
 * cosine between the members of two clusters is the product of their sums over the product of their numbers, so
 * average linkage (UPGMA) over any number of vectors needs nothing else.
 */
export interface Cluster {
  sum: Float64Array;
  count: number;
  /** Samples of the recording that its windows cover. */
  samples: number;
}

/** Mean cosine between the members of one and the members of the other. */
export function between(a: Cluster, b: Cluster): number {
  return dot(a.sum, b.sum) / (a.count * b.count);
}

/** Mean cosine between different members; undefined for one member. */
export function within({ sum, count }: Cluster): number | undefined {
  return count < 2 ? undefined : (dot(sum, sum) - count) / (count * (count - 1));
}

export function join(a: Cluster, b: Cluster): Cluster {
  return {
    sum: a.sum.map((value, i) => value + (b.sum[i] as number)),
    count: a.count + b.count,
    samples: a.samples + b.samples,
  };
}

/**
 * Agglomerative clustering by average linkage: joins the two clusters whose members are most alike on average, until
 * `enough` says so of the best pair or one cluster is left. Of equally good pairs the earliest is joined, and a joined
 * cluster takes the place of its earlier part, so the answer follows the order given and nothing else. Memory is n²
 * numbers of 32 bits, time about n² for n clusters.
 */
export function agglomerate(
  clusters: readonly Cluster[],
  enough: (left: number, similarity: number, a: Cluster, b: Cluster) => boolean,
): Cluster[] {
  const n = clusters.length;
  const items: (Cluster | undefined)[] = [...clusters];
  const table = new Float32Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) table[i * n + j] = between(clusters[i] as Cluster, clusters[j] as Cluster);
  }
  // The best partner after each row, kept up to date: finding the best pair is then a look along the rows.
  const best = new Int32Array(n).fill(-1);
  const search = (i: number) => {
    best[i] = -1;
    for (let j = i + 1; j < n; j++) {
      if (items[j] && (best[i] === -1 || at(i, j) > at(i, best[i] as number))) best[i] = j;
    }
  };
  const at = (i: number, j: number) => table[i * n + j] as number;
  const pair = (i: number, j: number) => at(Math.min(i, j), Math.max(i, j));
  for (let i = 0; i < n; i++) search(i);
  for (let left = n; left > 1; left--) {
    let one = -1;
    for (let i = 0; i < n; i++) {
      if (!items[i] || best[i] === -1) continue;
      if (one === -1 || at(i, best[i] as number) > at(one, best[one] as number)) one = i;
    }
    const other = best[one] as number;
    const [a, b] = [items[one] as Cluster, items[other] as Cluster];
    if (enough(left, at(one, other), a, b)) break;
    const joined = join(a, b);
    items[one] = joined;
    items[other] = undefined;
    for (let i = 0; i < n; i++) {
      if (!items[i] || i === one) continue;
      // The mean over a joined cluster is the mean of its parts' means, by their numbers (Lance and Williams, 1967).
      const mean = (a.count * pair(i, one) + b.count * pair(i, other)) / joined.count;
      table[Math.min(i, one) * n + Math.max(i, one)] = mean;
    }
    for (let i = 0; i < n; i++) {
      if (!items[i]) continue;
      if (i === one || best[i] === one || best[i] === other) search(i);
      else if (i < one && at(i, one) > at(i, best[i] as number)) best[i] = one;
    }
  }
  return items.filter((item) => item !== undefined);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
