// What was found of the true components of simulated trials.
import { timeTitle } from "../data/events";
import { trueComponents, trueTrace, trueVariant, type TrueComponent } from "../data/truth";
import { bars } from "../draw/bars";
import { lines } from "../draw/lines";
import { scatter } from "../draw/scatter";
import { categoryColours, colour } from "../draw/theme";
import { optionPicker } from "../ui/controls";
import { h, withCode } from "../ui/dom";
import { figure } from "../ui/figure";
import { short } from "../ui/words";
import type { Panel, PanelHost } from "./panel";

export const truth: Panel = {
  id: "truth",
  title: "Truth",
  about:
    "The trials are simulated, so their true components are known: how much of each was found.",
  uses: ["component", "optionA", "channel", "trial"],
  isAvailable: ({ data }) => data.truth !== null,
  render(host) {
    const { report, state, body } = host;
    const all = trueComponents(report);
    const { component } = state.selection;
    body.append(matchesFigure(host, all));
    const one = all.find(({ match }) => match?.estimate === component);
    const name = report.component(component).name;
    if (!one) {
      body.append(h("p", { class: "note" }, `${name} matches no true component.`));
      return;
    }
    const trueTraces = tracesFigure(host, one);
    const why =
      "True traces are not on the page: there are too many of them. `milcci evaluate` compares them.";
    body.append(
      optionControl(host),
      h(
        "div",
        { class: "side-by-side" },
        membershipsFigure(host, one),
        trueTraces ?? h("p", { class: "note" }, ...withCode(why)),
      ),
    );
  },
};

function foundName({ report }: PanelHost, { match }: TrueComponent): string {
  return match?.estimate == null ? "not found" : report.component(match.estimate).name;
}

function matchesFigure(host: PanelHost, all: readonly TrueComponent[]): HTMLElement {
  const { state } = host;
  return figure(host, {
    name: "true components",
    title: "True components and what was found of them",
    note: "In the quiet colour: the component found. Correlation 1 is the same up to its scale.",
    draw: (frame) =>
      bars(
        {
          label: "Correlation of true components with those found",
          series: [
            { name: "memberships", colour: categoryColours[0]! },
            { name: "traces", colour: categoryColours[1]! },
          ],
          rows: all.map((one) => ({
            name: one.name,
            note: foundName(host, one),
            isSelected: one.match?.estimate === state.selection.component,
            bars: [
              { value: one.match?.component_correlation ?? NaN },
              { value: one.match?.trace_correlation ?? NaN },
            ],
          })),
          axis: "correlation",
          range: lowest(all) < 0 ? [-1, 1] : [0, 1],
          describe: (i) => {
            const one = all[i]!;
            return (
              `true ${one.name}, found ${foundName(host, one)}\n` +
              `memberships: ${digits(one.match?.component_correlation)}\n` +
              `traces: ${digits(one.match?.trace_correlation)}`
            );
          },
          choose: (i) => {
            const found = all[i]!.match?.estimate;
            if (found != null) state.select({ component: found });
          },
        },
        frame,
      ),
    table: () => ({
      header: ["true_component", "found", "membership_correlation", "trace_correlation"],
      rows: all.map((one) => [
        one.name,
        foundName(host, one),
        one.match?.component_correlation ?? null,
        one.match?.trace_correlation ?? null,
      ]),
    }),
  });
}

function lowest(all: readonly TrueComponent[]): number {
  return Math.min(
    0,
    ...all.flatMap(({ match }) => [
      match?.component_correlation ?? 0,
      match?.trace_correlation ?? 0,
    ]),
  );
}

/** More digits than elsewhere: many are near one. */
function digits(correlation: number | null | undefined): string {
  return correlation == null ? "not known" : correlation.toFixed(4);
}

function optionControl({ report, state }: PanelHost): HTMLElement | string {
  const { options, is_ordered } = report.categoryOf(state.selection.component);
  if (options.length < 2) return "";
  const spec = {
    label: "Option",
    names: options,
    value: state.selection.optionA,
    onChange: (optionA: number) => {
      state.select({ optionA });
    },
  };
  return h("div", { class: "controls" }, optionPicker(spec, is_ordered));
}

function membershipsFigure(host: PanelHost, one: TrueComponent): HTMLElement {
  const { report, state } = host;
  const { component: j, optionA, channel } = state.selection;
  const option = report.categoryOf(j).options[optionA]!;
  const found = report.variants(j)[optionA]!;
  const real = trueVariant(one, option);
  if (!real) {
    return h(
      "p",
      { class: "note" },
      `The truth has no option ${option}, so memberships cannot be compared.`,
    );
  }
  const name = report.component(j).name;
  const under = one.options.length > 1 ? ` under ${report.categoryOf(j).name} = ${option}` : "";
  return figure(host, {
    name: `${name} true memberships`,
    title: `True and found memberships${under}`,
    note: "A point is a channel; on the dashed line it was found as it is.",
    draw: (frame) =>
      scatter(
        {
          label: `True and found memberships of ${name}`,
          xTitle: "true membership",
          yTitle: "found membership",
          isSquare: true,
          points: report.channelNames.map((_, n) => ({
            x: real[n]!,
            y: found[n]!,
            colour: "var(--bar)",
            isSelected: n === channel,
          })),
          describe: (n) =>
            `${report.channelNames[n]!}\ntrue: ${short(real[n]!)}\nfound: ${short(found[n]!)}`,
          choose: (n) => {
            state.select({ channel: n });
          },
        },
        frame,
      ),
    table: () => ({
      header: ["channel", "group", "true", "found"],
      rows: report.channelNames.map((channelName, n) => [
        channelName,
        report.groupOf(n),
        real[n]!,
        found[n]!,
      ]),
    }),
  });
}

function tracesFigure(host: PanelHost, one: TrueComponent): HTMLElement | null {
  const { report, state } = host;
  const { component: j } = state.selection;
  const trial = state.selection.trial ?? report.data.data?.trials[0] ?? 0;
  const real = trueTrace(report, one.position, trial);
  if (!real) return null;
  const found = report.trace(j, trial);
  const times = report.traceTimes();
  const name = report.component(j).name;
  const trialName = report.trialNames[trial]!;
  return figure(host, {
    name: `${name} true trace of trial ${trialName}`,
    title: `True and found trace of trial ${trialName}`,
    note: "Correlation sees neither a constant shift nor a factor between them.",
    draw: (frame) =>
      lines(
        {
          label: `True and found trace of ${name} in trial ${trialName}`,
          x: times,
          xTitle: timeTitle(report),
          yTitle: "trace",
          height: 340,
          lines: [
            {
              name: "true",
              values: real,
              colour: colour(frame.theme, "--ink"),
              dash: [6, 3],
              isJoined: true,
            },
            { name: "found", values: found, colour: categoryColours[0]!, dash: [], isJoined: true },
          ],
        },
        frame,
      ),
    table: () => ({
      header: ["time", "true", "found"],
      rows: Array.from(times, (time, t) => [time, real[t]!, found[t]!]),
    }),
  });
}
