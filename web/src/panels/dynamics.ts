// What each component hands on to the others from one time point to the next, by label.
import { groupingOf, groupings, groupTrials } from "../data/grouping";
import { largestExchange, meanTransitions, type Transitions } from "../data/transitions";
import { heatMap } from "../draw/heat_map";
import { leastShare, network } from "../draw/network";
import { select } from "../ui/controls";
import { h } from "../ui/dom";
import { figure } from "../ui/figure";
import { short } from "../ui/words";
import type { Panel, PanelHost } from "./panel";

/** More heat maps beside each other cannot be compared. */
const mostGroups = 12;
const networkKey = "group of the network";
const allTrials = "all trials";

interface Group {
  name: string;
  n: number;
  transitions: Transitions;
}

export const dynamics: Panel = {
  id: "dynamics",
  title: "Dynamics",
  about:
    "How the traces of components carry on and drive each other, from one time point to the next.",
  uses: ["component", "by"],
  isAvailable: ({ data }) => data.transitions !== null,
  render(host) {
    const { groups, note } = groupsOf(host);
    const largest = Math.max(...groups.map(({ transitions }) => largestExchange(transitions)));
    host.body.append(
      picker(host),
      note ? h("p", { class: "note missing-data" }, note) : "",
      networkFigure(host, groups, largest || 1),
      h(
        "p",
        { class: "note missing-data" },
        "Mean transitions, a row per target and a column per origin; in brackets: of how many trials. Colours end " +
          "at the largest value between two components; what a component keeps of itself may be beyond.",
      ),
      h("div", { class: "three" }, ...groups.map((group) => mapFigure(host, group, largest || 1))),
    );
  },
};

/** All trials first, then those of each value of the label. */
function groupsOf({ report, state }: PanelHost): { groups: Group[]; note: string } {
  const { component, by } = state.selection;
  const grouping = groupingOf(report, component, by);
  const found = groupTrials(report.nTrials, grouping ? [grouping] : []).groups;
  const isTooMany = found.length > mostGroups;
  const all = Array.from({ length: report.nTrials }, (_, m) => m);
  const kept = grouping && !isTooMany ? found : [];
  const groups = [
    { name: allTrials, trials: all },
    ...kept.map(({ values, trials }) => ({ name: `${grouping!.name}: ${values[0]!}`, trials })),
  ];
  return {
    groups: groups.map(({ name, trials }) => ({
      name,
      n: trials.length,
      transitions: meanTransitions(report, trials),
    })),
    note: isTooMany
      ? `${grouping!.name} has ${found.length} different values, at most ${mostGroups} can be shown ` +
        "beside each other: here are all trials together."
      : "",
  };
}

function picker({ report, state }: PanelHost): HTMLElement {
  const names = groupings(report).map(({ name }) => name);
  const own = report.categoryOf(state.selection.component);
  const first = own.options.length > 1 ? `its category (${own.name})` : "nothing: all trials";
  const { by } = state.selection;
  return h(
    "div",
    { class: "controls" },
    select({
      label: "Group trials by",
      names: [first, ...names],
      value: by === null ? 0 : names.indexOf(by) + 1,
      onChange: (i) => {
        state.select({ by: i === 0 ? null : names[i - 1]! });
      },
    }),
  );
}

function toTable({ report }: PanelHost, { name, transitions }: Group) {
  const { components, values } = transitions;
  const nameOf = (i: number) => report.component(components[i]!).name;
  return {
    header: ["group", "target", "origin", "transition"],
    rows: Array.from(values, (value, i) => [
      name,
      nameOf(Math.floor(i / components.length)),
      nameOf(i % components.length),
      value,
    ]),
  };
}

function mapFigure(host: PanelHost, group: Group, largest: number): HTMLElement {
  const { report, state } = host;
  const { components, values } = group.transitions;
  const names = components.map((j) => report.component(j).name);
  const at = (target: number, origin: number) => values[target * components.length + origin]!;
  const selected = components.indexOf(state.selection.component);
  const title = `${group.name === allTrials ? "All trials" : group.name} (${group.n})`;
  return figure(host, {
    name: `transitions ${group.name}`,
    title,
    draw: (frame) =>
      heatMap(
        {
          label: `Transitions, ${title}`,
          rows: { title: "to", names, selected: selected < 0 ? [] : [selected] },
          columns: { title: "from", names },
          values,
          kind: "signed",
          range: [-largest, largest],
          legend: "transition",
          describe: (target, origin) =>
            target === origin
              ? `${names[target]!} keeps ${short(at(target, target))} of itself`
              : `from ${names[origin]!}\nto ${names[target]!}: ${short(at(target, origin))}`,
          choose: (target) => {
            state.select({ component: components[target]! });
          },
        },
        frame,
      ),
    table: () => toTable(host, group),
  });
}

function networkFigure(host: PanelHost, groups: readonly Group[], largest: number): HTMLElement {
  const { report, state, memory, redraw } = host;
  const chosen = Math.max(
    0,
    groups.findIndex(({ name }) => name === memory.get(networkKey)),
  );
  const group = groups[chosen]!;
  const { components, values } = group.transitions;
  const P = components.length;
  const names = components.map((j) => report.component(j).name);
  const element = figure(host, {
    name: `network ${group.name}`,
    title: `Who drives whom: ${group.name}`,
    note:
      "A circle is larger the more of itself a component keeps. An arrow is wider the more it hands on; " +
      `dashed: it is negative. Arrows below ${100 * leastShare} % of the widest are left out.`,
    draw: (frame) =>
      network(
        {
          label: `Network of components, ${group.name}`,
          nodes: components.map((j, i) => ({
            name: names[i]!,
            size: values[i * P + i]!,
            isSelected: j === state.selection.component,
          })),
          weights: values,
          largest,
          describe: (i) =>
            [
              `${names[i]!} keeps ${short(values[i * P + i]!)} of itself`,
              ...names.flatMap((name, k) =>
                k === i ? [] : [`to ${name}: ${short(values[k * P + i]!)}`],
              ),
            ].join("\n"),
          choose: (i) => {
            state.select({ component: components[i]! });
          },
        },
        frame,
      ),
    table: () => toTable(host, group),
  });
  if (groups.length > 1) {
    element.querySelector("figcaption")?.append(
      select({
        label: "Network of",
        names: groups.map(({ name, n }) => `${name} (${n})`),
        value: chosen,
        onChange: (i) => {
          memory.set(networkKey, groups[i]!.name);
          redraw();
        },
      }),
    );
  }
  return element;
}
