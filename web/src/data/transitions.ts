// What components hand on to each other from one time point to the next.
import type { Report } from "./report";
import { meanOfRows } from "./statistics";
import { unpack } from "./unpack";

/** Square, row after row: row = target, column = origin. */
export interface Transitions {
  /** Positions of the components, without dead ones. */
  components: readonly number[];
  values: Float64Array;
}

/** Mean over some trials; NaN where no trial is known. */
export function meanTransitions(report: Report, trials: readonly number[]): Transitions {
  const components = Array.from(report.components.keys()).filter(
    (j) => !report.component(j).is_dead,
  );
  const { shape, values } = unpack(report.data.transitions!);
  const P = shape[1]!;
  const means = meanOfRows((m) => values.subarray(m * P * P, (m + 1) * P * P), trials, P * P);
  const kept = components.flatMap((target) =>
    components.map((origin) => means[target * P + origin]!),
  );
  return { components, values: Float64Array.from(kept) };
}

/** Largest size off the diagonal: what goes from one component to another. */
export function largestExchange({ components, values }: Transitions): number {
  const P = components.length;
  let largest = 0;
  values.forEach((x, i) => {
    if (i % (P + 1) !== 0 && Math.abs(x) > largest) largest = Math.abs(x);
  });
  return largest;
}
