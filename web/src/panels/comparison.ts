// Our model beside other methods on the same trials.
import { sortMethods, usualSorting, type Sorting } from "../data/comparison";
import { h, withCode } from "../ui/dom";
import { cosmoothingFigure, distancesFigure, trialErrorsFigure } from "./comparison_figures";
import { methodTable } from "./comparison_table";
import { howCompared, verdict } from "./comparison_words";
import type { Panel } from "./panel";

const sortingKey = "sorting of methods";

export const comparison: Panel = {
  id: "comparison",
  title: "Comparison",
  about: ({ data }) =>
    data.comparison ? verdict(data.comparison) : "How other methods do on the same trials.",
  uses: ["trial"],
  isAvailable: () => true,
  render(host) {
    const { report, body, memory } = host;
    const found = report.data.comparison;
    if (!found) {
      body.append(howToCompare());
      return;
    }
    const sorting = (memory.get(sortingKey) as Sorting | undefined) ?? usualSorting(found);
    const methods = sortMethods(found.methods, sorting);
    const onSort = (next: Sorting) => {
      memory.set(sortingKey, next);
      host.redraw();
    };
    const compared = { comparison: found, methods };
    const left = [cosmoothingFigure(host, compared), trialErrorsFigure(host, compared)];
    body.append(
      h(
        "div",
        { class: "prose" },
        ...howCompared(found, report.components.length).map((text) =>
          h("p", {}, ...withCode(text)),
        ),
      ),
      h("h3", {}, "Methods"),
      methodTable(host, { ...compared, sorting, onSort }),
      h(
        "div",
        { class: "side-by-side figures-below" },
        h("div", {}, ...left),
        distancesFigure(host, compared),
      ),
    );
  },
};

function howToCompare(): HTMLElement {
  return h(
    "p",
    { class: "note" },
    ...withCode(
      "`milcci compare TRIALS --category NAME=COUNT -o results.json`, with the categories of the fit, scores our model " +
        "and other methods with as many components; `milcci report MODEL TRIALS --comparison results.json` shows the " +
        "scores here.",
    ),
  );
}
