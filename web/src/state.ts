// What is selected, in one place: panels read it, change it, and are told when it changes. It stands in the
// URL's hash where the page has one, so that a link shows the same.
import { groupings } from "./data/grouping";
import type { Report } from "./data/report";

export interface Selection {
  /** Position among all components, from 0. */
  component: number;
  /** Two options of the component's category, from 0; A is compared with B. */
  optionA: number;
  optionB: number;
  /** From 0, or null for none. */
  channel: number | null;
  trial: number | null;
  /** Name of the category or label that traces and trials are grouped by, or null for the component's category. */
  by: string | null;
}

/** More options than a reader compares one by one. */
export const manyOptions = 40;

export type SelectionKey = keyof Selection;
type Listener = (changed: ReadonlySet<SelectionKey>) => void;

export class State {
  #selection: Selection;
  readonly #listeners: Listener[] = [];

  constructor(
    readonly report: Report,
    hash = "",
  ) {
    const start = { component: 0, optionA: 0, optionB: 0, channel: null, trial: null, by: null };
    this.#selection = this.#withOptionsOf({ ...start, component: firstAlive(report) });
    this.readHash(hash);
  }

  /** Takes over what the hash of a URL says. */
  readHash(hash: string): void {
    this.select(this.#parse(hash));
  }

  get selection(): Readonly<Selection> {
    return this.#selection;
  }

  subscribe(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Takes over what is given and valid. A component of another category brings its own options. */
  select(change: Partial<Selection>): void {
    const before = this.#selection;
    let after = { ...before };
    if (change.component !== undefined && this.report.components[change.component]) {
      after.component = change.component;
      if (after.component !== before.component) after = this.#withOptionsOf(after);
    }
    const nOptions = this.report.categoryOf(after.component).options.length;
    if (isIndex(change.optionA, nOptions)) after.optionA = change.optionA;
    if (isIndex(change.optionB, nOptions)) after.optionB = change.optionB;
    const { channel, trial, by } = change;
    if (channel === null || isIndex(channel, this.report.nChannels)) after.channel = channel;
    if (trial === null || isIndex(trial, this.report.nTrials)) after.trial = trial;
    if (by === null || groupings(this.report).some(({ name }) => name === by)) {
      after.by = by ?? null;
    }
    const keys = Object.keys(after) as SelectionKey[];
    const changed = new Set(keys.filter((key) => after[key] !== before[key]));
    if (changed.size === 0) return;
    this.#selection = after;
    for (const listener of this.#listeners) listener(changed);
  }

  /** The selection as the hash of a URL, numbers from 1. */
  toHash(): string {
    const { component, optionA, optionB, channel, trial, by } = this.#selection;
    const words = new URLSearchParams();
    words.set("component", String(component + 1));
    words.set("from", String(optionA + 1));
    words.set("to", String(optionB + 1));
    if (channel !== null) words.set("channel", String(channel + 1));
    if (trial !== null) words.set("trial", String(trial + 1));
    if (by !== null) words.set("by", by);
    return `#${words.toString()}`;
  }

  #parse(hash: string): Partial<Selection> {
    const words = new URLSearchParams(hash.replace(/^#/, ""));
    const change: Partial<Selection> = {};
    const read = (key: string, use: (index: number) => void) => {
      const text = words.get(key);
      if (text !== null && /^[0-9]+$/.test(text)) use(Number(text) - 1);
    };
    read("component", (x) => (change.component = x));
    read("from", (x) => (change.optionA = x));
    read("to", (x) => (change.optionB = x));
    read("channel", (x) => (change.channel = x));
    read("trial", (x) => (change.trial = x));
    const by = words.get("by");
    if (by !== null) change.by = by;
    return change;
  }

  /** With the options between which the component changes most; of many in order, the first and the last,
   *  because neighbours hardly differ. */
  #withOptionsOf(selection: Selection): Selection {
    const { options, is_ordered } = this.report.categoryOf(selection.component);
    if (is_ordered && options.length > manyOptions) {
      return { ...selection, optionA: 0, optionB: options.length - 1 };
    }
    const change = this.report.largestChange(selection.component);
    return { ...selection, optionA: change?.from ?? 0, optionB: change?.to ?? 0 };
  }
}

function isIndex(value: number | null | undefined, n: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < n;
}

function firstAlive(report: Report): number {
  return Math.max(
    0,
    report.components.findIndex(({ is_dead }) => !is_dead),
  );
}

/** Keeps the hash up to date. A page inside another one, as in a notebook, has no URL of its own. */
export function keepInHash(state: State): void {
  addEventListener("hashchange", () => {
    state.readHash(location.hash);
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  state.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      try {
        history.replaceState(null, "", state.toHash());
      } catch {
        // Not allowed here: the selection still works, only the link does not carry it.
      }
    }, 300);
  });
}
