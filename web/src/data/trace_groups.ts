// Statistics of traces over trials, by the definitions of `milcci traces`, and over time within a trial.
import { mean, sortedKnown, sortedPercentile, type Values } from "./statistics";

export interface TraceStatistics {
  mean: Float64Array;
  /** Ends of the interval that holds a share of the trials. */
  low: Float64Array;
  high: Float64Array;
  /** Trials with a sample. */
  n: Float64Array;
}

/** Per time point, over the traces that have a sample there; NaN where none has. */
export function summariseTraces(
  traces: readonly Values[],
  nPoints: number,
  interval = 0.8,
): TraceStatistics {
  const empty = () => new Float64Array(nPoints).fill(NaN);
  const statistics = { mean: empty(), low: empty(), high: empty(), n: new Float64Array(nPoints) };
  for (let t = 0; t < nPoints; ++t) {
    const here = sortedKnown(traces.map((trace) => trace[t]!));
    statistics.n[t] = here.length;
    statistics.mean[t] = mean(here);
    statistics.low[t] = sortedPercentile(here, 0.5 - interval / 2);
    statistics.high[t] = sortedPercentile(here, 0.5 + interval / 2);
  }
  return statistics;
}

/** A mean of fewer trials is that of single ones, and an interval of them is no interval. */
const fewestTrials = 3;
const leastShare = 0.25;
const leastShareOfFew = 0.5;

/** Where too few of a group's trials have a sample, such as where all but the longest are over, mean and interval
 *  are not known. */
export function withoutFew(
  statistics: TraceStatistics,
  nTrials: number,
): { shown: TraceStatistics; isCut: boolean } {
  const { n } = statistics;
  const most = n.reduce((a, b) => Math.max(a, b), 0);
  const fewest = Math.min(fewestTrials, leastShareOfFew * nTrials);
  const enough = Math.min(most, Math.max(fewest, leastShare * nTrials));
  const isFew = (t: number) => n[t]! < enough;
  const cut = (values: Float64Array) => values.map((x, t) => (isFew(t) ? NaN : x));
  const { mean, low, high } = statistics;
  return {
    shown: { mean: cut(mean), low: cut(low), high: cut(high), n },
    isCut: n.some((count, t) => count > 0 && isFew(t)),
  };
}

/** Mean of each value and its neighbours, `width` together; fewer at the ends. NaN is left out. */
export function runningMean(values: Values, width: number): Float64Array {
  const half = Math.floor(width / 2);
  const sums = new Float64Array(values.length + 1);
  const counts = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; ++i) {
    const value = values[i]!;
    const isKnown = !Number.isNaN(value);
    sums[i + 1] = sums[i]! + (isKnown ? value : 0);
    counts[i + 1] = counts[i]! + (isKnown ? 1 : 0);
  }
  return Float64Array.from(values, (_, i) => {
    const first = Math.max(0, i - half);
    const end = Math.min(values.length, i + half + 1);
    return (sums[end]! - sums[first]!) / (counts[end]! - counts[first]!);
  });
}

/** An odd number of trials that evens out single ones, but not a slow drift. */
export function runningWidth(nTrials: number): number {
  return 2 * Math.floor(Math.max(5, nTrials / 15) / 2) + 1;
}
