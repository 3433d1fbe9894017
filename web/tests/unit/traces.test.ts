import { describe, expect, test } from "vitest";
import { groupTrials, type Grouping } from "../../src/data/grouping";
import {
  runningMean,
  runningWidth,
  summariseTraces,
  withoutFew,
} from "../../src/data/trace_groups";

const choice: Grouping = {
  name: "choice",
  values: ["right", "left"],
  isOrdered: false,
  ofTrial: [1, 0, 1, -1, 0],
};
const contrast: Grouping = {
  name: "contrast",
  values: ["0", "0.5", "1"],
  isOrdered: true,
  ofTrial: [2, 0, 0, 1, 0],
};

describe("Groups of trials", () => {
  test("are all trials without a label", () => {
    expect(groupTrials(3, [])).toEqual({
      groups: [{ values: [], trials: [0, 1, 2] }],
      leftOut: [],
    });
  });

  test("follow the order of the values and leave out trials without one", () => {
    expect(groupTrials(5, [choice])).toEqual({
      groups: [
        { values: ["right"], trials: [1, 4] },
        { values: ["left"], trials: [0, 2] },
      ],
      leftOut: [3],
    });
  });

  test("of two labels are the combinations that trials have", () => {
    expect(groupTrials(5, [choice, contrast]).groups).toEqual([
      { values: ["right", "0"], trials: [1, 4] },
      { values: ["left", "0"], trials: [2] },
      { values: ["left", "1"], trials: [0] },
    ]);
  });
});

describe("Statistics of traces", () => {
  test("are over the trials that have a sample", () => {
    const traces = [
      [1, 2, NaN],
      [3, NaN, NaN],
      [8, 4, NaN],
    ];
    const { mean, low, high, n } = summariseTraces(traces, 3);
    expect([...n]).toEqual([3, 2, 0]);
    expect([...mean]).toEqual([4, 3, NaN]);
    // Between order statistics: at a tenth of two steps from 1 to 3, and at nine tenths of them.
    expect(low[0]).toBeCloseTo(1.4);
    expect(high[0]).toBeCloseTo(7);
    expect(high[1]).toBeCloseTo(3.8);
    expect(low[2]).toBeNaN();
  });

  test("A running mean has fewer neighbours at the ends and leaves out what is not known", () => {
    expect([...runningMean([1, 2, 6, NaN, 4], 3)]).toEqual([1.5, 3, 4, 5, 4]);
  });

  test("A running mean is over an odd number of trials", () => {
    expect([1, 12, 120, 1011].map(runningWidth)).toEqual([5, 5, 9, 67]);
  });
});

describe("Means of trials of different lengths", () => {
  const lengths = [6, 4, 4, 4, 4, 4, 4, 4];
  const traces = lengths.map((n) => Array.from({ length: 6 }, (_, t) => (t < n ? 1 : NaN)));

  test("end where too few trials are left, and keep their numbers", () => {
    const { shown, isCut } = withoutFew(summariseTraces(traces, 6), 8);
    expect(isCut).toBe(true);
    for (const values of [shown.mean, shown.low, shown.high]) {
      expect(Array.from(values)).toEqual([1, 1, 1, 1, NaN, NaN]);
    }
    expect(Array.from(shown.n)).toEqual([8, 8, 8, 8, 1, 1]);
  });

  test("may be of two trials where there are three", () => {
    const { shown, isCut } = withoutFew(
      { ...summariseTraces(traces, 3), n: Float64Array.of(3, 2, 1) },
      3,
    );
    expect(isCut).toBe(true);
    expect(Array.from(shown.mean)).toEqual([1, 1, NaN]);
  });

  test("are whole where a group has few trials, and they are equally long", () => {
    const { shown, isCut } = withoutFew(summariseTraces(traces.slice(0, 1), 6), 1);
    expect(isCut).toBe(false);
    expect(Array.from(shown.mean)).toEqual([1, 1, 1, 1, 1, 1]);
  });
});
