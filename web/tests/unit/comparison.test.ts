import { describe, expect, test } from "vitest";
import { fullName, orderOf, sortMethods, usualSorting } from "../../src/data/comparison";
import { howCompared, notesOf, rankText, verdict } from "../../src/panels/comparison_words";
import { comparisonOf, method, smallComparison, spread } from "../fixture";

const predicts = (name: string, mean: number, rank: number) =>
  method(name, { spread: { cosmoothing_r2: spread(mean, rank) } });

describe("the first sentence", () => {
  test("says that another method predicts better than ours", () => {
    const text = verdict(
      comparisonOf([
        predicts("milcci", 0.6, 3),
        predicts("milcci_nonnegative", 0.65, 2),
        predicts("fa", 0.7, 1),
      ]),
    );
    expect(text).toBe(
      "In each of 3 repeats, fa predicts held-out channels better than our model: co-smoothing R2 0.7000 against " +
        "0.6500 of milcci_nonnegative.",
    );
  });

  test("says that it beats one of ours, though the other is best", () => {
    const text = verdict(
      comparisonOf([
        predicts("milcci", 0.6, 3),
        predicts("milcci_nonnegative", 0.8, 1),
        predicts("fa", 0.7, 2),
      ]),
    );
    expect(text).toBe(
      "In each of 3 repeats, our model (milcci_nonnegative) predicts held-out channels best: co-smoothing R2 0.8000 " +
        "against 0.7000 of fa; fa does better than milcci (0.6000).",
    );
  });

  test("does not claim every repeat where ranks overlap", () => {
    const wide = { ...spread(0.7, 1.5), rank_min: 1, rank_max: 2 };
    const ours = method("milcci", { spread: { cosmoothing_r2: { ...wide, mean: 0.71 } } });
    const other = method("fa", { spread: { cosmoothing_r2: wide } });
    expect(verdict(comparisonOf([ours, other]))).toMatch(/^On average over 3 repeats, our model/);
  });

  test("does not claim a repeat in which one of them failed", () => {
    const ours = predicts("milcci", 0.6, 2);
    const other = method("fa", { spread: { cosmoothing_r2: { ...spread(0.7, 1), n: 2 } } });
    expect(verdict(comparisonOf([ours, other]))).toMatch(/^On average over 3 repeats, fa predicts/);
  });

  test("leaves out what a method did with less, and what failed", () => {
    expect(verdict(smallComparison())).toContain(
      "</td><b>ica</b> predicts held-out channels better",
    );
  });

  test("does not speak of repeats if there was one", () => {
    const once = (name: string, mean: number, rank: number) =>
      method(name, { spread: { cosmoothing_r2: { ...spread(mean, rank), n: 1, sd: null } } });
    expect(verdict(comparisonOf([once("milcci", 0.7, 1), once("fa", 0.6, 2)], 1))).toMatch(
      /^Our model \(milcci\) predicts/,
    );
  });

  test("says what cannot be told", () => {
    expect(verdict({ ...comparisonOf([method("milcci")]), n_held_out: 0 })).toContain(
      "No trials were held out",
    );
    expect(verdict(comparisonOf([method("milcci")]))).toBe(
      "No method predicted held-out channels.",
    );
    expect(verdict(comparisonOf([predicts("fa", 0.7, 1)]))).toContain("the best is that of fa");
    expect(verdict(comparisonOf([predicts("milcci", 0.7, 1)]))).toContain(
      "no other method was asked to",
    );
    expect(verdict(comparisonOf([]))).toBe("No method predicted held-out channels.");
  });
});

describe("methods", () => {
  const { methods } = smallComparison();
  const names = (key: Parameters<typeof sortMethods>[1]) =>
    sortMethods(methods, key).map((one) => fullName(one, smallComparison()));

  test("are sorted by a score, the best first, those without it and those that failed last", () => {
    expect(names({ key: "cosmoothing_r2", isTurned: false })).toEqual([
      "nmf, 1 of 2 components, noise 0.1 added",
      "</td><b>ica</b>",
      "milcci",
      "svd",
      "slicetca_2",
      "nmf",
    ]);
    expect(names({ key: "seconds", isTurned: false }).slice(0, 2)).toEqual([
      "</td><b>ica</b>",
      "milcci",
    ]);
    expect(names({ key: "seconds", isTurned: true }).slice(0, 2)).toEqual([
      "milcci",
      "</td><b>ica</b>",
    ]);
    expect(names({ key: "seconds", isTurned: true })[5]).toBe("nmf");
    expect(names({ key: "name", isTurned: true })[0]).toBe("svd");
  });

  test("stand in the order that is told", () => {
    expect(orderOf({ key: "r2", isTurned: false })).toBe("descending");
    expect(orderOf({ key: "bic", isTurned: false })).toBe("ascending");
    expect(orderOf({ key: "name", isTurned: true })).toBe("descending");
  });

  test("are sorted by R2 where nothing was predicted", () => {
    expect(usualSorting(smallComparison()).key).toBe("cosmoothing_r2");
    expect(usualSorting(comparisonOf([method("milcci")])).key).toBe("r2");
  });
});

test("Ranks have their least and largest where they differ", () => {
  expect(rankText(spread(0.5, null))).toBe("");
  expect(rankText(spread(0.5, 3))).toBe("rank 3");
  expect(rankText({ ...spread(0.5, 10 / 3), rank_min: 3, rank_max: 4 })).toBe("rank 3.3 (3 to 4)");
});

test("A note stands once, with the methods that it is of", () => {
  const notes = notesOf(
    comparisonOf([
      method("slicetca_2", { cosmoothing_note: "why" }),
      method("slicetca_2_positive", { cosmoothing_note: "why", stopped: "time_limit" }),
      method("svd", { notes: ["cut"] }),
    ]),
  );
  expect(notes).toEqual([
    { names: ["slicetca_2", "slicetca_2_positive"], text: "no co-smoothing: why" },
    { names: ["slicetca_2_positive"], text: "stopped before it converged (time limit)" },
    { names: ["svd"], text: "cut" },
  ]);
});

test("What was done names the components of the model only if they are others", () => {
  expect(howCompared(smallComparison(), 2)[0]).not.toContain("the model of this report");
  expect(howCompared(smallComparison(), 5)[0]).toContain("the model of this report has 5");
  const once = howCompared(
    { ...smallComparison(), repeats: 1, interrupted: true, n_held_out: 0 },
    2,
  )[0];
  expect(once).toContain("This is one run");
  expect(once).toContain("stopped before all of it was done");
  expect(once).not.toContain("held out");
  expect(howCompared(smallComparison(), 2)[1]).toContain(
    "A high R2 does not mean that the components are right",
  );
});
