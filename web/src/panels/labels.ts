// The labels: how many trials each combination has, how categories tie their variants, and whether variants
// of a component are closer to each other than to other components.
import { variantDistances } from "../data/distances";
import { histogram, largestAbsolute } from "../data/statistics";
import { unpack } from "../data/unpack";
import { heatMap } from "../draw/heat_map";
import { histograms } from "../draw/histograms";
import { categoryColours } from "../draw/theme";
import { select } from "../ui/controls";
import { h } from "../ui/dom";
import { figure } from "../ui/figure";
import { short } from "../ui/words";
import { designFigure } from "./design";
import type { Panel, PanelHost } from "./panel";

export const labels: Panel = {
  id: "labels",
  title: "Labels",
  about:
    "Which combinations of options were recorded, how alike variants had to be, and how alike they are.",
  uses: ["component", "trial"],
  isAvailable: ({ categories }) => categories.some(({ options }) => options.length > 1),
  render(host) {
    host.body.append(
      designFigure(host),
      h("div", { class: "side-by-side" }, graphFigure(host), distanceFigure(host)),
    );
  },
};

/** How strongly each pair of options is tied, of the category of the selected component or another. */
function graphFigure(host: PanelHost): HTMLElement {
  const { report, state, memory } = host;
  const own = report.component(state.selection.component).category;
  const k = (memory.get("graph category") as number | undefined) ?? own;
  const { name, kind, options, graph, graph_weight } = report.categories[k]!;
  const picker = select({
    label: "Category",
    names: report.categories.map((category) => category.name),
    value: k,
    onChange: (value) => {
      memory.set("graph category", value);
      host.redraw();
    },
  });
  if (!graph) {
    const text =
      graph_weight !== null && options.length > 1
        ? `All pairs of options have the same weight, ${short(graph_weight)} (${kind}).`
        : options.length > 1
          ? `${options.length} options are too many to draw; near ones are tied (${kind}).`
          : "It has one option, so there is nothing to tie.";
    return h(
      "section",
      { class: "figure in-words" },
      h("h3", {}, "Label graph"),
      h("p", { class: "note" }, text),
      picker,
    );
  }
  const { values } = unpack(graph);
  const n = options.length;
  const element = figure(host, {
    name: `${name} graph`,
    key: "graph",
    title: "Label graph",
    note:
      "The larger the weight of two options, the more alike their variants had to be." +
      (isAlike(values, n)
        ? ""
        : " Every row is divided by its sum, so that the two cells of a pair can differ; their mean is what counts."),
    draw: (frame) =>
      heatMap(
        {
          label: `Label graph of ${name}`,
          rows: { title: name, names: options },
          columns: { title: "", names: options },
          values,
          kind: "amounts",
          legend: "weight",
          maxHeight: 420,
          describe: (r, c) => `${options[r]!} and ${options[c]!}: ${short(values[r * n + c]!)}`,
        },
        frame,
      ),
    table: () => ({
      header: ["option", "other_option", "weight"],
      rows: options.flatMap((a, r) => options.map((b, c) => [a, b, values[r * n + c]!])),
    }),
  });
  element.querySelector("figcaption")?.append(picker);
  return element;
}

/** Whether the two cells of every pair of options are the same. */
function isAlike(values: Float64Array, n: number): boolean {
  const largest = largestAbsolute(values);
  return values.every((value, i) => {
    const mirrored = values[(i % n) * n + Math.floor(i / n)]!;
    return Math.abs(value - mirrored) <= 1e-6 * largest;
  });
}

const nBins = 40;

function distanceFigure(host: PanelHost): HTMLElement {
  const { report } = host;
  const { pairs, isThinned } = variantDistances(report);
  const of = (kind: "within" | "between") =>
    pairs.filter((pair) => pair.kind === kind).map(({ distance }) => distance);
  const isSigned = report.components.some((_, j) => report.isSigned(j));
  const farthest = isSigned ? 2 : Math.SQRT2;
  const many = isThinned ? " Of many options, some, evenly spread, are compared." : "";
  return figure(host, {
    name: "distances of variants",
    title: "Distances between variants",
    note:
      "Variants of one component should lie closer together than components do. " +
      `Euclidean, between variants of length one.${many}`,
    draw: (frame) =>
      histograms(
        {
          label: "Distances between variants",
          axis: "distance",
          parts: (["within", "between"] as const).map((kind, i) => ({
            name: kind === "within" ? "Variants of one component" : "Different components",
            colour: categoryColours[i]!,
            histogram: histogram(of(kind), 0, farthest, nBins),
          })),
        },
        frame,
      ),
    table: () => ({
      header: ["kind", "component", "option", "other_component", "other_option", "distance"],
      rows: pairs.map((pair) => [
        pair.kind,
        report.component(pair.component).name,
        report.categoryOf(pair.component).options[pair.option]!,
        report.component(pair.otherComponent).name,
        report.categoryOf(pair.otherComponent).options[pair.otherOption]!,
        pair.distance,
      ]),
    }),
  });
}
