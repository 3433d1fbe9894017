import { describe, expect, it } from "vitest";
import { Report } from "../../src/data/report";
import { State } from "../../src/state";
import { smallReport } from "../fixture";

const start = (hash = "") => new State(new Report(smallReport()), hash);

describe("the selection", () => {
  it("begins with what changes most in the first component", () => {
    expect(start().selection).toMatchObject({ component: 0, optionA: 0, optionB: 1 });
  });

  it("goes through the hash and back", () => {
    const state = start();
    state.select({ component: 1, optionA: 2, optionB: 0, channel: 3, trial: 5, by: "side" });
    expect(start(state.toHash()).selection).toEqual(state.selection);
  });

  it("ignores what the report does not have", () => {
    const hash = "#component=9&from=7&channel=0&trial=-1&by=nothing&to=x";
    expect(start(hash).selection).toEqual(start().selection);
  });

  it("brings the options of another component", () => {
    const state = start();
    state.select({ optionA: 1, optionB: 0 });
    state.select({ component: 1 });
    expect(state.selection).toMatchObject({ optionA: 0, optionB: 1 });
  });

  it("tells what has changed, and nothing if nothing has", () => {
    const state = start();
    const told: string[][] = [];
    state.subscribe((changed) => told.push([...changed]));
    state.select({ channel: 2 });
    state.select({ channel: 2 });
    state.select({ channel: null });
    expect(told).toEqual([["channel"], ["channel"]]);
  });
});
