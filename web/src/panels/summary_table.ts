// The table of components: how much, how sure, who, and what changes. A click selects one.
import type { Table } from "../data/csv";
import type { ComponentData } from "../data/format";
import type { Report } from "../data/report";
import { h, nameText, type Child } from "../ui/dom";
import { saveCsv } from "../ui/download";
import { percent, short } from "../ui/words";
import type { PanelHost } from "./panel";

interface Mark {
  sign: string;
  word: string;
  tone: "good" | "doubt" | "bad" | "quiet";
  meaning: string;
}

const marks = {
  firm: {
    sign: "✓",
    word: "firm",
    tone: "good",
    meaning: "every answer that was found and explains the data about as well has it",
  },
  unclear: {
    sign: "~",
    word: "firm, label not clear",
    tone: "doubt",
    meaning:
      "every answer that was found has it, but it may as well belong to another label (firmness below 2)",
  },
  alternative: {
    sign: "?",
    word: "alternative",
    tone: "doubt",
    meaning: "some answer that explains the data about as well does without it",
  },
  unstable: {
    sign: "??",
    word: "unstable",
    tone: "bad",
    meaning: "most answers that explain the data about as well do without it",
  },
  dead: { sign: "–", word: "dead", tone: "quiet", meaning: "it has no member" },
  unknown: {
    sign: "",
    word: "not known",
    tone: "quiet",
    meaning: "there was no other answer to compare with",
  },
  once: {
    sign: "!",
    word: "found once",
    tone: "doubt",
    meaning: "at most one start found it by itself; another seed may find another in its place",
  },
  alone: {
    sign: "1",
    word: "one channel",
    tone: "doubt",
    meaning: "it lives on one channel: it describes that channel and not a group",
  },
} satisfies Record<string, Mark>;

/** Firmness below which a component may as well belong to another label; src/report/report_words.cpp. */
const clear = 2;

function certaintyMark({ certainty, firmness }: ComponentData): Mark {
  if (certainty === null || certainty === "none") return marks.unknown;
  const isClear = firmness === null || firmness >= clear;
  return certainty === "firm" && !isClear ? marks.unclear : marks[certainty];
}

function marksOf(component: ComponentData): Mark[] {
  const { is_dead, certainty, is_found_once, is_on_one_channel } = component;
  if (is_dead || certainty === "none") return [marks.dead];
  return [
    certaintyMark(component),
    ...(is_found_once ? [marks.once] : []),
    ...(is_on_one_channel ? [marks.alone] : []),
  ];
}

const nStrongest = 3;

/** The channels that lead a component under the option where it is strongest. */
function strongestChannels(report: Report, j: number): number[] {
  const variant = report.variants(j)[report.strongest(j)]!;
  const size = (n: number) => Math.abs(variant[n]!);
  return report
    .members(j)
    .filter((n) => size(n) > 0)
    .sort((a, b) => size(b) - size(a))
    .slice(0, nStrongest);
}

function changeText(report: Report, j: number): Child[] {
  if (report.component(j).is_dead) return [];
  const { options } = report.categoryOf(j);
  const change = report.largestChange(j);
  if (!change) return ["it does not adjust"];
  const member = change.members[0];
  if (!member) return ["hardly anything"];
  return [
    nameText(options[change.from]!),
    " to ",
    nameText(options[change.to]!),
    `: ${member.kind} `,
    nameText(report.channelNames[member.channel]!),
  ];
}

/** As `milcci fit` prints it: far above one is firm, about one a coin toss. */
function firmnessText(firmness: number | null): string {
  return firmness !== null && firmness > 100 ? "> 100" : short(firmness);
}

