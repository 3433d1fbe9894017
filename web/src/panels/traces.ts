// What the selected component does over time: by label, in every trial, and from trial to trial.
import { h } from "../ui/dom";
import type { Panel } from "./panel";
import { driftFigure } from "./trace_drift";
import { grouped, groupingPickers, ownLabelNote } from "./trace_grouping";
import { meansFigure } from "./trace_means";
import { allTrialsFigure } from "./trace_trials";

export const traces: Panel = {
  id: "traces",
  title: "Traces",
  about:
    "What the selected component does over time, in the trials that share a label and in each trial.",
  uses: ["component", "trial", "by"],
  isAvailable: ({ data }) => data.traces !== null,
  render(host) {
    const { report, state, body } = host;
    const { component } = state.selection;
    if (report.component(component).is_dead) {
      body.append(h("p", {}, "This component is dead: its trace is zero in every trial."));
      return;
    }
    const trials = grouped(host);
    const own = ownLabelNote(host, trials);
    body.append(
      groupingPickers(host),
      own ? h("p", { class: "note missing-data" }, own) : "",
      meansFigure(host, trials),
      allTrialsFigure(host, trials),
      driftFigure(host),
    );
  },
};
