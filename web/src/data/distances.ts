// Distances between variants: within components, and between components.
import type { Report } from "./report";
import { unitDistance } from "./statistics";

export interface Distance {
  kind: "within" | "between";
  component: number;
  option: number;
  otherComponent: number;
  otherOption: number;
  distance: number;
}

/** Options of a component that enter, evenly spread; all pairs of many would take too long. */
const mostWithin = 40;
const mostBetween = 8;

export interface Distances {
  pairs: Distance[];
  isThinned: boolean;
}

/** Euclidean between variants of length one; dead components and empty variants are left out. */
export function variantDistances(report: Report): Distances {
  const alive = report.components.map((_, j) => j).filter((j) => !report.component(j).is_dead);
  const variants = new Map(alive.map((j) => [j, report.variants(j)]));
  const pairs: Distance[] = [];
  let isThinned = false;
  const add = (kind: Distance["kind"], j: number, i: number, other: number, o: number) => {
    const distance = unitDistance(variants.get(j)![i]!, variants.get(other)![o]!);
    if (Number.isNaN(distance)) return;
    pairs.push({ kind, component: j, option: i, otherComponent: other, otherOption: o, distance });
  };
  alive.forEach((j, position) => {
    const n = variants.get(j)!.length;
    isThinned ||= n > mostBetween;
    const within = spread(n, mostWithin);
    within.forEach((i, r) => {
      for (const o of within.slice(r + 1)) add("within", j, i, j, o);
    });
    for (const other of alive.slice(position + 1)) {
      for (const i of spread(n, mostBetween)) {
        for (const o of spread(variants.get(other)!.length, mostBetween)) {
          add("between", j, i, other, o);
        }
      }
    }
  });
  return { pairs, isThinned };
}

/** At most `most` of the numbers from 0 to n - 1, the first and the last among them. */
export function spread(n: number, most: number): number[] {
  if (n <= most) return Array.from({ length: n }, (_, i) => i);
  return Array.from({ length: most }, (_, i) => Math.round((i * (n - 1)) / (most - 1)));
}
