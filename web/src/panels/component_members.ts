// Ranked members of the selected component, under the two selected options.
import { bars, type BarRow } from "../draw/bars";
import { categoryColours } from "../draw/theme";
import { figure } from "../ui/figure";
import { firstOf } from "../ui/more";
import { short } from "../ui/words";
import type { PanelHost } from "./panel";

/** Half a 90 % interval, in standard errors. */
const halfInterval = 1.645;

export function membersFigure(host: PanelHost): HTMLElement {
  const { report, state } = host;
  const { component: j, channel, optionA, optionB } = state.selection;
  const { name: category, options } = report.categoryOf(j);
  const variants = report.variants(j);
  const errors = report.standardErrors(j);
  const shownOptions = optionA === optionB ? [optionA] : [optionA, optionB];
  const ranked = rank(
    report.members(j),
    shownOptions.map((i) => variants[i]!),
  );
  const { shown: members, button } = firstOf(
    host,
    ranked,
    membersOf(options.length, shownOptions.length),
  );

  const rows: BarRow[] = members.map((n) => ({
    name: report.channelNames[n]!,
    note: report.groupOf(n),
    isSelected: n === channel,
    bars: shownOptions.map((i) => ({
      value: variants[i]![n]!,
      error: halfInterval * (errors?.[i]?.[n] ?? NaN),
    })),
  }));
  const describe = (row: number) => {
    const n = members[row]!;
    const lines = shownOptions.map((i) => {
      const error = errors?.[i]?.[n] ?? NaN;
      const interval = Number.isNaN(error) ? "" : ` ± ${short(halfInterval * error)}`;
      const option = options.length > 1 ? `${options[i]!}: ` : "";
      return `${option}${short(variants[i]![n]!)}${interval}`;
    });
    return [report.channelNames[n]!, report.groupOf(n), ...lines].filter(Boolean).join("\n");
  };

  const element = figure(host, {
    name: `${report.component(j).name} members`,
    key: "members",
    title: "Members, strongest first",
    ...(errors ? { note: "Thin lines are 90 % intervals." } : {}),
    draw: (frame) =>
      bars(
        {
          label: `Members of ${report.component(j).name}`,
          series: shownOptions.map((i, s) => ({
            name: `${category} = ${options[i]!}`,
            colour: shownOptions.length > 1 ? categoryColours[s]! : "var(--bar)",
          })),
          rows,
          axis: "membership",
          describe,
          choose: (row) => {
            state.select({ channel: members[row]! });
          },
        },
        frame,
      ),
    table: () => ({
      header: ["channel", "group", "option", "membership", "standard_error"],
      rows: ranked.flatMap((n) =>
        shownOptions.map((i) => [
          report.channelNames[n]!,
          report.groupOf(n),
          options[i]!,
          variants[i]![n]!,
          errors?.[i]?.[n] ?? null,
        ]),
      ),
    }),
  });
  if (button) element.append(button);
  return element;
}

/** Fewer than those of the component, where some are members under other options only. */
function membersOf(nOptions: number, nShown: number): string {
  if (nOptions < 2) return "members";
  return nShown > 1 ? "members under these options" : "members under this option";
}

/** Members under one of the options, the largest first. */
function rank(members: readonly number[], variants: readonly Float64Array[]): number[] {
  const size = (n: number) => Math.max(...variants.map((variant) => Math.abs(variant[n]!)));
  return members.filter((n) => size(n) > 0).sort((a, b) => size(b) - size(a));
}
