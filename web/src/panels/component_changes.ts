// What changes in the selected component between the two selected options, by the rule of `milcci show`.
import { changeBetween, type ChangeKind, type MemberChange } from "../data/changes";
import type { Table } from "../data/csv";
import { saveCsv } from "../ui/download";
import { h, nameText } from "../ui/dom";
import { counted, short } from "../ui/words";
import type { PanelHost } from "./panel";

const kinds: readonly { kind: ChangeKind; mark: string; about: string }[] = [
  { kind: "gained", mark: "+", about: "joins it" },
  { kind: "lost", mark: "−", about: "leaves it" },
  { kind: "changed", mark: "~", about: "stays, with another membership" },
];

const fewChanges = 12;

export function changesFigure(host: PanelHost): HTMLElement {
  const { report, state } = host;
  const { component: j, optionA, optionB } = state.selection;
  const { options } = report.categoryOf(j);
  const { strength } = report.component(j);
  const change = changeBetween(report.variants(j), optionA, optionB);
  const table = (): Table => ({
    header: ["channel", "change", "before", "after"],
    rows: change.members.map(({ channel, kind, before, after }) => [
      report.channelNames[channel]!,
      kind,
      before,
      after,
    ]),
  });
  const element = h(
    "section",
    { class: "changes", "aria-label": "What changes" },
    h(
      "h3",
      {},
      "What changes from ",
      nameText(options[optionA]!),
      " to ",
      nameText(options[optionB]!),
    ),
    h(
      "p",
      { class: "note" },
      sentence(change.similarity, change.members.length, optionA === optionB),
    ),
    change.members.length > 0
      ? h(
          "p",
          { class: "note" },
          "Memberships are shares: when members leave, those of all others rise. What the component adds " +
            "to a channel, its strength, is ",
          `${short(strength[optionA]!)} and ${short(strength[optionB]!)}.`,
        )
      : null,
    ...kinds.map(({ kind, mark, about }) => {
      const members = change.members.filter((member) => member.kind === kind);
      return members.length > 0 ? kindList(host, members, `${mark} ${kind}`, about) : null;
    }),
  );
  if (change.members.length > 0) {
    element.append(
      h(
        "div",
        { class: "tools" },
        h(
          "button",
          {
            type: "button",
            onclick: () => {
              saveCsv(`${report.component(j).name} changes`, table());
            },
          },
          "Download CSV",
        ),
      ),
    );
  }
  return element;
}

function sentence(similarity: number, n: number, isSame: boolean): string {
  if (isSame) return "Select two different options to compare.";
  const alike = `The two variants have similarity ${similarity.toFixed(2)} (1 is the same).`;
  return n > 0
    ? `${alike} ${counted(n, "channel")} clearly ${n === 1 ? "changes" : "change"}.`
    : `${alike} No member is gained, lost or clearly changed.`;
}

function kindList(
  { report, state }: PanelHost,
  members: readonly MemberChange[],
  title: string,
  about: string,
): HTMLElement {
  const items = members.slice(0, fewChanges).map(({ channel, kind, before, after }) =>
    h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "name",
          "data-key": `change ${channel}`,
          "aria-pressed": String(channel === state.selection.channel),
          onclick: () => {
            state.select({ channel });
          },
        },
        nameText(report.channelNames[channel]!),
      ),
      h("span", { class: kind }, ` ${short(before)} → ${short(after)}`),
    ),
  );
  const rest = members.length - items.length;
  if (rest > 0) items.push(h("li", { class: "note" }, `and ${rest} more`));
  return h(
    "div",
    { class: "change-kind" },
    h("h4", {}, title, h("span", { class: "note" }, ` – ${about}`)),
    h("ul", {}, ...items),
  );
}
