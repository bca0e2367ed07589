/** Steps of the power method. Directions of nearly the same spread mix, which is as good for cutting along them. */
const STEPS = 40;

/**
 * The directions in which vectors of one length differ most, each across those before it (principal components, by the
 * power method). Deterministic: it begins with the vector farthest from the mean. Fewer when there is no difference
 * left.
 */
export function principalDirections(vectors: readonly Float32Array[], count: number): Float64Array[] {
  const width = vectors[0]?.length ?? 0;
  const mean = new Float64Array(width);
  for (const vector of vectors) add(mean, vector, 1 / vectors.length);
  const centred = vectors.map((vector) => mean.map((value, i) => (vector[i] as number) - value));
  const found: Float64Array[] = [];
  while (found.length < count) {
    let direction = new Float64Array(width);
    let most = 1e-6;
    for (const row of centred) {
      const length = Math.hypot(...row);
      if (length > most) [direction, most] = [row.map((value) => value / length), length];
    }
    if (most === 1e-6) break;
    for (let step = 0; step < STEPS; step++) {
      const next = new Float64Array(width);
      for (const row of centred) add(next, row, dot(row, direction));
      const length = Math.hypot(...next) || 1;
      direction = next.map((value) => value / length);
    }
    found.push(direction);
    for (const row of centred) add(row, direction, -dot(row, direction));
  }
  return found;
}

function add(sum: Float64Array, vector: ArrayLike<number>, times: number): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + times * (vector[i] as number);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
