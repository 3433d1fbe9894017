// The starts of the search: how far each fell behind, and how like the winner it is.
import { ramp } from "../draw/colour_map";
import { scatter } from "../draw/scatter";
import { figure } from "../ui/figure";
import { counted, percent, short } from "../ui/words";
import type { PanelHost } from "./panel";

/** Why none is at the top where the winner has dead components, which nothing is like. */
function deadNote({ report: { components, data } }: PanelHost): string {
  const most = components.filter(({ is_dead }) => !is_dead).length / components.length;
  const isReached = data.summary.candidates.some(({ similarity }) => (similarity ?? 0) > most);
  return most === 0 || most === 1 || isReached
    ? ""
    : ` Dead components count as unlike, so the most is ${short(most)}.`;
}

export function startsFigure(host: PanelHost): HTMLElement | null {
  const { candidates } = host.report.data.summary;
  if (candidates.length === 0) return null;
  const lastRound = Math.max(...candidates.map(({ round }) => round));
  const rounds = Array.from({ length: lastRound }, (_, i) => i + 1);
  return figure(host, {
    name: "starts",
    title: "Starts of the search",
    note:
      `${counted(candidates.length, "start")}; colours tell the last round that each took part in. ` +
      `Points at the top left found the answer of the winner.${deadNote(host)}`,
    draw: (frame) => {
      const colours = ramp(lastRound, frame.theme);
      return scatter(
        {
          label: "Starts of the search",
          xTitle: "objective behind the best of the round, %",
          yTitle: "similarity to the winner",
          yRange: [0, 1.04],
          key: rounds.map((round) => ({
            name: `round ${round}`,
            colour: colours[round - 1]!,
            isDots: true,
          })),
          points: candidates.map(({ behind, similarity, round }) => ({
            x: 100 * (behind ?? NaN),
            y: similarity ?? NaN,
            colour: colours[round - 1]!,
          })),
          describe: (i) => {
            const { stream, behind, similarity, round } = candidates[i]!;
            return (
              `start ${stream + 1}, until round ${round}\nbehind the best of it: ${percent(behind)}\n` +
              `similarity: ${short(similarity)}`
            );
          },
        },
        frame,
      );
    },
    table: () => ({
      header: ["stream", "round", "objective", "behind", "similarity"],
      rows: candidates.map(({ stream, round, objective, behind, similarity }) => [
        stream,
        round,
        objective,
        behind,
        similarity,
      ]),
    }),
  });
}
