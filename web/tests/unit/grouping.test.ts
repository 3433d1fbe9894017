import { expect, test } from "vitest";
import { moments, timeTitle } from "../../src/data/events";
import { groupingOf, groupings } from "../../src/data/grouping";
import { Report } from "../../src/data/report";
import { trialsByError } from "../../src/data/trial_data";
import { smallReport } from "../fixture";

test("Categories come first, and a label column of the same name does not come again", () => {
  const report = new Report(smallReport());
  expect(groupings(report).map(({ name }) => name)).toEqual(["side", "dose"]);
  expect(groupings(report)[0]!.values).toEqual(["left", "</option>"]);
});

test("Label columns are in their own order, and a missing value is in no group", () => {
  const data = smallReport();
  data.trials.labels[0]!.name = "answer";
  const answer = groupingOf(new Report(data), 0, "answer")!;
  expect(answer.values).toEqual(["</option>", "left"]);
  expect(Array.from(answer.ofTrial)).toEqual([1, 0, 1, 0, 1, -1]);
});

test("Without a label, trials are grouped by the component's category", () => {
  const report = new Report(smallReport());
  expect(groupingOf(report, 1, null)!.name).toBe("dose");
});

test("A moment is given for each trial, or once for all", () => {
  const data = smallReport();
  data.traces!.events = [
    { name: "go", times: [2] },
    { name: "answer", times: [1, 2, 3, null, 3, 3] },
  ];
  const [go, answer] = moments(new Report(data));
  expect(go).toMatchObject({ isFixed: true, median: 2 });
  expect(go!.times.length).toBe(6);
  expect(answer).toMatchObject({ isFixed: false, median: 3 });
});

test("Times without a unit are time points", () => {
  expect(timeTitle(new Report(smallReport()))).toBe("time point");
});

test("Without errors, trials stay in their order", () => {
  expect(trialsByError(new Report(smallReport()))).toEqual([0, 1, 2, 3, 4, 5]);
});
