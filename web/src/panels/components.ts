// The selected component: its variants side by side, its members, and what changes between two options.
import type { ComponentData } from "../data/format";
import type { Report } from "../data/report";
import { heatMap } from "../draw/heat_map";
import { optionPicker } from "../ui/controls";
import { h, nameText } from "../ui/dom";
import { figure } from "../ui/figure";
import { counted, percent, short } from "../ui/words";
import { changesFigure } from "./component_changes";
import { membersFigure } from "./component_members";
import type { Panel, PanelHost } from "./panel";

/** A heat map of more options needs the whole width. */
const mostBesideMembers = 6;

export const components: Panel = {
  id: "components",
  title: "Components",
  about:
    "Which channels belong to the selected component, and how membership shifts from option to option.",
  uses: ["component", "optionA", "optionB", "channel"],
  isAvailable: () => true,
  render(host) {
    const { report, state, body } = host;
    const j = state.selection.component;
    const component = report.component(j);
    body.append(description(report, j));
    if (component.is_dead) return;
    const { options } = report.categoryOf(j);
    if (options.length > 1) body.append(optionPickers(host));
    const changes = options.length > 1 ? changesFigure(host) : null;
    const isNarrow = options.length <= mostBesideMembers;
    const beside = isNarrow ? variantsFigure(host) : changes;
    body.append(
      isNarrow ? "" : variantsFigure(host),
      h("div", { class: "side-by-side" }, beside, membersFigure(host)),
      isNarrow && changes ? changes : "",
    );
  },
};

function description(report: Report, j: number): HTMLElement {
  const component = report.component(j);
  const { name, kind, options } = report.categoryOf(j);
  const where =
    options.length > 1
      ? `a component of the category ${name} (${kind}, ${counted(options.length, "option")})`
      : `a component that no label changes (${kind})`;
  const facts = component.is_dead ? "dead: it has no member" : factsOf(component);
  return h(
    "p",
    { class: "about lead" },
    h("strong", {}, nameText(component.name)),
    ", ",
    nameText(where),
    `: ${facts}.`,
  );
}

function factsOf({ n_members, explained, stability, certainty }: ComponentData): string {
  const facts = [certainty ?? "of unknown certainty", counted(n_members, "member")];
  if (explained !== null) facts.push(`${percent(explained)} of what the model explains`);
  if (stability !== null) {
    facts.push(
      stability === 1 ? "found by every start" : `found by ${percent(stability)} of the starts`,
    );
  }
  return facts.join(", ");
}

function optionPickers({ report, state }: PanelHost): HTMLElement {
  const { component, optionA, optionB } = state.selection;
  const { options, is_ordered } = report.categoryOf(component);
  const from = optionPicker(
    {
      label: "From option",
      names: options,
      value: optionA,
      onChange: (value) => {
        state.select({ optionA: value });
      },
    },
    is_ordered,
  );
  const to = optionPicker(
    {
      label: "to option",
      names: options,
      value: optionB,
      onChange: (value) => {
        state.select({ optionB: value });
      },
    },
    is_ordered,
  );
  return h("div", { class: "controls" }, from, to);
}

/** Members first, strongest first; then the others, in their own order, if all are few. */
function shownChannels(report: Report, j: number): number[] {
  const members = report.members(j);
  if (report.nChannels > 60) return members;
  const isMember = new Set(members);
  const others = Array.from(report.channelNames.keys()).filter((n) => !isMember.has(n));
  return [...members, ...others];
}

function variantsFigure({ report, state, ...host }: PanelHost): HTMLElement {
  const { component: j, channel, optionA, optionB } = state.selection;
  const { name, options } = report.categoryOf(j);
  const variants = report.variants(j);
  const errors = report.standardErrors(j);
  const channels = shownChannels(report, j);
  const values = new Float64Array(channels.length * options.length);
  channels.forEach((n, row) => {
    variants.forEach((variant, i) => (values[row * options.length + i] = variant[n]!));
  });
  const at = (row: number, i: number) => values[row * options.length + i]!;
  const selectedRow = channel === null ? -1 : channels.indexOf(channel);
  const title = options.length > 1 ? "Variants side by side" : "Memberships";
  const left = report.nChannels - channels.length;

  return figure(
    { report, state, ...host },
    {
      name: `${report.component(j).name} memberships`,
      key: "memberships",
      title,
      note:
        left > 0
          ? `Members only; the other ${counted(left, "channel")} have membership zero under every option.`
          : "Members first; pale channels do not belong to it.",
      draw: (frame) =>
        heatMap(
          {
            label: `${title} of ${report.component(j).name}`,
            rows: {
              title: "channel",
              names: channels.map((n) => report.channelNames[n]!),
              selected: selectedRow < 0 ? [] : [selectedRow],
            },
            columns: {
              title: options.length > 1 ? name : "",
              names: options,
              selected: options.length > 1 ? [optionA, optionB] : [],
            },
            values,
            kind: report.isSigned(j) ? "signed" : "amounts",
            legend: "membership",
            describe: (row, i) =>
              `${report.channelNames[channels[row]!]!}\n${options[i]!}: ${short(at(row, i))}`,
            choose: (row, i) => {
              state.select({ channel: channels[row]!, optionB: i });
            },
          },
          frame,
        ),
      table: () => ({
        header: ["channel", "group", "option", "membership", "standard_error"],
        rows: channels.flatMap((n) =>
          options.map((option, i) => [
            report.channelNames[n]!,
            report.groupOf(n),
            option,
            variants[i]![n]!,
            errors?.[i]?.[n] ?? null,
          ]),
        ),
      }),
    },
  );
}
