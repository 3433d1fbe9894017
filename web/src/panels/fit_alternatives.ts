// Other answers that are about as good as the model: what they share with it, and what not.
import type { Report } from "../data/report";
import { dot } from "../data/statistics";
import { unpack } from "../data/unpack";
import { bars } from "../draw/bars";
import { heatMap } from "../draw/heat_map";
import { categoryColours } from "../draw/theme";
import { select } from "../ui/controls";
import { figure } from "../ui/figure";
import { firstOf } from "../ui/more";
import { howFarBehind, short } from "../ui/words";
import type { PanelHost } from "./panel";

const chosenKey = "alternative";

function chosenAlternative({ memory }: PanelHost): number {
  return (memory.get(chosenKey) as number | undefined) ?? 0;
}

function names(report: Report): string[] {
  return report.data.alternatives.map((_, a) => `answer ${a + 2}`);
}

/** With how far their objective is behind the model's. */
function longNames(report: Report): string[] {
  return report.data.alternatives.map(({ behind }, a) => `answer ${a + 2}${howFarBehind(behind)}`);
}

export function alternativeFigures(host: PanelHost): HTMLElement[] {
  const { report, state } = host;
  const isDead = report.component(state.selection.component).is_dead;
  return [similarityFigure(host), ...(isDead ? [] : [membersBeside(host)])];
}

function similarityFigure(host: PanelHost): HTMLElement {
  const { report, state, memory, redraw } = host;
  const { alternatives } = report.data;
  const at = (j: number, a: number) => alternatives[a]!.similarity[j] ?? NaN;
  const rows = report.components.map(({ name }) => name);
  const shown = names(report);
  return figure(host, {
    name: "similarity of other answers",
    title: "Which components the other answers share",
    note: "Similarity of each component with its counterpart; from 0.9 on it counts as the same.",
    draw: (frame) =>
      heatMap(
        {
          label: "Similarity of each component in other answers",
          rows: { title: "component", names: rows, selected: [state.selection.component] },
          columns: { title: "", names: shown, selected: [chosenAlternative(host)] },
          values: rows.flatMap((_, j) => shown.map((__, a) => at(j, a))),
          kind: "amounts",
          range: [0, 1],
          legend: "similarity",
          describe: (j, a) =>
            `${rows[j]!}\n${longNames(report)[a]!}\nsimilarity: ${short(at(j, a))}`,
          choose: (component, a) => {
            memory.set(chosenKey, a);
            state.select({ component });
            redraw();
          },
        },
        frame,
      ),
    table: () => ({
      header: ["component", ...shown],
      rows: rows.map((name, j) => [name, ...shown.map((_, a) => at(j, a))]),
    }),
  });
}

/**
 * Memberships of a component under an option in another answer. Similarity does not see the sign, which the
 * trace can take over: here it is the one that is nearer to the model.
 */
function otherVariant(report: Report, a: number, j: number, option: number): Float64Array {
  const { category, number } = report.component(j);
  const { shape, values } = unpack(report.data.alternatives[a]!.memberships[category]!);
  const [, nOptions = 0, nChannels = 0] = shape;
  const variants = Array.from({ length: nOptions }, (_, i) => {
    const first = (number * nOptions + i) * nChannels;
    return values.subarray(first, first + nChannels);
  });
  const product = report.variants(j).reduce((sum, ours, i) => sum + dot(ours, variants[i]!), 0);
  return product < 0 ? variants[option]!.map((x) => -x) : variants[option]!;
}

function membersBeside(host: PanelHost): HTMLElement {
  const { report, state, memory, redraw } = host;
  const { component: j, optionA, channel } = state.selection;
  const a = chosenAlternative(host);
  const ours = report.variants(j)[optionA]!;
  const theirs = otherVariant(report, a, j, optionA);
  const size = (n: number) => Math.max(Math.abs(ours[n]!), Math.abs(theirs[n]!));
  const ranked = Array.from(ours.keys())
    .filter((n) => size(n) > 0)
    .sort((x, y) => size(y) - size(x));
  const { shown, button } = firstOf(host, ranked, "members of both");
  const { name: category, options } = report.categoryOf(j);
  const { name } = report.component(j);
  const element = figure(host, {
    name: `${name} in other answers`,
    title: `Members of ${name} in both answers`,
    ...(options.length > 1 ? { note: `Under ${category} = ${options[optionA]!}.` } : {}),
    draw: (frame) =>
      bars(
        {
          label: `Members of ${name} in this model and in another answer`,
          series: [
            { name: "this model", colour: categoryColours[0]! },
            { name: names(report)[a]!, colour: categoryColours[1]! },
          ],
          rows: shown.map((n) => ({
            name: report.channelNames[n]!,
            note: report.groupOf(n),
            isSelected: n === channel,
            bars: [{ value: ours[n]! }, { value: theirs[n]! }],
          })),
          axis: "membership",
          describe: (row) => {
            const n = shown[row]!;
            return (
              `${report.channelNames[n]!}\nthis model: ${short(ours[n]!)}\n` +
              `${names(report)[a]!}: ${short(theirs[n]!)}`
            );
          },
          choose: (row) => {
            state.select({ channel: shown[row]! });
          },
        },
        frame,
      ),
    table: () => ({
      header: ["channel", "group", "this_model", "other_answer"],
      rows: ranked.map((n) => [report.channelNames[n]!, report.groupOf(n), ours[n]!, theirs[n]!]),
    }),
  });
  if (button) element.append(button);
  if (report.data.alternatives.length > 1) {
    const picker = select({
      label: "Compare with",
      names: longNames(report),
      value: a,
      onChange: (next) => {
        memory.set(chosenKey, next);
        redraw();
      },
    });
    element.querySelector("figcaption")?.append(picker);
  }
  return element;
}
