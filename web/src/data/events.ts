// Moments that are marked in traces.
import type { Report } from "./report";
import { percentile } from "./statistics";
import { numbers } from "./unpack";

export interface Moment {
  name: string;
  /** Per trial; NaN where it is not known. */
  times: Float64Array;
  /** The same in all trials. */
  isFixed: boolean;
  median: number;
}

export function moments(report: Report): Moment[] {
  return (report.data.traces?.events ?? []).map(({ name, times }) => {
    const given = numbers(times);
    const all = given.length === 1 ? new Float64Array(report.nTrials).fill(given[0]!) : given;
    const isFixed = all.every((time) => time === all[0]);
    return { name, times: all, isFixed, median: percentile(all, 0.5) };
  });
}

/** What the times of traces are. */
export function timeTitle(report: Report): string {
  const traces = report.data.traces;
  if (!traces?.has_times) return "time point";
  return traces.is_from_start ? "time since the start of the trial" : "time";
}
