import { describe, expect, it } from "vitest";
import { changeBetween, largestChange } from "../../src/data/changes";

const variant = (...values: number[]) => Float64Array.from(values);

describe("what changes between two options", () => {
  it("names channels that join, leave or clearly change, the largest difference first", () => {
    const change = changeBetween([variant(1, 0, 0.5, 0.3), variant(1, 0.4, 0, 0.55)], 0, 1);
    expect(change.members.map(({ channel, kind }) => [channel, kind])).toEqual([
      [2, "lost"],
      [1, "gained"],
      [3, "changed"],
    ]);
  });

  it("measures by a tenth of the largest membership under any option, not only these two", () => {
    const two = [variant(0.5, 0.08), variant(0.5, 0.0)];
    expect(changeBetween(two, 0, 1).members).toHaveLength(1);
    expect(changeBetween([...two, variant(-1, 0)], 0, 1).members).toHaveLength(0);
  });

  it("does not name a difference of just a tenth", () => {
    expect(changeBetween([variant(1, 0.1), variant(1, 0)], 0, 1).members).toHaveLength(0);
  });

  it("takes a change of sign as changed", () => {
    expect(changeBetween([variant(1), variant(-1)], 0, 1).members[0]?.kind).toBe("changed");
  });
});

describe("the largest change", () => {
  const variants = [variant(1, 0), variant(1, 0.1), variant(0, 1)];

  it("is between neighbours where options are ordered", () => {
    expect(largestChange(variants, true, 0)).toMatchObject({ from: 1, to: 2 });
  });

  it("is from the strongest option where they are not", () => {
    expect(largestChange(variants, false, 2)).toMatchObject({ from: 2, to: 0 });
  });

  it("is none of one option", () => {
    expect(largestChange([variant(1)], false, 0)).toBeNull();
  });
});
