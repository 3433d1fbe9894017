// How the Traces panel groups trials: one label or two, and the style of each group.
import { groupingOf, groupings, groupTrials, type Grouping } from "../data/grouping";
import { ramp } from "../draw/colour_map";
import { dashes, seriesStyle, type Theme } from "../draw/theme";
import { select } from "../ui/controls";
import { h } from "../ui/dom";
import type { PanelHost } from "./panel";

/** As on the command line. */
export const mostGroups = 100;

export interface Group {
  /** Values of the labels, one after the other. */
  name: string;
  values: readonly string[];
  trials: readonly number[];
}

export interface Grouped {
  by: readonly Grouping[];
  /** In the order of the values; one group of all trials if there is no label. */
  groups: readonly Group[];
  leftOut: readonly number[];
}

const secondKey = "second label";

export function grouped({ report, state, memory }: PanelHost): Grouped {
  const { component, by } = state.selection;
  const first = groupingOf(report, component, by);
  const second = groupings(report).find(({ name }) => name === memory.get(secondKey));
  const all = [first, second].filter((one) => one !== null && one !== undefined);
  const chosen = all.filter((one, i) => all.indexOf(one) === i);
  const { groups, leftOut } = groupTrials(report.nTrials, chosen);
  const named = groups.map(({ values, trials }) => ({
    name: values.join(", ") || "all trials",
    values,
    trials,
  }));
  return { by: chosen, groups: named, leftOut };
}

/** Colours by the values of one label: a ramp if they are ordered. */
export function valueColours({ values, isOrdered }: Grouping, theme: Theme): readonly string[] {
  return isOrdered ? ramp(values.length, theme) : values.map((_, i) => seriesStyle(i).colour);
}

/** Colour by the first label; dashes by the second, or where colours begin anew. */
export function groupStyle(
  { by }: Grouped,
  { values }: Group,
  theme: Theme,
): { colour: string; dash: readonly number[] } {
  const [first, second] = by;
  if (!first) return seriesStyle(0);
  const i = first.values.indexOf(values[0]!);
  const colour = valueColours(first, theme)[i]!;
  if (second) {
    const dash = dashes[second.values.indexOf(values[1]!) % dashes.length]!;
    return { colour, dash };
  }
  return { colour, dash: first.isOrdered ? [] : seriesStyle(i).dash };
}

/** Where trials are grouped by what the component was fitted to, why heights must not be compared. */
export function ownLabelNote({ report, state }: PanelHost, { by }: Grouped): string {
  const own = report.categoryOf(state.selection.component);
  if (own.options.length < 2 || !by.some(({ name }) => name === own.name)) return "";
  return (
    `Heights under two options of its own label, ${own.name}, cannot be compared: memberships sum to one under ` +
    "each, so where members leave, the shares of the others rise and the trace falls by as much. Compare shapes, or " +
    "group by another label."
  );
}

/** Selects of the first and the second label. */
export function groupingPickers(host: PanelHost): HTMLElement {
  const { report, state, memory, redraw } = host;
  const names = groupings(report).map(({ name }) => name);
  const own = report.categoryOf(state.selection.component);
  const first = [
    own.options.length > 1 ? `its category (${own.name})` : "nothing: all trials",
    ...names,
  ];
  const second = memory.get(secondKey) as string | undefined;
  return h(
    "div",
    { class: "controls" },
    select({
      label: "Group trials by",
      names: first,
      value: state.selection.by === null ? 0 : names.indexOf(state.selection.by) + 1,
      onChange: (i) => {
        state.select({ by: i === 0 ? null : names[i - 1]! });
      },
    }),
    select({
      label: "and by",
      names: ["nothing else", ...names],
      value: second === undefined ? 0 : names.indexOf(second) + 1,
      onChange: (i) => {
        memory.set(secondKey, i === 0 ? undefined : names[i - 1]);
        redraw();
      },
    }),
  );
}
