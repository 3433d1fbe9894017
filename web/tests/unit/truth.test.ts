import { expect, test } from "vitest";
import { Report } from "../../src/data/report";
import { trueComponents, trueTrace, trueVariant } from "../../src/data/truth";
import { pack, smallReport } from "../fixture";

function report(): Report {
  const data = smallReport();
  const match = {
    truth: 1,
    estimate: 0,
    true_category: "side",
    estimated_category: "side",
    component_correlation: 0.99,
    trace_correlation: 0.98,
    per_option: null,
  };
  const memberships = [
    { name: "fixed", options: ["all"], values: pack([1, 2, 3, 4, 5, 6], [1, 1, 6]) },
    {
      name: "side",
      options: ["</option>", "left"],
      values: pack([...new Array<number>(6).fill(1), ...new Array<number>(6).fill(2)], [1, 2, 6]),
    },
  ];
  const traces = pack(
    Array.from({ length: 2 * 6 * 4 }, (_, i) => i),
    [2, 6, 4],
  );
  data.truth = { matches: [match], memberships, traces };
  return new Report(data);
}

test("True components are numbered within their category and know what was found of them", () => {
  const all = trueComponents(report());
  expect(all.map(({ name }) => name)).toEqual(["fixed 1", "side 1"]);
  expect(all.map(({ match }) => match?.estimate ?? null)).toEqual([null, 0]);
});

test("Variants are found by the name of the option, whatever their order", () => {
  const [fixed, side] = trueComponents(report());
  expect(trueVariant(side!, "left")?.[0]).toBe(2);
  expect(trueVariant(side!, "</option>")?.[0]).toBe(1);
  expect(trueVariant(fixed!, "left")?.[5]).toBe(6);
  expect(trueVariant(side!, "1 to 3")).toBeNull();
});

test("A true trace is that of the trial", () => {
  expect([...trueTrace(report(), 1, 2)!]).toEqual([32, 33, 34, 35]);
  expect(trueTrace(new Report(smallReport()), 0, 0)).toBeNull();
});
