// What each component gains from each category: whether it is in the right one.
import { heatMap } from "../draw/heat_map";
import { columnEdge, rowEdge } from "../draw/heat_map_frame";
import { svg } from "../draw/svg";
import { figure } from "../ui/figure";
import { percent } from "../ui/words";
import type { PanelHost } from "./panel";

export function gainFigure(host: PanelHost): HTMLElement | null {
  const { report, state } = host;
  const gain = report.data.summary.category_gain;
  // A category of one option has nothing to gain.
  const shown = Array.from(report.categories.keys()).filter(
    (k) => report.categories[k]!.options.length > 1,
  );
  if (gain?.length !== report.components.length || shown.length < 2) return null;
  const at = (j: number, k: number) => gain[j]![k] ?? NaN;
  const names = report.components.map(({ name }) => name);
  const outline = { fill: "none", stroke: "var(--ink)", "stroke-width": 1.5 };
  return figure(host, {
    name: "gain by category",
    title: "Gain of each component from each category",
    note:
      "How much better the data are described if the component has variants along a category: the share of the energy, " +
      "the sum of the squared data, that this saves or would save. Framed: the category that it belongs to.",
    draw: (frame) =>
      heatMap(
        {
          label: "Gain of each component from each category",
          rows: { title: "component", names, selected: [state.selection.component] },
          columns: { title: "category", names: shown.map((k) => report.categories[k]!.name) },
          values: report.components.flatMap((_, j) => shown.map((k) => at(j, k))),
          kind: "amounts",
          legend: "share of the energy",
          overlay: (layout) =>
            report.components.flatMap(({ category }, j) => {
              const column = shown.indexOf(category);
              if (column < 0) return [];
              const { width, height, nRows, nColumns } = layout;
              const x = columnEdge(layout, column) + 1;
              const y = rowEdge(layout, j) + 1;
              const size = { width: width / nColumns - 2, height: height / nRows - 2 };
              return [svg("rect", { x, y, ...size, ...outline })];
            }),
          describe: (j, column) => {
            const k = shown[column]!;
            const own = report.component(j).category === k ? ", its own category" : "";
            const value = percentOfEnergy(at(j, k));
            return `${names[j]!}\n${report.categories[k]!.name}${own}: ${value}`;
          },
          choose: (j) => {
            state.select({ component: j });
          },
        },
        frame,
      ),
    table: () => ({
      header: ["component", ...shown.map((k) => report.categories[k]!.name)],
      rows: names.map((name, j) => [name, ...shown.map((k) => at(j, k))]),
    }),
  });
}

function percentOfEnergy(value: number): string {
  return value > 0 && value < 5e-4 ? "below 0.05\u00a0%" : percent(value);
}
