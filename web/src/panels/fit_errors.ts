// How well the model describes trials, labels, channels and moments.
import { timeTitle } from "../data/events";
import type { Score } from "../data/format";
import { numbers } from "../data/unpack";
import { bars } from "../draw/bars";
import { lines } from "../draw/lines";
import { figure } from "../ui/figure";
import { percent, short, tellApart } from "../ui/words";
import type { PanelHost } from "./panel";

/** Options of a category with more are read from the trials. */
const mostOptions = 40;

export function errorFigures(host: PanelHost): HTMLElement[] {
  return [byTrial(host), byChannel(host), byLabel(host), byTime(host)].filter(
    (element) => element !== null,
  );
}

const scoreHeader = ["n_trials", "r2", "relative_error", "squared_error"];

function scoreCells({ n_trials, r2, relative_error, squared_error }: Score) {
  return [n_trials, r2, relative_error, squared_error];
}

function tellScore({ r2, relative_error }: Score): string {
  return `described (R2): ${percent(r2)}\nrelative error: ${percent(relative_error)}`;
}

function byTrial(host: PanelHost): HTMLElement | null {
  const { report, state } = host;
  const scores = report.data.evaluation?.trials ?? [];
  if (scores.length === 0) return null;
  const { trial } = state.selection;
  return figure(host, {
    name: "described by trial",
    title: "Described by trial",
    note: "Select a point to see that trial.",
    draw: (frame) =>
      lines(
        {
          label: "R2 of each trial",
          x: scores.map((_, m) => report.firstTrialNumber + m),
          xTitle: "number of the trial",
          yTitle: "R2",
          height: 240,
          hasKey: false,
          hasWholeX: true,
          lines: [{ name: "R2", values: scores.map(({ r2 }) => r2 ?? NaN), isDots: true }],
          verticals:
            trial === null
              ? []
              : [{ x: report.firstTrialNumber + trial, name: report.trialNames[trial]! }],
          describe: (m) => `trial ${report.trialNames[m]!}\n${tellScore(scores[m]!)}`,
          choose: (m) => {
            state.select({ trial: m });
          },
        },
        frame,
      ),
    table: () => ({
      header: ["trial", ...scoreHeader],
      rows: scores.map((score, m) => [report.trialNames[m]!, ...scoreCells(score)]),
    }),
  });
}

function byChannel(host: PanelHost): HTMLElement | null {
  const { report, state } = host;
  const scores = report.data.evaluation?.channels ?? [];
  if (scores.length === 0) return null;
  const r2 = (n: number) => scores[n]!.r2 ?? -Infinity;
  const order = Array.from(scores.keys()).sort((a, b) => r2(b) - r2(a) || 0);
  const { channel } = state.selection;
  const place = channel === null ? -1 : order.indexOf(channel);
  return figure(host, {
    name: "described by channel",
    title: "Described by channel",
    note: "Channels from the best to the worst described. Select a point to select the channel.",
    draw: (frame) =>
      lines(
        {
          label: "R2 of each channel",
          x: order.map((_, i) => i + 1),
          xTitle: "rank of the channel",
          yTitle: "R2",
          height: 240,
          hasKey: false,
          hasWholeX: true,
          lines: [{ name: "R2", values: order.map((n) => scores[n]!.r2 ?? NaN), isDots: true }],
          verticals: place < 0 ? [] : [{ x: place + 1, name: report.channelNames[channel!]! }],
          describe: (i) => `${report.channelNames[order[i]!]!}\n${tellScore(scores[order[i]!]!)}`,
          choose: (i) => {
            state.select({ channel: order[i]! });
          },
        },
        frame,
      ),
    table: () => ({
      header: ["channel", "group", ...scoreHeader],
      rows: order.map((n) => [
        report.channelNames[n]!,
        report.groupOf(n),
        ...scoreCells(scores[n]!),
      ]),
    }),
  });
}

function byLabel(host: PanelHost): HTMLElement | null {
  const { report } = host;
  const scores = report.data.evaluation?.labels ?? [];
  const few = new Set(
    report.categories
      .filter(({ options }) => options.length > 1 && options.length <= mostOptions)
      .map(({ name }) => name),
  );
  const shown = scores.filter(({ category }) => category !== undefined && few.has(category));
  if (shown.length === 0) return null;
  return figure(host, {
    name: "described by label",
    title: "Described by label",
    note: "Over the trials that have the option.",
    draw: (frame) =>
      bars(
        {
          label: "R2 of each option",
          series: [{ name: "R2", colour: "var(--bar)" }],
          rows: shown.map(({ name, category, r2 }) => ({
            name: name ?? "",
            note: category ?? "",
            bars: [{ value: r2 ?? NaN }],
          })),
          axis: "R2",
          describe: (i) => {
            const { category, name, n_trials } = shown[i]!;
            return `${category ?? ""}: ${name ?? ""} (${n_trials})\n${tellScore(shown[i]!)}`;
          },
        },
        frame,
      ),
    table: () => ({
      header: ["category", "option", ...scoreHeader],
      rows: scores.map((score) => [score.category ?? null, score.name, ...scoreCells(score)]),
    }),
  });
}

function byTime(host: PanelHost): HTMLElement | null {
  const { report } = host;
  const byTime = report.data.error_by_time;
  if (!byTime) return null;
  const times = report.traceTimes();
  const error = numbers(byTime.squared_error);
  const variance = numbers(byTime.variance);
  return figure(host, {
    name: "described by time",
    title: "Described over time",
    note: "Mean over trials and channels: how much the data vary, and how much of it is left.",
    draw: (frame) =>
      lines(
        {
          label: "Variance and squared error over time",
          x: times,
          xTitle: timeTitle(report),
          yTitle: "mean square",
          height: 240,
          lines: [
            { name: "data about their mean", values: variance, isJoined: true },
            { name: "left by the model", values: error, isJoined: true },
          ],
          describe: (t) =>
            `${timeTitle(report)}: ${tellApart(times)(times[t]!)}\ndata: ${short(variance[t]!)}\n` +
            `left: ${short(error[t]!)}\ndescribed: ${percent(1 - error[t]! / variance[t]!)}`,
        },
        frame,
      ),
    table: () => ({
      header: ["time", "variance", "squared_error"],
      rows: Array.from(times, (time, t) => [time, variance[t]!, error[t]!]),
    }),
  });
}
