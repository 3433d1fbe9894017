// One channel of a trial, and the traces of all components in it, as lines.
import { moments, timeTitle } from "../data/events";
import type { Report } from "../data/report";
import type { TrialData } from "../data/trial_data";
import { lines } from "../draw/lines";
import { categoryColours, colour } from "../draw/theme";
import { figure } from "../ui/figure";
import { channelTitle } from "../ui/words";
import type { PanelHost } from "./panel";

export function channelFigure(
  host: PanelHost,
  trial: number,
  data: TrialData,
  channel: number,
): HTMLElement {
  const { report } = host;
  const nTimes = data.times.length;
  const name = report.channelNames[channel]!;
  const row = (values: Float64Array) => values.subarray(channel * nTimes, (channel + 1) * nTimes);
  const values = row(data.values);
  const fit = row(data.fit);
  return figure(host, {
    name: `trial ${report.trialNames[trial]!} channel ${name}`,
    title: channelTitle(name),
    note:
      "Select a row above, or search for a channel, to see another one. " +
      "Data and fit are rounded to a 254th of the range they have in this trial.",
    draw: (frame) =>
      lines(
        {
          label: `Channel ${name} in trial ${report.trialNames[trial]!}`,
          x: data.times,
          xTitle: timeTitle(report),
          yTitle: "value",
          height: 240,
          lines: [
            {
              name: "data",
              values,
              isDots: true,
              colour: colour(frame.theme, "--quiet"),
              dash: [],
            },
            { name: "fit", values: fit, colour: categoryColours[1]!, dash: [], isJoined: true },
          ],
          verticals: momentsOf(report, trial),
        },
        frame,
      ),
    table: () => ({
      header: ["time", "data", "fit"],
      rows: Array.from(data.times, (time, t) => [time, values[t]!, fit[t]!]),
    }),
  });
}

export function trialTracesFigure(host: PanelHost, trial: number): HTMLElement {
  const { report, state } = host;
  const times = report.traceTimes();
  const alive = Array.from(report.components.keys()).filter((j) => !report.component(j).is_dead);
  return figure(host, {
    name: `trial ${report.trialNames[trial]!} traces`,
    title: "Traces of all components",
    note: "The selected component is drawn thicker.",
    draw: (frame) =>
      lines(
        {
          label: `Traces in trial ${report.trialNames[trial]!}`,
          x: times,
          xTitle: timeTitle(report),
          yTitle: "trace",
          lines: alive.map((j) => ({
            name: report.component(j).name,
            values: report.trace(j, trial),
            width: j === state.selection.component ? 3 : 1.25,
            isJoined: true,
          })),
          verticals: momentsOf(report, trial),
        },
        frame,
      ),
    table: () => ({
      header: ["time", ...alive.map((j) => report.component(j).name)],
      rows: Array.from(times, (time, t) => [time, ...alive.map((j) => report.trace(j, trial)[t]!)]),
    }),
  });
}

function momentsOf(report: Report, trial: number): { x: number; name: string }[] {
  return moments(report)
    .map(({ name, times }) => ({ x: times[trial]!, name }))
    .filter(({ x }) => Number.isFinite(x));
}
