/** Points that a series is taken down to; with 200 files each is the least memory after twenty of them. */
const POINTS = 10;
/** Share of the points left out at the start: buffers and heaps are still growing to their size. */
const START = 0.25;
/** Of the normal distribution, for an interval of 95 %. */
const Z = 1.96;
/** Files of which a slope can be told at all: three points are left. */
export const FEWEST_FILES = 4;

/** MB per 100 files, and the 95 % interval. */
export interface Slope {
  slope: number;
  low: number;
  high: number;
}

/**
 * Growth of memory from what was held after each file. What matters is what stays, and garbage that nobody collected
 * yet is not that (V8 collects all of it every twenty files or so, 40 MB): so the lowest of each run of files counts,
 * and the slope is the median of those between any two of these points, which a single step does not move; the interval
 * is that of the ranks among them (Theil, 1950; Sen, Journal of the American Statistical Association 63, 1968).
 */
export function memorySlope(mb: readonly number[]): Slope {
  if (mb.length < FEWEST_FILES) throw new Error(`a slope wants at least ${FEWEST_FILES} files`);
  const width = Math.max(1, Math.floor(mb.length / POINTS));
  const floors: number[] = [];
  for (let at = 0; at + width <= mb.length; at += width) floors.push(Math.min(...mb.slice(at, at + width)));
  const settled = floors.slice(Math.floor(floors.length * START));
  const slopes = settled
    .flatMap((first, i) =>
      settled.slice(i + 1).map((second, distance) => (100 * (second - first)) / (width * (distance + 1))),
    )
    .sort((a, b) => a - b);
  const points = settled.length;
  const spread = Z * Math.sqrt((points * (points - 1) * (2 * points + 5)) / 18);
  const ranked = (rank: number) => slopes[Math.min(slopes.length - 1, Math.max(0, rank))] as number;
  return {
    slope: (ranked((slopes.length - 1) >> 1) + ranked(slopes.length >> 1)) / 2,
    low: ranked(Math.floor((slopes.length - spread) / 2) - 1),
    high: ranked(Math.ceil((slopes.length + spread) / 2)),
  };
}
