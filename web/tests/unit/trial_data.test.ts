import { expect, test } from "vitest";
import { residualOf, rowsOf } from "../../src/data/trial_data";
import { shortNumber } from "../../src/ui/words";

test("A residual is what the fit leaves of the data, and not known where these are not", () => {
  const data = {
    times: Float64Array.of(0, 1),
    values: Float64Array.of(3, NaN),
    fit: Float64Array.of(1, 2),
  };
  expect([...residualOf(data)]).toEqual([2, NaN]);
});

test("Rows of an array follow the order of the channels asked for", () => {
  const values = Float64Array.of(1, 2, 3, 4, 5, 6);
  expect([...rowsOf(values, [2, 0], 2)]).toEqual([5, 6, 1, 2]);
});

test("Only labels that are long numbers are shortened", () => {
  expect(shortNumber("0.503599290488637")).toBe("0.504");
  expect(shortNumber("1011")).toBe("1011");
  expect(shortNumber("NB_25_frameA_foil.png")).toBe("NB_25_frameA_foil.png");
});
