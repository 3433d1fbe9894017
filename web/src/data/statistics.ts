// Small statistics of the page. NaN is a number that is not known, and is left out.

export type Values = ArrayLike<number> & Iterable<number>;

/** Linear interpolation between order statistics, as in `milcci traces`; NaN of no numbers. */
export function percentile(values: Values, fraction: number): number {
  return sortedPercentile(sortedKnown(values), fraction);
}

/** The same of numbers that are sorted and all known. */
export function sortedPercentile(sorted: Values, fraction: number): number {
  if (sorted.length === 0) return NaN;
  const position = fraction * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (position - below) * (high - low);
}

export function sortedKnown(values: Values): Float64Array {
  return Float64Array.from(values)
    .filter((x) => !Number.isNaN(x))
    .sort();
}

export function mean(values: Values): number {
  let sum = 0;
  let n = 0;
  for (const x of values) {
    if (Number.isNaN(x)) continue;
    sum += x;
    ++n;
  }
  return n > 0 ? sum / n : NaN;
}

/** Smallest and largest known number; NaN of no numbers. */
export function extent(values: Values): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const x of values) {
    if (x < low) low = x;
    if (x > high) high = x;
  }
  return low <= high ? [low, high] : [NaN, NaN];
}

/** The same; 0 to 1 of no numbers, so that there is something to draw an axis for. */
export function axisRange(values: Values): [number, number] {
  const [low, high] = extent(values);
  return Number.isNaN(low) ? [0, 1] : [low, high];
}

export function largestAbsolute(values: Values): number {
  const [low, high] = extent(values);
  return Number.isNaN(low) ? 0 : Math.max(-low, high);
}

export function norm(values: Values): number {
  let sum = 0;
  for (const x of values) sum += x * x;
  return Math.sqrt(sum);
}

export function dot(a: Values, b: Values): number {
  let sum = 0;
  for (let i = 0; i < a.length; ++i) sum += a[i]! * b[i]!;
  return sum;
}

/** 0 if one of them is zero, as on the command line. */
export function cosine(a: Values, b: Values): number {
  const lengths = norm(a) * norm(b);
  return lengths > 0 ? dot(a, b) / lengths : 0;
}

/** Euclidean distance after both are scaled to length one; NaN if one of them is zero. */
export function unitDistance(a: Values, b: Values): number {
  const lengths = norm(a) * norm(b);
  return lengths > 0 ? Math.sqrt(Math.max(0, 2 - (2 * dot(a, b)) / lengths)) : NaN;
}

/** Which rows belong to each of `n` groups; a row whose group is negative belongs to none. */
export function rowsByGroup(groupOfRow: Values, n: number): number[][] {
  const rows = Array.from({ length: n }, (): number[] => []);
  for (let i = 0; i < groupOfRow.length; ++i) rows[groupOfRow[i]!]?.push(i);
  return rows;
}

/** Mean over the given rows, per column; NaN where no row is known. */
export function meanOfRows(rowOf: (row: number) => Values, rows: readonly number[], n: number) {
  const sum = new Float64Array(n);
  const count = new Float64Array(n);
  for (const row of rows) {
    const values = rowOf(row);
    for (let t = 0; t < n; ++t) {
      const x = values[t]!;
      if (Number.isNaN(x)) continue;
      sum[t]! += x;
      ++count[t]!;
    }
  }
  return sum.map((x, t) => x / count[t]!);
}

export interface Histogram {
  /** Borders of the bins, one more than bins. */
  edges: number[];
  counts: number[];
}

/** Bins of equal width between `low` and `high`; the last one includes `high`. */
export function histogram(values: Values, low: number, high: number, nBins: number): Histogram {
  const width = (high - low) / nBins;
  const counts = new Array<number>(nBins).fill(0);
  for (const x of values) {
    if (!(x >= low && x <= high)) continue;
    ++counts[Math.min(nBins - 1, Math.floor((x - low) / width))]!;
  }
  return { edges: Array.from({ length: nBins + 1 }, (_, i) => low + i * width), counts };
}