export function componentTable({ report, state }: PanelHost): HTMLElement {
  const head = [
    "component",
    "certainty",
    "share explained",
    "stability",
    "firmness",
    "strongest channels",
    "changes most",
  ];
  const isNumber = [false, false, true, true, true, false, false];
  const column = (c: number) => ({ scope: "col", class: isNumber[c] ? "number" : "" });
  const used = new Set<Mark>();
  const rows = report.components.map((component, j) => {
    const own = marksOf(component);
    own.forEach((mark) => used.add(mark));
    const select = () => {
      state.select({ component: j });
    };
    const isSelected = j === state.selection.component;
    const row = h(
      "tr",
      { class: isSelected ? "selected" : "", onclick: select },
      h("th", { scope: "row" }, componentButton(component.name, j, isSelected)),
      h("td", {}, ...own.map(markText)),
      h("td", { class: "number" }, percent(component.explained)),
      h("td", { class: "number" }, short(component.stability)),
      h("td", { class: "number" }, firmnessText(component.firmness)),
      h("td", {}, ...channelList(report, j)),
      h("td", {}, ...changeText(report, j)),
    );
    return row;
  });
  const table = h(
    "table",
    { class: "components" },
    h("caption", {}, "Components of the model"),
    h("thead", {}, h("tr", {}, ...head.map((name, c) => h("th", column(c), name)))),
    h("tbody", {}, ...rows),
  );
  const save = () => {
    saveCsv("components", toTable(report));
  };
  const name = "Table of components";
  const region = { class: "scroll", tabindex: 0, role: "region", "aria-label": name };
  return h(
    "div",
    {},
    h("p", { class: "note sideways" }, "The table goes on to the right: scroll it sideways."),
    h("div", region, table),
    h("ul", { class: "marks" }, ...[...used].map(meaning)),
    h("ul", { class: "marks" }, ...columnMeanings(report).map(columnMeaning)),
    h("div", { class: "tools" }, h("button", { type: "button", onclick: save }, "Download CSV")),
  );
}

/** The click reaches the row, which selects. */
function componentButton(name: string, j: number, isSelected: boolean): HTMLElement {
  return h(
    "button",
    {
      type: "button",
      class: "name",
      "data-key": `component ${j}`,
      "aria-pressed": String(isSelected),
    },
    nameText(name),
  );
}

function markText({ sign, word, tone }: Mark): HTMLElement {
  return h("span", { class: `mark ${tone}` }, `${sign} ${word}`.trim());
}

function meaning({ sign, word, tone, meaning }: Mark): HTMLElement {
  return h("li", {}, markText({ sign, word, tone, meaning }), ` ${meaning}.`);
}

/** What a reader may not know by its name. */
function columnMeanings({ components }: Report): [string, string][] {
  const isKnown = (key: "explained" | "stability" | "firmness") =>
    components.some((component) => component[key] !== null);
  const meanings: [string, string][] = [];
  if (isKnown("explained")) {
    meanings.push(["share explained", "of what the model explains, how much is this component"]);
  }
  if (isKnown("stability")) {
    meanings.push(["stability", "share of the starts of the search that found it; 1 is all"]);
  }
  if (isKnown("firmness")) {
    meanings.push([
      "firmness",
      "what it gains from its own label over what it would gain from the next best; 10 and more is clear, about 1 a " +
        "coin toss. It is another thing than the mark firm",
    ]);
  }
  return meanings;
}

function columnMeaning([title, text]: [string, string]): HTMLElement {
  return h("li", {}, h("strong", {}, title), `: ${text}.`);
}

function channelList(report: Report, j: number): Child[] {
  return strongestChannels(report, j).flatMap((n, i) => [
    i > 0 ? ", " : "",
    nameText(report.channelNames[n]!),
  ]);
}

function toTable(report: Report): Table {
  return {
    header: [
      "component",
      "category",
      "certainty",
      "explained",
      "stability",
      "firmness",
      "n_members",
      "time_constant",
      "strongest_channels",
    ],
    rows: report.components.map((component, j) => [
      component.name,
      report.categoryOf(j).name,
      component.is_dead ? "dead" : component.certainty,
      component.explained,
      component.stability,
      component.firmness,
      component.n_members,
      component.time_constant,
      strongestChannels(report, j)
        .map((n) => report.channelNames[n]!)
        .join("; "),
    ]),
  };
}
