// Data, fit and errors of one trial, as the panels ask for them.
import type { Report } from "./report";
import { numbers, unpack } from "./unpack";

/** Channel x time point, channel after channel; NaN where nothing was recorded. */
export interface TrialData {
  times: Float64Array;
  values: Float64Array;
  fit: Float64Array;
}

/** Of a trial whose data are on the page; else null. */
export function trialData(report: Report, trial: number): TrialData | null {
  const { data, traces } = report.data;
  const i = data?.trials.indexOf(trial) ?? -1;
  if (!data || i < 0) return null;
  const nTimes = data.n_times[i]!;
  const given = data.times?.[i];
  const times = given ? numbers(given) : Float64Array.from({ length: nTimes }, (_, t) => t);
  const start = traces?.is_from_start ? (times[0] ?? 0) : 0;
  return {
    times: times.map((time) => time - start),
    values: unpack(data.values[i]!).values,
    fit: unpack(data.fit[i]!).values,
  };
}

/** What the model leaves of the data. */
export function residualOf({ values, fit }: TrialData): Float64Array {
  return values.map((value, i) => value - fit[i]!);
}

/** Some channels of an array channel x time point, in the given order. */
export function rowsOf(
  values: Float64Array,
  channels: readonly number[],
  nTimes: number,
): Float64Array {
  const rows = new Float64Array(channels.length * nTimes);
  channels.forEach((n, row) => {
    rows.set(values.subarray(n * nTimes, (n + 1) * nTimes), row * nTimes);
  });
  return rows;
}

/** Trials from the best to the worst described; those whose error is not known last. */
export function trialsByError(report: Report): number[] {
  const error = (m: number) => -(report.data.evaluation?.trials[m]?.r2 ?? -Infinity);
  return Array.from({ length: report.nTrials }, (_, m) => m).sort(
    (a, b) => error(a) - error(b) || 0,
  );
}
