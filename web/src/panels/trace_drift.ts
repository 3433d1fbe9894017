// Whether the selected component grows or fades from trial to trial.
import { mean } from "../data/statistics";
import { runningMean, runningWidth } from "../data/trace_groups";
import { lines } from "../draw/lines";
import { colour } from "../draw/theme";
import { figure } from "../ui/figure";
import { short } from "../ui/words";
import type { PanelHost } from "./panel";

export function driftFigure(host: PanelHost): HTMLElement {
  const { report, state } = host;
  const { component: j, trial } = state.selection;
  const numbers = Float64Array.from(report.trialNames, (_, m) => report.firstTrialNumber + m);
  const means = numbers.map((_, m) => mean(report.trace(j, m)));
  const width = runningWidth(report.nTrials);
  const running = runningMean(means, width);
  const name = report.component(j).name;
  return figure(host, {
    name: `${name} drift`,
    title: "From trial to trial",
    note: `A point is the mean of the trace within a trial; the line is the mean of ${width} neighbours.`,
    draw: (frame) =>
      lines(
        {
          label: `Mean trace of ${name} in each trial`,
          x: numbers,
          xTitle: "number of the trial",
          yTitle: "mean of the trace",
          height: 240,
          hasKey: false,
          hasWholeX: true,
          lines: [
            { name: "mean within the trial", values: means, isDots: true },
            {
              name: "running mean",
              values: running,
              colour: colour(frame.theme, "--ink"),
              dash: [],
            },
          ],
          verticals:
            trial === null ? [] : [{ x: numbers[trial]!, name: report.trialNames[trial]! }],
          describe: (m) =>
            `trial ${report.trialNames[m]!}\nmean within the trial: ${short(means[m]!)}\n` +
            `running mean: ${short(running[m]!)}`,
          choose: (m) => {
            state.select({ trial: m });
          },
        },
        frame,
      ),
    table: () => ({
      header: ["trial", "number", "mean", "running_mean"],
      rows: report.trialNames.map((trialName, m) => [
        trialName,
        numbers[m]!,
        means[m]!,
        running[m]!,
      ]),
    }),
  });
}
