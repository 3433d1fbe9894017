// How the fit went: its course, what it leaves, its starts, and other answers.
import { h, withCode } from "../ui/dom";
import { counted } from "../ui/words";
import { alternativeFigures } from "./fit_alternatives";
import { objectiveFigure, r2Figure } from "./fit_course";
import { errorFigures } from "./fit_errors";
import { gainFigure } from "./fit_gain";
import { startsFigure } from "./fit_starts";
import type { Panel } from "./panel";

export const fit: Panel = {
  id: "fit",
  title: "Fit",
  about:
    "How the fit went, where the model describes the data well and where not, and whether other answers " +
    "are about as good.",
  uses: ["component", "optionA", "channel", "trial"],
  isAvailable: ({ data }) =>
    data.summary.iterations.length > 0 ||
    data.summary.candidates.length > 0 ||
    data.evaluation !== null,
  render(host) {
    const { summary, alternatives, evaluation } = host.report.data;
    const { body } = host;
    if (evaluation) {
      body.append(h("div", { class: "side-by-side" }, ...errorFigures(host)));
    } else {
      const how = "`milcci report MODEL TRIALS` adds the errors by trial, label, channel and time.";
      body.append(h("p", { class: "note missing-data" }, ...withCode(how)));
    }
    body.append(h("div", { class: "side-by-side" }, gainFigure(host), startsFigure(host)));
    if (alternatives.length > 0) {
      const n = counted(alternatives.length, "other answer");
      const are = alternatives.length === 1 ? "is" : "are";
      body.append(
        h("p", { class: "lead" }, `${n} ${are} about as good as this model.`),
        h("div", { class: "side-by-side" }, ...alternativeFigures(host)),
      );
    }
    if (summary.iterations.length > 0) {
      body.append(h("div", { class: "side-by-side" }, objectiveFigure(host), r2Figure(host)));
    }
  },
};
