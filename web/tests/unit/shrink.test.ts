import { describe, expect, it } from "vitest";
import { shrink } from "../../src/draw/shrink";

describe("cells smaller than a pixel", () => {
  it("are means of those that share one", () => {
    const { nRows, nColumns, values } = shrink([1, 3, 5, 7, 2, 4, 6, 8], 2, 4, {
      width: 2,
      height: 10,
    });
    expect([nRows, nColumns, ...Array.from(values)]).toEqual([2, 2, 2, 6, 3, 7]);
  });

  it("leave out what is not known", () => {
    const size = { width: 2, height: 1 };
    expect(Array.from(shrink([1, NaN, NaN, NaN], 1, 4, size).values)).toEqual([1, NaN]);
  });

  it("stay as they are where there is room", () => {
    const values = [1, 2];
    expect(shrink(values, 1, 2, { width: 2, height: 1 }).values).toBe(values);
  });
});
