// Objective and R2 over the iterations of the fit.
import { objectiveTerms, stageStarts } from "../data/fit_course";
import type { Iteration } from "../data/format";
import { lines } from "../draw/lines";
import { colour } from "../draw/theme";
import { figure } from "../ui/figure";
import type { PanelHost } from "./panel";

/** Names of more stages would cover each other. */
const mostNamedStages = 9;

function stageLines(iterations: readonly Iteration[]): { x: number; name: string }[] {
  const starts = stageStarts(iterations);
  return starts.map(({ at, stage }) => ({
    x: iterations[at]!.iteration,
    name: starts.length <= mostNamedStages ? String(stage) : "",
  }));
}

function stageNote(iterations: readonly Iteration[]): string {
  const starts = stageStarts(iterations).length;
  if (starts === 0) return "";
  const isDense = starts > mostNamedStages;
  return ` Dashed lines: a stage begins${isDense ? ` (there are ${starts + 1}; lines that would touch are left out)` : ""}.`;
}

export function objectiveFigure(host: PanelHost): HTMLElement {
  const { iterations } = host.report.data.summary;
  const terms = objectiveTerms(iterations);
  const stages = stageNote(iterations);
  return figure(host, {
    name: "objective",
    title: "Objective by term",
    note:
      "What the fit makes small: the squared error that is left, and a penalty per term." +
      (stages
        ? `${stages} Weights of the terms change with it, so values before and after cannot be compared.`
        : ""),
    draw: (frame) =>
      lines(
        {
          label: "Objective over the iterations",
          x: iterations.map(({ iteration }) => iteration),
          xTitle: "iteration",
          yTitle: "objective",
          isLog: true,
          hasWholeX: true,
          lines: terms.map((term) =>
            term.name === "total"
              ? { ...term, colour: colour(frame.theme, "--ink"), dash: [], width: 2.5 }
              : term,
          ),
          verticals: stageLines(iterations),
        },
        frame,
      ),
    table: () => ({
      header: ["iteration", "stage", ...terms.map(({ name }) => name)],
      rows: iterations.map(({ iteration, stage, objective }) => [
        iteration,
        stage,
        ...terms.map(({ name }) => objective[name] ?? null),
      ]),
    }),
  });
}

export function r2Figure(host: PanelHost): HTMLElement {
  const { iterations } = host.report.data.summary;
  return figure(host, {
    name: "r2",
    title: "R2 as the fit weighs channels",
    note:
      "Over the iterations. Channels count by their noise, so it need not end at the R2 of the summary." +
      stageNote(iterations),
    draw: (frame) =>
      lines(
        {
          label: "R2 over the iterations",
          x: iterations.map(({ iteration }) => iteration),
          xTitle: "iteration",
          yTitle: "R2",
          hasKey: false,
          hasWholeX: true,
          lines: [{ name: "R2", values: iterations.map(({ r2 }) => r2 ?? NaN) }],
          verticals: stageLines(iterations),
        },
        frame,
      ),
    table: () => ({
      header: ["iteration", "stage", "r2"],
      rows: iterations.map(({ iteration, stage, r2 }) => [iteration, stage, r2]),
    }),
  });
}
