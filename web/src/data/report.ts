// The report as the panels ask for it. Arrays are unpacked when they are first used.
import { largestChange, type VariantChange } from "./changes";
import type { CategoryData, ComponentData, Packed, ReportData } from "./format";
import { numbers, unpack } from "./unpack";

export class Report {
  readonly components: readonly ComponentData[];
  readonly categories: readonly CategoryData[];
  readonly channelNames: readonly string[];
  readonly trialNames: readonly string[];
  readonly #largest = new Map<number, Float64Array>();
  readonly #isSigned = new Map<number, boolean>();
  readonly #changes = new Map<number, VariantChange | null>();

  constructor(readonly data: ReportData) {
    this.components = data.components;
    this.categories = data.categories;
    this.channelNames = data.channels.names;
    this.trialNames = data.trials.names;
  }

  /** Of the first trial: its name, if names count on from it; else trials count from one. */
  get firstTrialNumber(): number {
    const first = this.trialNames[0] ?? "";
    const isCounting = this.trialNames.every((name, m) => name === String(Number(first) + m));
    return isCounting && first !== "" ? Number(first) : 1;
  }

  get nChannels(): number {
    return this.channelNames.length;
  }

  get nTrials(): number {
    return this.trialNames.length;
  }

  component(j: number): ComponentData {
    return this.components[j]!;
  }

  categoryOf(j: number): CategoryData {
    return this.categories[this.component(j).category]!;
  }

  /** The group of a channel, or "" if it has none. */
  groupOf(channel: number): string {
    return this.data.channels.groups?.[channel] ?? "";
  }

  /** Memberships of a component, per option one number per channel. */
  variants(j: number): Float64Array[] {
    return this.#rowsOf(this.data.memberships[this.component(j).category]!, j);
  }

  /** Standard errors of the same, or null if they are not known. */
  standardErrors(j: number): Float64Array[] | null {
    const packed = this.data.standard_errors?.[this.component(j).category];
    return packed ? this.#rowsOf(packed, j) : null;
  }

  /** Largest absolute membership of each channel under any option. */
  largestMemberships(j: number): Float64Array {
    let largest = this.#largest.get(j);
    if (!largest) {
      largest = new Float64Array(this.nChannels);
      for (const variant of this.variants(j)) {
        for (let n = 0; n < variant.length; ++n) {
          largest[n] = Math.max(largest[n]!, Math.abs(variant[n]!));
        }
      }
      this.#largest.set(j, largest);
    }
    return largest;
  }

  /** Channels with a membership under some option, the strongest first. */
  members(j: number): number[] {
    const largest = this.largestMemberships(j);
    return Array.from(largest.keys())
      .filter((n) => largest[n]! > 0)
      .sort((a, b) => largest[b]! - largest[a]!);
  }

  /** The option under which a component is strongest. */
  strongest(j: number): number {
    return this.component(j).strongest ?? 0;
  }

  /** What changes most in a component; null if it has one option, or no member. */
  largestChange(j: number): VariantChange | null {
    let change = this.#changes.get(j);
    if (change === undefined) {
      change = this.component(j).is_dead
        ? null
        : largestChange(this.variants(j), this.categoryOf(j).is_ordered, this.strongest(j));
      this.#changes.set(j, change);
    }
    return change;
  }

  /** Whether a membership of the component is below zero. */
  isSigned(j: number): boolean {
    let isSigned = this.#isSigned.get(j);
    if (isSigned === undefined) {
      isSigned = this.variants(j).some((variant) => variant.some((x) => x < 0));
      this.#isSigned.set(j, isSigned);
    }
    return isSigned;
  }

  /** Per trial, the option of a category. */
  optionOfTrial(category: number): Float64Array {
    return numbers(this.data.trials.option_of_trial[category]!);
  }

  /** Time points of a trial. */
  trialLength(trial: number): number {
    return numbers(this.data.trials.n_times)[trial]!;
  }

  /** Times of the points of traces, in the unit of the data or in time points. */
  traceTimes(): Float64Array {
    return this.data.traces ? numbers(this.data.traces.times) : new Float64Array();
  }

  /** The trace of a component in a trial; NaN where the trial is over. */
  trace(j: number, trial: number): Float64Array {
    if (!this.data.traces) return new Float64Array();
    const { shape, values } = unpack(this.data.traces.values);
    const [, nTrials = 0, nPoints = 0] = shape;
    const start = (j * nTrials + trial) * nPoints;
    return values.subarray(start, start + nPoints);
  }

  #rowsOf(packed: Packed, j: number): Float64Array[] {
    const { shape, values } = unpack(packed);
    const [, nOptions = 0, nChannels = 0] = shape;
    const first = this.component(j).number * nOptions * nChannels;
    return Array.from({ length: nOptions }, (_, i) =>
      values.subarray(first + i * nChannels, first + (i + 1) * nChannels),
    );
  }
}
