// The design table: trials per combination of options.
import { combinations, cross, type Combination } from "../data/design";
import type { Report } from "../data/report";
import { bars } from "../draw/bars";
import { heatMap } from "../draw/heat_map";
import { select } from "../ui/controls";
import { h } from "../ui/dom";
import { figure } from "../ui/figure";
import { counted } from "../ui/words";
import type { PanelHost } from "./panel";

/** Categories with more options, such as the number of the trial, are not crossed with others. */
const mostCrossed = 100;
const mostCombinations = 20_000;

export function designFigure(host: PanelHost): HTMLElement {
  const { report, memory } = host;
  const crossed = [...report.categories.keys()].filter((k) => {
    const n = report.categories[k]!.options.length;
    return n > 1 && n <= mostCrossed;
  });
  const [first, second] = crossed;
  if (first === undefined) {
    return h("p", { class: "note" }, "No category has few enough options for a table of trials.");
  }
  if (second === undefined) return countsFigure(host, first);
  const kept = memory.get("crossed") as [number, number] | undefined;
  const [rows, columns] = kept ?? [first, second];
  const choose = (pair: [number, number]) => {
    memory.set("crossed", pair);
    host.redraw();
  };
  const names = crossed.map((k) => report.categories[k]!.name);
  const pick = (label: string, value: number, use: (k: number) => [number, number]) =>
    select({
      label,
      names,
      value: crossed.indexOf(value),
      onChange: (position) => {
        choose(use(crossed[position]!));
      },
    });
  const element = crossFigure(host, rows, columns, crossed);
  if (crossed.length > 2) {
    const pickers = [
      pick("Rows", rows, (k) => [k, columns]),
      pick("Columns", columns, (k) => [rows, k]),
    ];
    element.querySelector("figcaption")?.append(h("div", { class: "controls" }, ...pickers));
  }
  return element;
}

function allCombinations(report: Report, crossed: readonly number[]): Combination[] | null {
  const n = crossed.reduce((product, k) => product * report.categories[k]!.options.length, 1);
  return n <= mostCombinations ? combinations(report, crossed) : null;
}

const mostNamed = 3;

/** Says whether combinations have no trial, and which. */
function emptyNote(
  report: Report,
  crossed: readonly number[],
  all: readonly Combination[] | null,
): string {
  if (!all) return "There are too many combinations to count.";
  const empty = all.filter(({ n }) => n === 0);
  if (empty.length === 0) return `Each of the ${all.length} combinations of options has trials.`;
  const named = empty.slice(0, mostNamed).map(({ options }) =>
    options
      .map((i, c) => {
        const category = report.categories[crossed[c]!]!;
        return `${category.name} ${category.options[i]!}`;
      })
      .join(", "),
  );
  const rest = empty.length > mostNamed ? "; and others" : "";
  return (
    `${empty.length} of ${counted(all.length, "combination")} of options ` +
    `${empty.length === 1 ? "has" : "have"} no trial (${named.join("; ")}${rest}). ` +
    "What the model says there rests on other trials."
  );
}

function crossFigure(
  host: PanelHost,
  rowCategory: number,
  columnCategory: number,
  crossed: readonly number[],
): HTMLElement {
  const { report } = host;
  const { columns, counts } = cross(report, rowCategory, columnCategory);
  const [a, b] = [report.categories[rowCategory]!, report.categories[columnCategory]!];
  const all = allCombinations(report, crossed);
  return figure(host, {
    name: "design",
    title: "Trials per combination of options",
    note: emptyNote(report, crossed, all),
    draw: (frame) =>
      heatMap(
        {
          label: `Trials per option of ${a.name} and ${b.name}`,
          rows: { title: a.name, names: a.options },
          columns: { title: b.name, names: b.options },
          values: counts,
          kind: "amounts",
          legend: "trials",
          showsNumbers: true,
          describe: (r, c) =>
            `${a.name} ${a.options[r]!}, ${b.name} ${b.options[c]!}: ` +
            counted(counts[r * columns + c]!, "trial"),
        },
        frame,
      ),
    table: () => ({
      header: [...crossed.map((k) => report.categories[k]!.name), "trials"],
      rows: (all ?? []).map(({ options, n }) => [
        ...options.map((i, c) => report.categories[crossed[c]!]!.options[i]!),
        n,
      ]),
    }),
  });
}

function countsFigure(host: PanelHost, k: number): HTMLElement {
  const { name, options, n_trials } = host.report.categories[k]!;
  return figure(host, {
    name: "design",
    title: `Trials per option of ${name}`,
    draw: (frame) =>
      bars(
        {
          label: `Trials per option of ${name}`,
          series: [{ name: "trials", colour: "var(--bar)" }],
          rows: options.map((option, i) => ({ name: option, bars: [{ value: n_trials[i]! }] })),
          axis: "trials",
          describe: (i) => `${options[i]!}: ${counted(n_trials[i]!, "trial")}`,
        },
        frame,
      ),
    table: () => ({ header: [name, "trials"], rows: options.map((o, i) => [o, n_trials[i]!]) }),
  });
}
