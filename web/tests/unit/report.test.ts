import { describe, expect, it } from "vitest";
import { combinations, cross } from "../../src/data/design";
import { spread, variantDistances } from "../../src/data/distances";
import { Report } from "../../src/data/report";
import { findName } from "../../src/ui/controls";
import { move } from "../../src/draw/cursor";
import { fitText, linearScale, readableTicks, ticks } from "../../src/draw/svg";
import { short } from "../../src/ui/words";
import { hardNames, smallReport } from "../fixture";

const report = new Report(smallReport());

describe("the report", () => {
  it("gives variants and members of a component", () => {
    expect([...report.variants(0)[1]!]).toEqual([0.5, 0, 0.2, 0.3, 0, 0]);
    expect(report.members(0)).toEqual([0, 1, 3, 2]);
  });

  it("gives the trace of a component in a trial", () => {
    expect(report.trace(1, 2)[0]).toBe(Math.sin(4 * (6 + 2)));
  });

  it("numbers trials by their names where those count", () => {
    const first = (names: string[]) => {
      const data = smallReport();
      data.trials.names = names;
      return new Report(data).firstTrialNumber;
    };
    expect(first(["0", "1", "2", "3", "4", "5"])).toBe(0);
    expect(first(["7", "8", "9", "10", "11", "12"])).toBe(7);
    expect(first(["0", "1", "3", "4", "5", "6"])).toBe(1);
    expect(first(["a", "b", "c", "d", "e", "f"])).toBe(1);
    expect(first(["", "1", "2", "3", "4", "5"])).toBe(1);
  });

  it("counts trials per combination, empty ones too", () => {
    expect([...cross(report, 0, 1).counts]).toEqual([1, 1, 1, 1, 1, 1]);
    const data = smallReport();
    data.trials.option_of_trial[1] = [0, 0, 0, 1, 2, 2];
    const all = combinations(new Report(data), [0, 1]);
    expect(all.find(({ options }) => options.join() === "0,1")?.n).toBe(0);
    expect(all.reduce((sum, { n }) => sum + n, 0)).toBe(6);
  });

  it("compares variants within and between components", () => {
    const { pairs } = variantDistances(report);
    expect(pairs.filter(({ kind }) => kind === "within")).toHaveLength(1 + 3);
    expect(pairs.filter(({ kind }) => kind === "between")).toHaveLength(2 * 3);
  });
});

describe("small helpers", () => {
  it("spread a few over many, ends included", () => {
    expect(spread(3, 5)).toEqual([0, 1, 2]);
    expect(spread(101, 3)).toEqual([0, 50, 100]);
  });

  it("find names: the same, then the beginning, then inside", () => {
    expect(findName(["ab", "b", "bc"], "B")).toBe(1);
    expect(findName(["xab", "abc"], "ab")).toBe(1);
    expect(findName(hardNames, "שלום")).toBe(2);
    expect(findName(["a"], "q")).toBe(-1);
  });

  it("move a cursor within its cells", () => {
    const size = { nRows: 3, nColumns: 2 };
    expect(move(null, "ArrowDown", size)).toEqual([0, 0]);
    expect(move([0, 0], "ArrowUp", size)).toEqual([0, 0]);
    expect(move([0, 0], "PageDown", size)).toEqual([2, 0]);
    expect(move([0, 0], "End", size)).toEqual([0, 1]);
    expect(move([0, 0], "a", size)).toBeNull();
  });

  it("set round ticks", () => {
    expect(ticks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(ticks(-0.1, 0.32, 4)).toEqual([0, 0.2]);
    expect(ticks(2, 2, 4)).toEqual([2]);
  });

  it("have a tick on each side of a number where there is room", () => {
    const shown = (low: number, high: number, width: number) => {
      const axis = { scale: linearScale([low, high], [0, width]), low, high };
      return readableTicks(axis, width / 90, (text) => 6 * text.length);
    };
    expect(shown(0, 0.078, 290)).toEqual([0, 0.02, 0.04, 0.06]);
    expect(shown(-0.3, 0.32, 120)).toEqual([-0.2, 0, 0.2]);
    expect(shown(0.63, 0.88, 190)).toEqual([0.65, 0.7, 0.75, 0.8, 0.85]);
    expect(shown(0, 1, 30)).toEqual([0, 1]);
    expect(shown(0, 26, 900)).toEqual([0, 5, 10, 15, 20, 25]);
  });

  it("cut names so that their ends stay", () => {
    const cut = (text: string, width: number) =>
      fitText(text, width, (one) => Array.from(one).length);
    expect(cut("unit18", 6)).toBe("unit18");
    expect(cut("hippocampus_right", 12)).toBe("hippoca…ight");
    expect(cut("hippocampus_left", 12)).toBe("hippoca…left");
    expect(cut("trial_number 2", 6)).toBe("tri… 2");
    expect(cut("abc", 0)).toBe("…");
  });

  it("write short numbers", () => {
    expect([0, 0.12345, 1234.5, 1e-7, NaN, null].map(short)).toEqual([
      "0",
      "0.123",
      "1235",
      "1.0e-7",
      "",
      "",
    ]);
  });
});
