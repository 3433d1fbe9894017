// Which trials belong together by the values of labels, as in `milcci traces`.
import type { Report } from "./report";
import { rowsByGroup } from "./statistics";

/** A category or a label column by which trials can be grouped. */
export interface Grouping {
  name: string;
  values: readonly string[];
  /** Values have an order that means something, such as numbers. */
  isOrdered: boolean;
  /** Position among the values; -1 if the trial has none. */
  ofTrial: ArrayLike<number>;
}

export interface TrialGroups {
  /** Per group one value per grouping, and its trials in their own order. */
  groups: { values: string[]; trials: number[] }[];
  /** Trials that have no value of some grouping. */
  leftOut: number[];
}

const kept = new WeakMap<Report, Grouping[]>();

/** Categories first; then label columns that are not called as one of them. One value tells nothing. */
export function groupings(report: Report): Grouping[] {
  let all = kept.get(report);
  if (!all) {
    const categories = report.categories.map((category, k) => ({
      name: category.name,
      values: category.options,
      isOrdered: category.is_ordered,
      ofTrial: report.optionOfTrial(k),
    }));
    const isCategory = new Set(categories.map(({ name }) => name));
    const labels = report.data.trials.labels
      .filter(({ name }) => !isCategory.has(name))
      .map(({ name, is_numeric, order, values }) => {
        const position = new Map(order.map((value, i) => [value, i]));
        const ofTrial = values.map((value) => (value === null ? -1 : (position.get(value) ?? -1)));
        return { name, values: order, isOrdered: is_numeric, ofTrial };
      });
    all = [...categories, ...labels].filter(({ values }) => values.length > 1);
    kept.set(report, all);
  }
  return all;
}

/** The grouping of that name, or of the component's category; null for all trials together. */
export function groupingOf(report: Report, component: number, by: string | null): Grouping | null {
  const wanted = by ?? report.categoryOf(component).name;
  return groupings(report).find(({ name }) => name === wanted) ?? null;
}

/** All combinations that trials have, in the order of the values; without groupings one group of all. */
export function groupTrials(nTrials: number, by: readonly Grouping[]): TrialGroups {
  const leftOut: number[] = [];
  const positions: number[][] = [];
  const key = new Float64Array(nTrials);
  for (let m = 0; m < nTrials; ++m) {
    const values = by.map(({ ofTrial }) => ofTrial[m] ?? -1);
    if (values.some((value) => value < 0)) leftOut.push(m);
    key[m] = values.some((value) => value < 0)
      ? -1
      : values.reduce((sum, value, g) => sum * by[g]!.values.length + value, 0);
    positions.push(values);
  }
  const found = [...new Set(key)].filter((x) => x >= 0).sort((a, b) => a - b);
  const place = new Map(found.map((x, g) => [x, g]));
  const groupOfTrial = key.map((x) => place.get(x) ?? -1);
  const groups = rowsByGroup(groupOfTrial, found.length).map((trials) => ({
    values: by.map(({ values }, g) => values[positions[trials[0]!]![g]!]!),
    trials,
  }));
  return { groups, leftOut };
}
