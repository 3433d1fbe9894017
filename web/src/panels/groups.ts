// Which groups of channels, such as brain regions, components are made of, against chance.
import type { GroupShare } from "../data/format";
import type { Report } from "../data/report";
import { bars } from "../draw/bars";
import { heatMap } from "../draw/heat_map";
import { categoryColours } from "../draw/theme";
import { h } from "../ui/dom";
import { figure } from "../ui/figure";
import { percent, short } from "../ui/words";
import type { Panel, PanelHost } from "./panel";

/** False discovery rate below which a group stands out. */
const standsOut = 0.05;

export const groups: Panel = {
  id: "groups",
  title: "Channel groups",
  about:
    "How much of each component lies in each group of channels, and how much chance would give.",
  uses: ["component", "optionA", "optionB"],
  isAvailable: ({ data }) => (data.channels.group_shares?.length ?? 0) > 0,
  render(host) {
    const { body, report, state } = host;
    body.append(overview(host));
    if (sharesOf(report, state.selection.component).length > 0) body.append(ofComponent(host));
    else body.append(h("p", { class: "note" }, "The selected component is dead: it has no group."));
  },
};

function allShares(report: Report): readonly GroupShare[] {
  return report.data.channels.group_shares ?? [];
}

function sharesOf(report: Report, j: number): GroupShare[] {
  const { name } = report.categoryOf(j);
  const number = report.component(j).number + 1;
  return allShares(report).filter((row) => row.category === name && row.component === number);
}

function groupNames(report: Report): string[] {
  return [...new Set(allShares(report).map(({ group }) => group))].sort();
}

/** Rows as they are downloaded, of some shares or all. */
function toRows(shares: readonly GroupShare[]) {
  return {
    header: [
      "category",
      "component",
      "option",
      "group",
      "n_channels",
      "n_members",
      "share",
      "expected",
      "p",
      "q",
    ],
    rows: shares.map((row) => [
      row.category,
      row.component,
      row.option,
      row.group,
      row.n_channels,
      row.n_members,
      row.share,
      row.expected,
      row.p,
      row.q,
    ]),
  };
}

function describeShare(row: GroupShare): string {
  const members = `${row.n_members} of ${row.n_channels} channels are members`;
  const star = row.q < standsOut ? ", more than chance gives" : "";
  return (
    `${row.group}: ${percent(row.share)} of the membership, ${percent(row.expected)} by chance\n` +
    `${members} (q ${short(row.q)}${star})`
  );
}

function overview(host: PanelHost): HTMLElement {
  const { report, state } = host;
  const names = groupNames(report);
  const nGroups = names.length;
  const values = new Float64Array(report.components.length * nGroups).fill(NaN);
  const found = new Map<number, GroupShare>();
  report.components.forEach((_, j) => {
    const option = report.categoryOf(j).options[report.strongest(j)];
    for (const row of sharesOf(report, j)) {
      if (row.option !== option) continue;
      const cell = j * nGroups + names.indexOf(row.group);
      values[cell] = row.share;
      found.set(cell, row);
    }
  });
  return figure(host, {
    name: "group shares",
    title: "All components",
    note: "Share of the membership in each group, under the option where the component is strongest.",
    draw: (frame) =>
      heatMap(
        {
          label: "Share of each component in each group",
          rows: {
            title: "component",
            names: report.components.map(({ name }) => name),
            selected: [state.selection.component],
          },
          columns: { title: "group", names },
          values,
          kind: "amounts",
          legend: "share of membership",
          describe: (j, g) => {
            const row = found.get(j * nGroups + g);
            const { name } = report.component(j);
            return row ? `${name}\n${describeShare(row)}` : `${name}: dead`;
          },
          choose: (component) => {
            state.select({ component });
          },
        },
        frame,
      ),
    table: () => toRows(allShares(report)),
  });
}

function ofComponent(host: PanelHost): HTMLElement {
  const { report, state } = host;
  const { component: j, optionA, optionB } = state.selection;
  const { name: category, options } = report.categoryOf(j);
  const shown = [...new Set([optionA, optionB])].map((i) => options[i]!);
  const shares = sharesOf(report, j).filter(({ option }) => shown.includes(option));
  const rowOf = (group: string, option: string) =>
    shares.find((row) => row.group === group && row.option === option);
  const largest = (group: string) => Math.max(...shown.map((o) => rowOf(group, o)?.share ?? 0));
  const names = groupNames(report).sort((a, b) => largest(b) - largest(a));
  const isOut = (group: string) => shown.some((o) => (rowOf(group, o)?.q ?? 1) < standsOut);
  return figure(host, {
    name: `${report.component(j).name} groups`,
    key: "groups",
    title: `Groups of ${report.component(j).name}`,
    note:
      "The upright line is what chance gives. A star: more members than chance gives " +
      "(false discovery rate below 0.05).",
    draw: (frame) =>
      bars(
        {
          label: `Groups of ${report.component(j).name}`,
          series: shown.map((option, s) => ({
            name: `${category} = ${option}`,
            colour: shown.length > 1 ? categoryColours[s]! : "var(--bar)",
          })),
          rows: names.map((group) => ({
            name: isOut(group) ? `${group} *` : group,
            bars: shown.map((option) => {
              const row = rowOf(group, option);
              return { value: row?.share ?? NaN, mark: row?.expected ?? NaN };
            }),
          })),
          axis: "share of membership",
          describe: (r) =>
            shown
              .map((option) => {
                const row = rowOf(names[r]!, option);
                return row ? `${shown.length > 1 ? `${option}, ` : ""}${describeShare(row)}` : "";
              })
              .join("\n"),
        },
        frame,
      ),
    table: () => toRows(sharesOf(report, j)),
  });
}
