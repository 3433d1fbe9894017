import { describe, expect, it } from "vitest";
import { toCsv } from "../../src/data/csv";

describe("toCsv", () => {
  it("quotes what RFC 4180 asks for", () => {
    const rows = [['say "hi"', "a,b", "two\nlines", "plain"]];
    expect(toCsv({ header: ["a", "b", "c", "d"], rows })).toBe(
      'a,b,c,d\r\n"say ""hi""","a,b","two\nlines",plain\r\n',
    );
  });

  it("keeps names as they are", () => {
    const rows = [[" spaces ", "=1+1", "שלום", "🧠"]];
    expect(toCsv({ header: [], rows })).toBe('\r\n" spaces ",=1+1,שלום,🧠\r\n');
  });

  it("writes numbers that read back to the same bits, and nothing for what is not known", () => {
    const numbers = [0.1 + 0.2, 1e-300, -0.5, 12345678901234];
    const line = toCsv({ header: [], rows: [[...numbers, NaN, null]] }).split("\r\n")[1]!;
    expect(line.split(",").slice(0, 4).map(Number)).toEqual(numbers);
    expect(line.endsWith(",,")).toBe(true);
  });
});
