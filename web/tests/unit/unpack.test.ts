import { describe, expect, it } from "vitest";
import { numbers, unpack } from "../../src/data/unpack";
import { pack } from "../fixture";

describe("unpack", () => {
  it("reads doubles to the same bits", () => {
    const values = [0.1, -1 / 3, 1e-300, 7e22, 0, NaN];
    expect([...unpack(pack(values, [2, 3])).values]).toEqual(values);
  });

  it("reads floats and integers", () => {
    expect([...unpack(pack([0.5, -2], [2], { type: "float32" })).values]).toEqual([0.5, -2]);
    const large = [-2147483648, 2147483647, 5];
    expect([...unpack(pack(large, [3], { type: "int32" })).values]).toEqual(large);
  });

  it("scales each index of the first axis by its own step", () => {
    const packed = pack([1, 1.5, 2, 10, 30, 20], [2, 3], {
      type: "int16",
      scale: [0.5, 10],
      zero: [1, 0],
      missing: -32768,
    });
    expect([...unpack(packed).values]).toEqual([1, 1.5, 2, 10, 30, 20]);
  });

  it("undoes differences that wrapped around, line by line", () => {
    const options = { scale: [1, 1], zero: [0, 0], delta: true };
    const words = [30000, -30000, 30000, -5, -4, 32767];
    const int16 = pack(words, [2, 3], { ...options, type: "int16", missing: -32768 });
    expect([...unpack(int16).values]).toEqual(words);
    const small = [250, 3, 255, 0, 254, 1];
    const uint8 = pack(small, [2, 3], { ...options, type: "uint8" });
    expect([...unpack(uint8).values]).toEqual(small);
  });

  it("marks what is missing, after differences", () => {
    const packed = pack([1, NaN, 3], [1, 3], {
      type: "uint8",
      scale: [1],
      zero: [0],
      missing: 255,
      delta: true,
    });
    expect([...unpack(packed).values]).toEqual([1, NaN, 3]);
  });

  it("reads an empty array", () => {
    expect(unpack(pack([], [0, 3])).values).toHaveLength(0);
  });

  it("refuses bytes that do not fit the shape", () => {
    expect(() => unpack({ ...pack([1, 2], [2]), shape: [3] })).toThrow("expected 24");
  });

  it("unpacks once", () => {
    const packed = pack([1], [1]);
    expect(unpack(packed)).toBe(unpack(packed));
  });
});

describe("numbers", () => {
  it("takes plain lists, in which null is not known", () => {
    expect([...numbers([1, null, 3])]).toEqual([1, NaN, 3]);
  });
});
