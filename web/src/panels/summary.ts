// What was found, in words: first of all what is wrong, then how well, how sure, and how to say it.
import type { Report } from "../data/report";
import { copyable } from "../ui/copy";
import { h, withCode } from "../ui/dom";
import type { Panel } from "./panel";
import { componentTable } from "./summary_table";

export const summary: Panel = {
  id: "summary",
  title: "Summary",
  about: "What was fitted, how well it describes the data, and how sure each part of it is.",
  uses: ["component"],
  isAvailable: () => true,
  render(host) {
    const { headline, news, certainty, warnings, methods, citation, bibtex } =
      host.report.data.words;
    const { history } = host.report.data;
    host.body.append(
      news ? h("p", { class: "news", role: "alert", dir: "auto" }, ...withCode(news)) : "",
      h("div", { class: "prose" }, ...sentences(headline), ...sentences(certainty)),
      warnings.length > 0 ? warningList(warnings) : "",
      h("h3", {}, "Components"),
      componentTable(host),
      fileNote(host.report),
      folded("Methods, to paste into a paper", copyable(methods, "the methods", host.say)),
      folded(
        "How to cite",
        h("p", { class: "prose" }, citation),
        copyable(bibtex, "the BibTeX entry", host.say),
      ),
      history.length > 0
        ? folded(
            "How the data were prepared",
            h("ol", { class: "steps" }, ...history.map((step) => h("li", { dir: "auto" }, step))),
          )
        : "",
    );
  },
};

function sentences(texts: readonly string[]): HTMLElement[] {
  return texts.map((text) => h("p", { dir: "auto" }, ...withCode(text)));
}

function warningList(warnings: readonly string[]): HTMLElement {
  return h(
    "div",
    { class: "warnings" },
    h("h3", {}, warnings.length === 1 ? "A warning" : `${warnings.length} warnings`),
    h("ul", {}, ...warnings.map((text) => h("li", { dir: "auto" }, ...withCode(text)))),
  );
}

function fileNote({ data: { files, software, evaluation } }: Report): HTMLElement {
  const trials = evaluation
    ? ["; trials: ", h("bdi", {}, files.trials ?? "not in a file")]
    : ["; trials were not given, so what needs the data itself is not shown"];
  return h(
    "p",
    { class: "note" },
    "Model: ",
    h("bdi", {}, files.model ?? "not in a file"),
    ...trials,
    `; milcci ${software}.`,
  );
}

function folded(title: string, ...content: HTMLElement[]): HTMLElement {
  return h("details", { class: "folded" }, h("summary", {}, title), ...content);
}
