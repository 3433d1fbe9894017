// Scores of methods as dots with intervals: prediction, error per trial, and distances between components.
import {
  fullName,
  isOurs,
  lessThanAsked,
  methodCells,
  methodColumns,
  ofTheFirst,
  spreadsOf,
} from "../data/comparison";
import type { ComparisonData, MethodData } from "../data/format";
import { sortedKnown, sortedPercentile } from "../data/statistics";
import { intervals, type Interval } from "../draw/intervals";
import { categoryColours } from "../draw/theme";
import { figure } from "../ui/figure";
import { percent, short } from "../ui/words";
import { rankText, scoreText } from "./comparison_words";
import type { PanelHost } from "./panel";

/** Of an R2 that falls farther below the best only an arrow is drawn: one wild method would squeeze all others. */
const roomBelow = 1.25;

/** Methods as they stand in the table. */
interface Compared {
  comparison: ComparisonData;
  methods: readonly MethodData[];
}

const quantiles = [0.05, 0.25, 0.5, 0.75, 0.95] as const;
const howToRead = "Dot: median; thick line: 25 to 75 %; thin line: 5 to 95 %.";

/** Ours are bold and in the colour of the page; others are quiet. */
function rowOf(method: MethodData, comparison: ComparisonData) {
  return {
    name: method.name,
    detail: lessThanAsked(method, comparison).join(", "),
    isSelected: isOurs(method),
    colour: isOurs(method) ? "var(--accent)" : "var(--quiet)",
  };
}

function intervalOf([low, innerLow, middle, innerHigh, high]: readonly number[]): Interval {
  return {
    low: low!,
    innerLow: innerLow!,
    middle: middle!,
    innerHigh: innerHigh!,
    high: high!,
  };
}

export function cosmoothingFigure(
  host: PanelHost,
  { comparison, methods }: Compared,
): HTMLElement | null {
  const shown = spreadsOf(methods, "cosmoothing_r2");
  if (shown.length === 0) return null;
  const best = Math.max(...shown.map(({ spread }) => spread.mean));
  const note =
    comparison.repeats > 1
      ? "Dot: mean over the repeats; line: least to largest. 1 is perfect, 0 no better than the mean."
      : "1 is perfect, 0 no better than the mean of each channel.";
  return figure(host, {
    name: "co-smoothing of methods",
    title: "Prediction of held-out channels",
    note,
    draw: (frame) =>
      intervals(
        {
          label: "Co-smoothing R2 of each method",
          series: [{ name: "co-smoothing R2", colour: "var(--quiet)", shape: "circle" }],
          rows: shown.map(({ method, spread: { mean, min, max } }) => ({
            ...rowOf(method, comparison),
            intervals: [{ middle: mean, low: min ?? mean, high: max ?? mean }],
          })),
          axis: "co-smoothing R2",
          lowest: best - roomBelow,
          describe: (i) => {
            const { method, spread } = shown[i]!;
            const ends = [spread.min ?? spread.mean, spread.max ?? spread.mean].map(scoreText);
            return [
              fullName(method, comparison),
              `co-smoothing R2: ${scoreText(spread.mean)}`,
              spread.n > 1 ? `from ${ends.join(" to ")}` : "",
              rankText(spread),
            ]
              .filter((line) => line !== "")
              .join("\n");
          },
        },
        frame,
      ),
    table: () => ({
      header: [
        ...methodColumns,
        "repeats",
        "mean",
        "sd",
        "min",
        "max",
        "rank_mean",
        "rank_min",
        "rank_max",
      ],
      rows: shown.map(({ method, spread }) => [
        ...methodCells(method),
        spread.n,
        spread.mean,
        spread.sd,
        spread.min,
        spread.max,
        spread.rank_mean,
        spread.rank_min,
        spread.rank_max,
      ]),
    }),
  });
}

