import { describe, expect, test } from "vitest";
import {
  channelTitle,
  exact,
  heldTogether,
  howFarBehind,
  short,
  shortNumber,
  tellApart,
  visible,
} from "../../src/ui/words";

test("Marks that turn a name round are shown as the command line shows them", () => {
  expect(visible("\u202elive")).toBe("\\xe2\\x80\\xaelive");
  expect(visible("a\u0007b\u2066c")).toBe("a\\x07b\\xe2\\x81\\xa6c");
  expect(visible("قناة שלום 🧠\n")).toBe("قناة שלום 🧠\n");
});

test("A percent sign does not begin a line", () => {
  expect(heldTogether("thin line: 5 to 95 %; 87.8 % of 3")).toBe(
    "thin line: 5 to 95\u00a0%; 87.8\u00a0% of 3",
  );
});

test("An answer with a lower objective is ahead, and not behind by less than nothing", () => {
  expect([0.00179, -0.000163, null].map(howFarBehind)).toEqual([
    " (0.179\u00a0% behind)",
    " (0.0163\u00a0% ahead)",
    "",
  ]);
});

test("A channel is not called so twice", () => {
  expect(["V1", "channel67", "Chan 3"].map(channelTitle)).toEqual([
    "Channel V1",
    "channel67",
    "Chan 3",
  ]);
});

describe("Short numbers", () => {
  test("keep all digits before the point, so that a year stays a year", () => {
    expect([1985, 1234.5, 123.4, 12.345, 0.12345].map(short)).toEqual([
      "1985",
      "1235",
      "123",
      "12.3",
      "0.123",
    ]);
  });
  test("are powers where they are long", () => {
    expect([123456, 0.00012345, -2e-9].map(short)).toEqual(["1.2e5", "1.2e-4", "-2.0e-9"]);
  });
});

describe("Marks of an axis", () => {
  test("are told apart, also large and small ones", () => {
    expect([1980, 1985, 1990].map(exact)).toEqual(["1980", "1985", "1990"]);
    expect([100000, 125000, 150000].map(exact)).toEqual(["100000", "125000", "150000"]);
    expect([1e-9, 1.5e-9].map(exact)).toEqual(["1e-9", "1.5e-9"]);
    expect([1000.1, 1000.2].map(exact)).toEqual(["1000.1", "1000.2"]);
    expect([1e6, 1.25e6].map(exact)).toEqual(["1e6", "1.25e6"]);
    expect(exact(0.1 + 0.2)).toBe("0.3");
  });
});

describe("Times", () => {
  test("have the digits that tell them apart", () => {
    expect([1984, 1985].map(tellApart([1984, 1985, 1987]))).toEqual(["1984", "1985"]);
    expect([1 / 3, 2 / 3].map(tellApart([0, 1 / 3, 2 / 3]))).toEqual(["0.33", "0.67"]);
    const days = [20240115, 20240116];
    expect(days.map(tellApart(days))).toEqual(["20240115", "20240116"]);
    expect([10.005, 10.01].map(tellApart([10, 10.005, 10.01]))).toEqual(["10.005", "10.01"]);
  });
});

describe("Labels that are long numbers", () => {
  test("keep all digits before the point", () => {
    expect(shortNumber("1985.25000000")).toBe("1985");
    expect(shortNumber("0.333333333333")).toBe("0.333");
    expect(shortNumber("20240115")).toBe("20240115");
  });
});
