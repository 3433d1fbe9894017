// The course of a fit, from its iterations.
import type { Iteration } from "./format";

/** A term of the objective over the iterations. */
export interface Term {
  name: string;
  values: Float64Array;
}

/** Terms that play a part, the total last. Zero is not known: it has no place on a logarithmic axis. */
export function objectiveTerms(iterations: readonly Iteration[]): Term[] {
  const names = Object.keys(iterations[0]?.objective ?? {}).filter((name) => name !== "total");
  return [...names, "total"]
    .map((name) => ({
      name,
      values: Float64Array.from(iterations, ({ objective }) => {
        const value = objective[name] ?? NaN;
        return value > 0 ? value : NaN;
      }),
    }))
    .filter(({ values }) => values.some((value) => !Number.isNaN(value)));
}

/** Where a stage after the first begins: position among the iterations, and the stage. */
export function stageStarts(iterations: readonly Iteration[]): { at: number; stage: number }[] {
  const starts: { at: number; stage: number }[] = [];
  iterations.forEach(({ stage }, at) => {
    if (at > 0 && stage !== iterations[at - 1]!.stage) starts.push({ at, stage });
  });
  return starts;
}
