import { expect, test } from "vitest";
import { drawnVerticals } from "../../src/draw/lines_spec";
import { objectiveTerms, stageStarts } from "../../src/data/fit_course";

const iteration = (number: number, stage: number, fit: number, total: number) => ({
  iteration: number,
  stage,
  r2: 0.5,
  objective: { fit, ridge: 0, total },
});
const iterations = [iteration(1, 1, 4, 5), iteration(2, 2, 0, 3), iteration(3, 2, 1, 2)];

test("Terms that are zero all the time are left out, and zeros have no place on the axis", () => {
  const terms = objectiveTerms(iterations);
  expect(terms.map(({ name }) => name)).toEqual(["fit", "total"]);
  expect([...terms[0]!.values]).toEqual([4, NaN, 1]);
});

test("A stage starts where its number changes", () => {
  expect(stageStarts(iterations)).toEqual([{ at: 1, stage: 2 }]);
});

test("Stages that begin one after the other do not run into a grey block", () => {
  const verticals = Array.from({ length: 100 }, (_, i) => ({ x: i, name: "" }));
  const spec = { label: "", x: [], xTitle: "", yTitle: "", lines: [] };
  const drawn = (scale: number, more: { x: number; name: string }[] = []) =>
    drawnVerticals({ ...spec, verticals: [...verticals, ...more] }, (x) => scale * x);
  expect(drawn(8)).toHaveLength(100);
  expect(drawn(1).map(({ x }) => x)).toEqual(Array.from({ length: 15 }, (_, i) => 7 * i));
  expect(drawn(1, [{ x: 100, name: "cue" }]).at(-1)!.name).toBe("cue");
  expect(drawnVerticals(spec, (x) => x)).toEqual([]);
});

test("A model without iterations has no course", () => {
  expect(objectiveTerms([])).toEqual([]);
  expect(stageStarts([])).toEqual([]);
});
