import { expect, test } from "vitest";
import { Report } from "../../src/data/report";
import { largestExchange, meanTransitions } from "../../src/data/transitions";
import { pack, smallReport } from "../fixture";

// prettier-ignore
const twoTrials = [
  0.9, -0.4,   0.2, 0.8,
  0.7, NaN,    0.4, 0.6,
];

function report(isDead = false): Report {
  const data = smallReport();
  data.transitions = pack(twoTrials, [2, 2, 2]);
  data.components[1]!.is_dead = isDead;
  return new Report(data);
}

test("Transitions are means over the trials that know them", () => {
  const { components, values } = meanTransitions(report(), [0, 1]);
  expect(components).toEqual([0, 1]);
  [0.8, -0.4, 0.3, 0.7].forEach((x, i) => {
    expect(values[i]).toBeCloseTo(x);
  });
});

test("Dead components have no transitions", () => {
  const transitions = meanTransitions(report(true), [0]);
  expect(transitions.components).toEqual([0]);
  expect([...transitions.values]).toEqual([0.9]);
  expect(largestExchange(transitions)).toBe(0);
});

test("What a component keeps of itself is no exchange", () => {
  expect(largestExchange(meanTransitions(report(), [0]))).toBe(0.4);
});
