// The selected component's trace in every trial, as a heat map in the order of the labels.
import { moments, timeTitle } from "../data/events";
import type { Report } from "../data/report";
import { heatMap } from "../draw/heat_map";
import { rowEdge, type Layout } from "../draw/heat_map_frame";
import { label, cellScale, svg, textWidth } from "../draw/svg";
import type { Theme } from "../draw/theme";
import { figure } from "../ui/figure";
import { short, shortNumber, tellApart } from "../ui/words";
import type { PanelHost } from "./panel";
import { valueColours, type Grouped } from "./trace_grouping";

const barWidth = 10;
const barGap = 4;
const widestName = 110;
const lineHeight = 14;
/** Names of more groups are read as a scale: a few are enough. */
const mostNamed = 40;
const lineHeightOfMany = 60;

export function allTrialsFigure(host: PanelHost, trials: Grouped): HTMLElement {
  const { report, state } = host;
  const { component: j, trial } = state.selection;
  const order = [...trials.groups.flatMap((group) => group.trials), ...trials.leftOut];
  const times = report.traceTimes();
  const values = new Float64Array(order.length * times.length);
  order.forEach((m, row) => {
    values.set(report.trace(j, m), row * times.length);
  });
  const name = report.component(j).name;
  const labelsOf = (m: number) =>
    trials.by.map((by) => `${by.name}: ${by.values[by.ofTrial[m]!] ?? "no value"}`);
  const sorted = trials.by.map((by) => by.name).join(", then by ");

  return figure(host, {
    name: `${name} traces of all trials`,
    title: "Trace in every trial",
    note:
      (sorted ? `A row is a trial; rows are sorted by ${sorted}. ` : "A row is a trial. ") +
      "Select a row to see that trial.",
    draw: (frame) =>
      heatMap(
        {
          label: `Trace of ${name} in every trial`,
          rows: {
            title: "trial",
            names: order.map((m) => report.trialNames[m]!),
            selected: trial === null ? [] : [order.indexOf(trial)],
          },
          columns: { title: timeTitle(report), numbers: times },
          values,
          kind: values.some((x) => x < 0) ? "signed" : "amounts",
          legend: "trace",
          gutter: gutterOf(trials, frame.width),
          overlay: (layout) => [
            ...labelBars(trials, layout, frame.theme),
            ...momentMarks(report, order, layout, times),
            ...(trial === null ? [] : [rowMark(order.indexOf(trial), layout)]),
          ],
          describe: (row, t) =>
            [
              `trial ${report.trialNames[order[row]!]!}`,
              ...labelsOf(order[row]!),
              `${timeTitle(report)} ${tellApart(times)(times[t]!)}`,
              `trace: ${short(values[row * times.length + t]!) || "no sample"}`,
            ].join("\n"),
          choose: (row) => {
            state.select({ trial: order[row]! });
          },
        },
        frame,
      ),
    table: () => ({
      header: ["trial", ...trials.by.map((by) => by.name), "time", "trace"],
      rows: order.flatMap((m, row) =>
        Array.from(times, (time, t) => [
          report.trialNames[m]!,
          ...trials.by.map((by) => by.values[by.ofTrial[m]!] ?? null),
          time,
          values[row * times.length + t]!,
        ]),
      ),
    }),
  });
}

function gutterOf({ by, groups }: Grouped, width: number): number {
  if (by.length === 0) return 0;
  const widest = Math.max(
    0,
    ...groups.slice(0, 200).map(({ name }) => textWidth(shortNumber(name))),
  );
  return by.length * (barWidth + barGap) + 6 + Math.min(widest, widestName, 0.25 * width);
}

/** A bar per label in the colours of its values, and the names of groups where there is room. */
function labelBars({ by, groups }: Grouped, layout: Layout, theme: Theme): SVGElement[] {
  const { left, width } = layout;
  const parts: SVGElement[] = [];
  const colours = by.map((one) => valueColours(one, theme));
  const names = left + width + by.length * (barWidth + barGap) + 6;
  const between = groups.length > mostNamed ? lineHeightOfMany : lineHeight;
  let row = 0;
  let lastName = -Infinity;
  for (const { name, values, trials } of groups) {
    const y = rowEdge(layout, row);
    const end = rowEdge(layout, row + trials.length);
    by.forEach((one, g) => {
      const x = left + width + barGap + g * (barWidth + barGap);
      const fill = colours[g]![one.values.indexOf(values[g]!)]!;
      const sharp = { "shape-rendering": "crispEdges" };
      parts.push(svg("rect", { x, y, width: barWidth, height: end - y, fill, ...sharp }));
    });
    const middle = (y + end) / 2;
    if (by.length > 0 && middle - lastName >= between) {
      parts.push(label(shortNumber(name), names, middle, { width: widestName }));
      lastName = middle;
    }
    row += trials.length;
  }
  return parts;
}

/** A line through all rows, or a tick in each. */
function momentMarks(
  report: Report,
  order: readonly number[],
  layout: Layout,
  times: Float64Array,
): SVGElement[] {
  const { left, top, width, height, nRows } = layout;
  const x = cellScale(times, left, width);
  return moments(report).flatMap(({ name, times: when, median, isFixed }) => {
    const d = order
      .map((m, row) => ({ at: x(when[m]!), y: rowEdge(layout, row) }))
      .filter(({ at }) => at >= left && at <= left + width)
      .map(({ at, y }) => `M${at} ${y}v${height / nRows}`)
      .join("");
    if (!d) return [];
    const middle = Math.min(left + width, Math.max(left, x(median)));
    return [
      svg("path", { d, stroke: "var(--paper)", "stroke-width": 3, "stroke-opacity": 0.6 }),
      svg("path", { d, stroke: "var(--ink)", "stroke-width": isFixed ? 1.25 : 2 }),
      label(name, middle, top - 9, { anchor: "middle", fill: "var(--quiet)" }),
    ];
  });
}

function rowMark(row: number, layout: Layout): SVGElement {
  const { left, width, height, nRows } = layout;
  const tall = Math.max(3, height / nRows);
  const y = rowEdge(layout, row + 0.5) - tall / 2;
  const outline = { fill: "none", stroke: "var(--accent)", "stroke-width": 2 };
  return svg("rect", { x: left, y, width, height: tall, ...outline });
}
