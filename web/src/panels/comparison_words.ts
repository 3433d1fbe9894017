// What a comparison of methods says, in sentences: first of all whether another method predicts better than ours.
import {
  fullName,
  hasNoScore,
  isAlwaysBefore,
  isOurs,
  nRepeats,
  spreadsOf,
  type Scored,
} from "../data/comparison";
import type { ComparisonData, ScoreSpread } from "../data/format";
import { counted } from "../ui/words";

/** More digits than elsewhere: methods are often close. */
export function scoreText(value: number): string {
  return value.toFixed(4);
}

export function verdict(comparison: ComparisonData): string {
  // What a method did with fewer components, after it failed, has no rank, and is no rival.
  const predictors = spreadsOf(comparison.methods, "cosmoothing_r2")
    .filter(({ spread }) => spread.rank_mean !== null)
    .sort((a, b) => b.spread.mean - a.spread.mean);
  if (predictors.length === 0) return withoutPrediction(comparison);
  const ours = predictors.filter(({ method }) => isOurs(method));
  const others = predictors.filter(({ method }) => !isOurs(method));
  const [best, rival] = [ours[0], others[0]];
  if (!best) {
    const { method, spread } = predictors[0]!;
    return (
      `Our model has no prediction of held-out channels here; the best is that of ${method.name}, ` +
      `with a co-smoothing R2 of ${scoreText(spread.mean)}.`
    );
  }
  if (!rival) {
    const score = `a co-smoothing R2 of ${scoreText(best.spread.mean)}`;
    return `Our model predicts held-out channels with ${score}; no other method was asked to.`;
  }
  return rival.spread.mean > best.spread.mean
    ? behind(best, rival, comparison)
    : ahead(ours, others, comparison);
}

function withoutPrediction({ n_held_out }: ComparisonData): string {
  return n_held_out === 0
    ? "No trials were held out, so that methods are compared only by the trials that they were fitted to."
    : "No method predicted held-out channels.";
}

function behind(best: Scored, rival: Scored, comparison: ComparisonData): string {
  const repeats = nRepeats(comparison);
  return sentence(
    howOften(isAlwaysBefore(rival, best, repeats), repeats),
    `${rival.method.name} predicts held-out channels better than our model: co-smoothing R2 ` +
      `${scoreText(rival.spread.mean)} against ${scoreText(best.spread.mean)} of ${best.method.name}.`,
  );
}

function ahead(
  ours: readonly Scored[],
  others: readonly Scored[],
  comparison: ComparisonData,
): string {
  const [best, rival] = [ours[0]!, others[0]!];
  const repeats = nRepeats(comparison);
  const isSure = others.every((other) => isAlwaysBefore(best, other, repeats));
  const beaten = ours.filter(({ spread }) => spread.mean < rival.spread.mean);
  const but = beaten.map(
    ({ method, spread }) =>
      `; ${rival.method.name} does better than ${method.name} (${scoreText(spread.mean)})`,
  );
  return sentence(
    howOften(isSure, repeats),
    `our model (${best.method.name}) predicts held-out channels best: co-smoothing R2 ` +
      `${scoreText(best.spread.mean)} against ${scoreText(rival.spread.mean)} of ` +
      `${rival.method.name}${but.join("")}.`,
  );
}

function howOften(isInEach: boolean, repeats: number): string {
  if (repeats < 2) return "";
  return isInEach ? `in each of ${repeats} repeats, ` : `on average over ${repeats} repeats, `;
}

/** Names of methods stay as they are written. */
function sentence(beginning: string, rest: string): string {
  const isName = beginning === "" && !rest.startsWith("our model");
  const text = beginning + rest;
  return isName ? text : text[0]!.toUpperCase() + text.slice(1);
}

/** What was done, and what the scores do not say. */
export function howCompared(comparison: ComparisonData, nOfModel: number): string[] {
  const { n_trials, n_held_out, n_components, folds, repeats, interrupted } = comparison;
  const done =
    `All methods, ours too, were fitted anew to the same ${counted(n_trials, "trial")} with ` +
    counted(n_components, "component") +
    (n_components === nOfModel ? "." : `; the model of this report has ${nOfModel}.`);
  const held =
    n_held_out > 0
      ? ` For co-smoothing ${counted(n_held_out, "trial")} were held out` +
        (repeats > 1 ? ", other ones in each repeat" : "") +
        `: after a fit to the others, each of ${folds} parts of their channels is predicted from the rest.`
      : "";
  const once =
    repeats > 1 ? "" : " This is one run; `milcci compare --repeats 5` tells how far scores vary.";
  const stopped = interrupted ? " The comparison was stopped before all of it was done." : "";
  return [
    done + held + once + stopped,
    "A high R2 does not mean that the components are right: with enough of them, any describe the trials that " +
      "they were fitted to. Co-smoothing asks more, but pieces or mixtures of the right components predict about " +
      "as well as the components themselves.",
  ];
}

/** "rank 3", "rank 3.3 (3 to 4)", or "" of what has none. */
export function rankText({ rank_mean, rank_min, rank_max }: ScoreSpread): string {
  if (rank_mean === null) return "";
  const mean = String(Number(rank_mean.toFixed(1)));
  const ends = `${String(rank_min)} to ${String(rank_max)}`;
  return rank_min === rank_max ? `rank ${mean}` : `rank ${mean} (${ends})`;
}

/** Texts with the methods that they are of, each text once. */
export function notesOf(comparison: ComparisonData): { names: string[]; text: string }[] {
  const names = new Map<string, string[]>();
  const add = (text: string, name: string) => {
    names.set(text, [...(names.get(text) ?? []), name]);
  };
  for (const method of comparison.methods) {
    const name = fullName(method, comparison);
    if (method.failed && !hasNoScore(method)) add(`failed at first: ${method.failed}`, name);
    for (const note of method.notes) add(note, name);
    if (method.cosmoothing_note) add(`no co-smoothing: ${method.cosmoothing_note}`, name);
    if (method.stopped && method.stopped !== "converged") {
      add(`stopped before it converged (${method.stopped.replaceAll("_", " ")})`, name);
    }
  }
  return Array.from(names, ([text, of]) => ({ names: of, text }));
}
