// One trial: its labels, data, fit and what is left, one channel, and the traces.
import { trialData, trialsByError, type TrialData } from "../data/trial_data";
import { select } from "../ui/controls";
import { h, nameText, withCode } from "../ui/dom";
import { counted, percent, shortNumber } from "../ui/words";
import type { Panel, PanelHost } from "./panel";
import { channelFigure, trialTracesFigure } from "./trial_lines";
import { channelOrder, channelOrderPicker, mapFigures } from "./trial_maps";

const orderKey = "sorted by error";

export const trials: Panel = {
  id: "trials",
  title: "Trials",
  about: "One trial: what was recorded, what the model makes of it, and what it leaves.",
  uses: ["component", "channel", "trial"],
  isAvailable: ({ data, nTrials }) => data.traces !== null && nTrials > 0,
  render(host) {
    const { report, state, body } = host;
    const trial = state.selection.trial ?? report.data.data?.trials[0] ?? 0;
    const data = trialData(report, trial);
    body.append(trialPicker(host, trial), facts(host, trial));
    const why = whyNoData(host, data);
    if (why) body.append(h("p", { class: "note missing-data" }, ...withCode(why)));
    if (data) {
      const channels = channelOrder(host);
      body.append(
        channelOrderPicker(host),
        h("div", { class: "three" }, ...mapFigures(host, { trial, data, channels })),
        channelFigure(host, trial, data, state.selection.channel ?? channels[0] ?? 0),
      );
    }
    body.append(trialTracesFigure(host, trial));
  },
};

function trialPicker({ report, state, memory, redraw }: PanelHost, trial: number): HTMLElement {
  const isByError = memory.get(orderKey) === true;
  const order = isByError ? trialsByError(report) : Array.from(report.trialNames.keys());
  const hasData = new Set(report.data.data?.trials ?? []);
  const isSome = report.data.data !== null && !report.data.data.is_all;
  const position = order.indexOf(trial);
  const step = (by: number, text: string) => {
    const next = order[position + by];
    const onclick = () => {
      if (next !== undefined) state.select({ trial: next });
    };
    const disabled = next === undefined;
    return h("button", { type: "button", disabled, "data-key": text, onclick }, text);
  };
  const name = (m: number) => {
    const r2 = report.data.evaluation?.trials[m]?.r2 ?? null;
    const described = isByError && r2 !== null ? `, ${percent(r2)} described` : "";
    return `${report.trialNames[m]!}${described}${isSome && hasData.has(m) ? ", with data" : ""}`;
  };
  return h(
    "div",
    { class: "controls" },
    select({
      label: "Trial",
      names: order.map(name),
      value: position,
      onChange: (i) => {
        state.select({ trial: order[i]! });
      },
    }),
    h("span", { class: "control" }, step(-1, "Previous"), step(1, "Next")),
    report.data.evaluation
      ? select({
          label: "in the order",
          names: ["of the trials", "from best to worst described"],
          value: isByError ? 1 : 0,
          onChange: (i) => {
            memory.set(orderKey, i === 1);
            redraw();
          },
        })
      : null,
  );
}

/** Its labels, its length, and how well it is described. */
function facts({ report }: PanelHost, trial: number): HTMLElement {
  const list = h("dl", { class: "facts" });
  const add = (name: string, value: string) => {
    list.append(h("div", {}, h("dt", {}, nameText(name)), h("dd", {}, nameText(value))));
  };
  for (const { name, values } of report.data.trials.labels) {
    add(name, shortNumber(values[trial] ?? "no value"));
  }
  add("length", counted(report.trialLength(trial), "time point"));
  const score = report.data.evaluation?.trials[trial];
  if (score) {
    add("described (R2)", percent(score.r2));
    add("relative error", percent(score.relative_error));
  }
  return list;
}

function whyNoData({ report }: PanelHost, data: TrialData | null): string {
  const shown = report.data.data;
  if (!shown) {
    return (
      "This report was made without the trials, so only traces can be shown. " +
      "`milcci report MODEL TRIALS` adds data, fit and errors."
    );
  }
  if (shown.is_all) return "";
  const some =
    `To stay small, the page has the data of ${shown.trials.length} of ` +
    `${counted(report.nTrials, "trial")}, from the best to the worst described`;
  return data
    ? `${some}.`
    : `${some}, and this is not one of them. Its traces and errors are here.`;
}
