import { describe, expect, it } from "vitest";
import {
  cosine,
  extent,
  histogram,
  largestAbsolute,
  mean,
  meanOfRows,
  percentile,
  rowsByGroup,
  unitDistance,
} from "../../src/data/statistics";

describe("percentile", () => {
  it("interpolates between order statistics", () => {
    expect(percentile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(percentile([0, 10], 0.05)).toBeCloseTo(0.5, 12);
    expect(percentile([5, 1, 3], 0)).toBe(1);
    expect(percentile([5, 1, 3], 1)).toBe(5);
  });

  it("leaves out what is not known", () => {
    expect(percentile([NaN, 2, NaN, 4], 0.5)).toBe(3);
    expect(percentile([NaN], 0.5)).toBeNaN();
  });
});

describe("means", () => {
  it("leave out what is not known", () => {
    expect(mean([1, NaN, 3])).toBe(2);
    expect(mean([])).toBeNaN();
    const rows = [
      [1, NaN],
      [3, NaN],
      [100, 100],
    ];
    expect([...meanOfRows((r) => rows[r]!, [0, 1], 2)]).toEqual([2, NaN]);
  });

  it("know rows by group, and rows of no group", () => {
    expect(rowsByGroup([0, 2, -1, 0], 3)).toEqual([[0, 3], [], [1]]);
  });
});

describe("distances", () => {
  it("are those of variants of length one", () => {
    expect(unitDistance([2, 0], [0, 5])).toBeCloseTo(Math.SQRT2, 12);
    expect(unitDistance([1, 1], [3, 3])).toBeCloseTo(0, 6);
    expect(unitDistance([1], [-1])).toBe(2);
    expect(unitDistance([0], [1])).toBeNaN();
  });

  it("have a cosine of zero where one is zero", () => {
    expect(cosine([0, 0], [1, 2])).toBe(0);
    expect(cosine([1, 0], [-2, 0])).toBe(-1);
  });
});

describe("ranges", () => {
  it("leave out what is not known", () => {
    expect(extent([NaN, 3, -1])).toEqual([-1, 3]);
    expect(extent([NaN])).toEqual([NaN, NaN]);
    expect(largestAbsolute([-4, 3])).toBe(4);
    expect(largestAbsolute([])).toBe(0);
  });

  it("are cut into bins that include both ends", () => {
    expect(histogram([0, 0.4, 1, 2, 3], 0, 2, 2).counts).toEqual([2, 2]);
  });
});