export function trialErrorsFigure(
  host: PanelHost,
  { comparison, methods }: Compared,
): HTMLElement | null {
  const { report, state } = host;
  const { trial } = state.selection;
  const shown = methods
    .filter(({ trial_errors }) => trial_errors.length > 0)
    .map((method) => {
      const errors = method.trial_errors.map((error) => error ?? NaN);
      const sorted = sortedKnown(errors);
      return { method, errors, ends: quantiles.map((share) => sortedPercentile(sorted, share)) };
    })
    .filter(({ ends }) => !Number.isNaN(ends[0]));
  if (shown.length === 0) return null;
  const trialName = trial === null ? "" : report.trialNames[trial]!;
  const chosen = trial === null ? "" : ` Upright line: trial ${trialName}, which is selected.`;
  return figure(host, {
    name: "errors of methods by trial",
    title: "Relative error of the trials",
    note: `${ofTheFirst(comparison)}Squared error over squared data of each trial, in the fit to all of them. ${howToRead}${chosen}`,
    draw: (frame) =>
      intervals(
        {
          label: "Relative error of the trials by method",
          series: [{ name: "relative error", colour: "var(--quiet)", shape: "circle" }],
          rows: shown.map(({ method, errors, ends }) => ({
            ...rowOf(method, comparison),
            intervals: [
              { ...intervalOf(ends), ...(trial === null ? {} : { mark: errors[trial]! }) },
            ],
          })),
          axis: "relative error",
          hasZero: true,
          describe: (i) => {
            const { method, errors, ends } = shown[i]!;
            return (
              `${fullName(method, comparison)}\nmedian: ${percent(ends[2]!)}\n` +
              `9 of 10 trials: ${percent(ends[0]!)} to ${percent(ends[4]!)}` +
              (trial === null ? "" : `\ntrial ${trialName}: ${percent(errors[trial]!)}`)
            );
          },
        },
        frame,
      ),
    table: () => ({
      header: [...methodColumns, "trial", "relative_error"],
      rows: shown.flatMap(({ method, errors }) =>
        errors.map((error, m) => [...methodCells(method), report.trialNames[m]!, error]),
      ),
    }),
  });
}

const kinds = [
  { key: "same_component", name: "same component", shape: "circle" },
  { key: "different_within", name: "different, same labels", shape: "diamond" },
  { key: "different_across", name: "different, other labels", shape: "square" },
] as const;

export function distancesFigure(
  host: PanelHost,
  { comparison, methods }: Compared,
): HTMLElement | null {
  const shown = methods.filter(({ distances }) =>
    kinds.some(({ key }) => distances[key].quantiles.length > 0),
  );
  if (shown.length === 0) return null;
  return figure(host, {
    name: "distances of components by method",
    title: "Distances between components",
    note:
      ofTheFirst(comparison) +
      "Between memberships of length one: of the same component under two options, and of different components in " +
      "trials with the same or with other labels. A component that stays itself is nearer to itself than to others. " +
      `Fixed components have distances to each other only. ${howToRead}`,
    draw: (frame) =>
      intervals(
        {
          label: "Distances between components by method",
          series: kinds.map(({ name, shape }, s) => ({
            name,
            shape,
            colour: categoryColours[s]!,
          })),
          rows: shown.map((method) => ({
            name: method.name,
            detail: lessThanAsked(method, comparison).join(", "),
            isSelected: isOurs(method),
            intervals: kinds.map(({ key }) => {
              const ends = method.distances[key].quantiles;
              return ends.length > 0 ? intervalOf(ends) : null;
            }),
          })),
          axis: "distance",
          hasZero: true,
          describe: (i) =>
            [
              fullName(shown[i]!, comparison),
              ...kinds.map(({ key, name }) => {
                const { n_pairs, quantiles: ends } = shown[i]!.distances[key];
                return n_pairs > 0
                  ? `${name}: median ${short(ends[2]!)} (${n_pairs} pairs)`
                  : `${name}: none`;
              }),
            ].join("\n"),
        },
        frame,
      ),
    table: () => ({
      header: [...methodColumns, "pairs", "n_pairs", "mean", "q05", "q25", "q50", "q75", "q95"],
      rows: shown.flatMap((method) =>
        kinds.map(({ key }) => {
          const { n_pairs, mean, quantiles: ends } = method.distances[key];
          return [
            ...methodCells(method),
            key,
            n_pairs,
            mean,
            ...quantiles.map((_, q) => ends[q] ?? null),
          ];
        }),
      ),
    }),
  });
}
