// Mean and interval of the selected component's trace, over the trials of each group.
import { moments, timeTitle } from "../data/events";
import type { Report } from "../data/report";
import { summariseTraces, withoutFew, type TraceStatistics } from "../data/trace_groups";
import { lines } from "../draw/lines";
import type { Line } from "../draw/lines_spec";
import { colour, type Theme } from "../draw/theme";
import { select } from "../ui/controls";
import { figure } from "../ui/figure";
import { counted, short, tellApart } from "../ui/words";
import type { PanelHost } from "./panel";
import { groupStyle, mostGroups, type Group, type Grouped } from "./trace_grouping";

/** Intervals of more groups would hide each other; the reader can still pick one. */
const mostIntervals = 3;
const intervalKey = "interval";

export function meansFigure(host: PanelHost, all: Grouped): HTMLElement {
  const { report, state } = host;
  const { component: j, trial } = state.selection;
  const shown = drawable(report, all);
  const hasInterval = chosenIntervals(host, shown);
  const times = report.traceTimes();
  const statistics = shown.groups.map(({ trials }) =>
    summariseTraces(
      trials.map((m) => report.trace(j, m)),
      times.length,
    ),
  );
  const drawn = shown.groups.map(({ trials }, g) => withoutFew(statistics[g]!, trials.length));
  const name = report.component(j).name;
  const element = figure(host, {
    name: `${name} traces by label`,
    title: titleOf(shown),
    note: noteOf(report, all, shown, {
      isCut: drawn.some(({ isCut }) => isCut),
      hasIntervals: shown.groups.some(hasInterval),
    }),
    draw: (frame) =>
      lines(
        {
          label: `Mean trace of ${name}`,
          x: times,
          xTitle: timeTitle(report),
          yTitle: "trace",
          height: 320,
          lines: [
            ...shown.groups.map((group, g) => ({
              name: `${group.name} (${group.trials.length})`,
              values: drawn[g]!.shown.mean,
              isJoined: true,
              ...groupStyle(shown, group, frame.theme),
              ...(hasInterval(group) ? { band: drawn[g]!.shown } : {}),
            })),
            ...(trial === null ? [] : [trialLine(report, j, trial, frame.theme)]),
          ],
          describe: (t) =>
            [
              `${timeTitle(report)}: ${tellApart(times)(times[t]!)}`,
              ...meansAt(shown.groups, statistics, t),
              ...(trial === null
                ? []
                : [`trial ${report.trialNames[trial]!}: ${short(report.trace(j, trial)[t]!)}`]),
            ].join("\n"),
          verticals: moments(report).map(({ name: moment, isFixed, median }) => ({
            x: median,
            name: isFixed ? moment : `${moment} (median)`,
          })),
        },
        frame,
      ),
    table: () => ({
      header: [...shown.by.map((label) => label.name), "time", "n_trials", "mean", "low", "high"],
      rows: shown.groups.flatMap(({ values }, g) => {
        const { n, mean, low, high } = statistics[g]!;
        return Array.from(times, (time, t) => [
          ...values,
          time,
          n[t]!,
          mean[t]!,
          low[t]!,
          high[t]!,
        ]);
      }),
    }),
  });
  if (shown.groups.length > 1) {
    element.querySelector("figcaption")?.append(intervalPicker(host, shown));
  }
  return element;
}

/** Whether the interval of a group is drawn. */
function chosenIntervals({ memory }: PanelHost, { groups }: Grouped): (group: Group) => boolean {
  const chosen = (memory.get(intervalKey) as string | undefined) ?? "";
  if (chosen === "none") return () => false;
  const one = groups.find(({ name }) => `of ${name}` === chosen);
  if (one) return (group) => group === one;
  return () => chosen === "all" || groups.length <= mostIntervals;
}

function intervalPicker({ memory, redraw }: PanelHost, shown: Grouped): HTMLElement {
  const words = ["all", "none", ...shown.groups.map(({ name }) => `of ${name}`)];
  const chosen = words.indexOf((memory.get(intervalKey) as string | undefined) ?? "");
  return select({
    label: "Shaded interval",
    names: ["of all groups", "none", ...words.slice(2)],
    value: chosen >= 0 ? chosen : shown.groups.length <= mostIntervals ? 0 : 1,
    onChange: (i) => {
      memory.set(intervalKey, words[i]!);
      redraw();
    },
  });
}

/** All trials together where the groups are too many. */
function drawable(report: Report, all: Grouped): Grouped {
  if (all.groups.length <= mostGroups) return all;
  const trials = Array.from({ length: report.nTrials }, (_, m) => m);
  return { by: [], groups: [{ name: "all trials", values: [], trials }], leftOut: [] };
}

function titleOf({ by }: Grouped): string {
  const names = by.map(({ name }) => name).join(" and ");
  return names ? `Mean trace by ${names}` : "Mean trace of all trials";
}

/** Groups whose values are told; more would cover the figure. */
const mostTold = 12;

function meansAt(
  groups: readonly Group[],
  statistics: readonly TraceStatistics[],
  t: number,
): string[] {
  const told = groups.flatMap(({ name, trials }, g) => {
    const { mean, n } = statistics[g]!;
    return n[t]! > 0 ? [`${name}: ${short(mean[t]!)} (${n[t]!} of ${trials.length})`] : [];
  });
  if (told.length > mostTold) told.splice(mostTold, Infinity, "…");
  return told;
}

function noteOf(
  report: Report,
  all: Grouped,
  shown: Grouped,
  { isCut, hasIntervals }: { isCut: boolean; hasIntervals: boolean },
): string {
  const words: string[] = [];
  if (shown !== all) {
    const names = all.by.map(({ name }) => name).join(" with ");
    words.push(
      `${names} has ${all.groups.length} different values, at most ${mostGroups} can be told apart: ` +
        "all trials are taken together here.",
    );
  }
  if (hasIntervals) words.push("Shaded intervals hold the middle 80 % of the trials.");
  words.push("In brackets: how many trials.");
  if (isCut) {
    words.push(
      "No mean is drawn where fewer than 3 of its trials, or than a quarter, have a sample (of small groups, half): " +
        "the others are over. The table has all, with the number of trials.",
    );
  }
  if (shown.leftOut.length > 0) {
    words.push(`${counted(shown.leftOut.length, "trial")} without a value left out.`);
  }
  const { thinned } = report.data.traces!;
  if (thinned > 1) words.push(`Each point is the mean of ${thinned} time points.`);
  return words.join(" ");
}

function trialLine(report: Report, j: number, trial: number, theme: Theme): Line {
  return {
    name: `trial ${report.trialNames[trial]!}`,
    values: report.trace(j, trial),
    colour: colour(theme, "--ink"),
    dash: [],
    width: 1,
    isJoined: true,
  };
}
