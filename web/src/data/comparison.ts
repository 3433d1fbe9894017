// The comparison of methods: which are ours, which took part in the ranks, and in what order they stand.
import type { ComparisonData, MethodData, ScoreKey, ScoreSpread } from "./format";

export function isOurs({ name }: MethodData): boolean {
  return name === "milcci" || name === "milcci_nonnegative";
}

/** Whether it failed whenever it was tried. */
export function hasNoScore({ spread }: MethodData): boolean {
  return Object.keys(spread).length === 0;
}

/** Repeats that were done whole: of one that was stopped, nothing counts. */
export function nRepeats({ methods }: ComparisonData): number {
  return Math.max(0, ...methods.map(timesDone));
}

/** Repeats in which it did not fail. */
export function timesDone({ spread }: MethodData): number {
  return Math.max(0, ...Object.values(spread).map(({ n }) => n));
}

/** Said of what is told of the first repeat only; empty where there is no other. */
export function ofTheFirst({ repeats }: ComparisonData): string {
  return repeats > 1 ? `Of the first of ${repeats} repeats. ` : "";
}

/** With how many components and how much noise, if not as asked for. */
export function lessThanAsked(method: MethodData, { n_components }: ComparisonData): string[] {
  const told: string[] = [];
  if (method.n_components !== n_components) {
    told.push(`${method.n_components} of ${n_components} components`);
  }
  if (method.added_noise > 0) told.push(`noise ${method.added_noise} added`);
  return told;
}

/** Unique among the methods. */
export function fullName(method: MethodData, comparison: ComparisonData): string {
  return [method.name, ...lessThanAsked(method, comparison)].join(", ");
}

/** Columns that say which method it is, in tables that are downloaded. */
export const methodColumns = ["method", "n_components", "added_noise"];
export function methodCells({ name, n_components, added_noise }: MethodData) {
  return [name, n_components, added_noise];
}

/** By what methods are sorted. */
export type SortKey = ScoreKey | "name";

export interface Sorting {
  key: SortKey;
  /** Whether the worst, or the last letter, comes first. */
  isTurned: boolean;
}

const betterIfHigh: ReadonlySet<SortKey> = new Set([
  "r2",
  "cosmoothing_r2",
  "component_correlation",
  "trace_correlation",
  "sparsity",
]);

/** In which order the values stand. */
export function orderOf({ key, isTurned }: Sorting): "ascending" | "descending" {
  return betterIfHigh.has(key) === isTurned ? "ascending" : "descending";
}

export function meanOf({ spread }: MethodData, key: ScoreKey): number | null {
  return spread[key]?.mean ?? null;
}

/** The best first; those without the score come after the others, and those that failed last, whichever way
 *  the others stand. */
export function sortMethods(
  methods: readonly MethodData[],
  { key, isTurned }: Sorting,
): MethodData[] {
  const turn = isTurned ? -1 : 1;
  if (key === "name") {
    return [...methods].sort((a, b) => turn * a.name.localeCompare(b.name, "en"));
  }
  const sign = betterIfHigh.has(key) ? -turn : turn;
  return [...methods].sort((a, b) => {
    const [x, y] = [meanOf(a, key), meanOf(b, key)];
    if (x !== null && y !== null) return sign * (x - y);
    return lack(a, x) - lack(b, y);
  });
}

/** 0 with the score, 1 without it, 2 without any. */
function lack(method: MethodData, score: number | null): number {
  return hasNoScore(method) ? 2 : Number(score === null);
}

/** By co-smoothing, or, if there is none, by what is left of the trials that were fitted. */
export function usualSorting({ methods }: ComparisonData): Sorting {
  const hasCosmoothing = methods.some(({ spread }) => spread.cosmoothing_r2);
  return { key: hasCosmoothing ? "cosmoothing_r2" : "r2", isTurned: false };
}

export interface Scored {
  method: MethodData;
  spread: ScoreSpread & { mean: number };
}

/** Whether every repeat ranks one before the other. */
export function isAlwaysBefore(
  { spread: first }: Scored,
  { spread: second }: Scored,
  repeats: number,
): boolean {
  if (first.rank_max === null || second.rank_min === null) return false;
  return first.n === repeats && second.n === repeats && first.rank_max < second.rank_min;
}

/** Methods that have a score, with its spread. */
export function spreadsOf(methods: readonly MethodData[], key: ScoreKey): Scored[] {
  return methods.flatMap((method) => {
    const spread = method.spread[key];
    return spread && spread.mean !== null
      ? [{ method, spread: { ...spread, mean: spread.mean } }]
      : [];
  });
}
