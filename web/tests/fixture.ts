// A small report with known numbers, packed as milcci packs it.
import { zlibSync } from "fflate";
import type {
  ComparisonData,
  Evaluation,
  MethodData,
  NumberType,
  Packed,
  ReportData,
  ScoreSpread,
} from "../src/data/format";

const arrayOf = {
  float64: Float64Array,
  float32: Float32Array,
  int32: Int32Array,
  int16: Int16Array,
  uint8: Uint8Array,
};

interface PackOptions {
  type?: NumberType;
  /** Step of each index of the first axis. */
  scale?: number[];
  zero?: number[];
  missing?: number;
  delta?: boolean;
}

/** Values as milcci packs them; NaN becomes `missing` in types of integers. */
export function pack(values: number[], shape: number[], options: PackOptions = {}): Packed {
  const { type = "float64", scale = null, zero = null, missing = null, delta = false } = options;
  const perFirst = values.length / (shape[0] ?? 1);
  const last = shape[shape.length - 1] ?? 1;
  const stored = values.map((value, i) => {
    if (Number.isNaN(value) && missing !== null) return missing;
    const first = Math.floor(i / perFirst);
    return scale && zero ? Math.round((value - zero[first]!) / scale[first]!) : value;
  });
  const raw = new arrayOf[type](values.length);
  stored.forEach((x, i) => (raw[i] = delta && i % last > 0 ? x - stored[i - 1]! : x));
  const bytes = new Uint8Array(raw.buffer);
  const width = raw.BYTES_PER_ELEMENT;
  const planes = new Uint8Array(bytes.length);
  bytes.forEach((byte, i) => (planes[(i % width) * raw.length + Math.floor(i / width)] = byte));
  const data = Buffer.from(zlibSync(planes)).toString("base64");
  return { type, shape, scale, zero, missing, delta, data };
}

/** Names that a page could take for something else. */
export const hardNames = [
  "</script><script>alert(1)</script>",
  `"quoted", 'twice' & more`,
  "قناة שלום",
  "🧠👩‍🔬 emoji",
  " spaces ",
  "=1+1",
];

/** Two categories, `side` with two options and `dose` with three in order; one component each. */
export function smallReport(): ReportData {
  const nChannels = hardNames.length;
  const side = [0.5, 0.3, 0.2, 0, 0, 0, 0.5, 0, 0.2, 0.3, 0, 0];
  const dose = Array.from({ length: 3 * nChannels }, (_, i) => (i % nChannels) / 15);
  const component = (name: string, category: number, nOptions: number) => ({
    name,
    category,
    number: 0,
    is_dead: false,
    explained: 0.5,
    stability: 0.75,
    firmness: 3,
    certainty: "firm" as const,
    is_found_once: false,
    is_on_one_channel: false,
    n_members: 4,
    strength: new Array<number>(nOptions).fill(1),
    strongest: 0,
    time_constant: 2.5,
    ridge: null,
  });
  const category = (name: string, kind: string, options: string[], is_ordered: boolean) => ({
    name,
    kind,
    options,
    n_trials: options.map(() => 2),
    is_ordered,
    graph: null,
    graph_weight: 1,
    consistency: [1],
  });
  return {
    format: "milcci-report",
    version: 1,
    software: "0.0.0",
    title: '<b>a</b> & "model".h5',
    files: { model: "model.h5", trials: null },
    words: {
      headline: ["Two components.", "They describe half of the variance."],
      news: "THIS MODEL EXPLAINS NOTHING: <i>really</i>",
      warnings: ["channel '</script>' never changes"],
      certainty: ["Firm: side 1, dose 1."],
      methods: "We described 6 trials.",
      citation: "Somebody. Something.",
      bibtex: "@unpublished{milcci}",
    },
    summary: {
      version: "0.0.0",
      reason: "converged",
      message: "converged after 2 iterations",
      r2: 0.5,
      r2_without_outliers: null,
      seconds_total: 1,
      category_gain: null,
      iterations: [],
      candidates: [],
    },
    categories: [
      category("side", "categorical", ["left", "</option>"], false),
      category("dose", "ordinal", ["1", "2", "3"], true),
    ],
    components: [component("side 1", 0, 2), component("dose 1", 1, 3)],
    channels: { names: hardNames, groups: null, group_shares: null },
    memberships: [pack(side, [1, 2, nChannels]), pack(dose, [1, 3, nChannels])],
    standard_errors: null,
    alternatives: [],
    trials: {
      names: ["1", "2", "3", "4", "5", "6"],
      n_times: [4, 4, 4, 4, 4, 4],
      labels: [
        {
          name: "side",
          is_numeric: false,
          values: ["left", "</option>", "left", "</option>", "left", null],
          order: ["</option>", "left"],
        },
      ],
      option_of_trial: [
        [0, 1, 0, 1, 0, 1],
        [0, 0, 1, 1, 2, 2],
      ],
    },
    traces: {
      times: [0, 1, 2, 3],
      step: 1,
      has_times: false,
      is_from_start: true,
      thinned: 1,
      values: pack(
        Array.from({ length: 2 * 6 * 4 }, (_, i) => Math.sin(i)),
        [2, 6, 4],
      ),
      events: [],
    },
    transitions: null,
    noise: {
      residual: null,
      level: [1, 2, 1, 2, 1, 2],
      offset: null,
      signal: [3, 1, 2, 1, 2, null],
      ratio: [9, 0.25, 4, 0.25, 4, null],
    },
    evaluation: null,
    error_by_time: null,
    data: null,
    truth: null,
    history: ['{"step": "<scale>"}'],
    comparison: null,
    validation: null,
    selection: null,
  };
}

/** The same, with nothing found: all components are dead, and their traces and strengths are zero. */
export function deadReport(): ReportData {
  const data = smallReport();
  const zeros = (shape: number[]) =>
    pack(new Array<number>(shape.reduce((n, length) => n * length, 1)).fill(0), shape);
  for (const component of data.components) {
    component.is_dead = true;
    component.certainty = "none";
    component.explained = component.stability = component.firmness = null;
    component.time_constant = null;
    component.n_members = 0;
    component.strength.fill(0);
  }
  data.memberships = data.memberships.map(({ shape }) => zeros(shape));
  data.traces!.values = zeros([2, 6, 4]);
  data.noise!.signal = [0, 0, 0, 0, 0, 0];
  data.noise!.ratio = [0, 0, 0, 0, 0, 0];
  data.evaluation = deadEvaluation(data);
  data.error_by_time = { squared_error: [1, 1, 1, 1], variance: [1, 1, 1, 1] };
  data.summary.category_gain = [
    [null, null],
    [null, null],
  ];
  data.transitions = pack(new Array<number>(6 * 2 * 2).fill(NaN), [6, 2, 2]);
  return data;
}

/** Errors as large as the data, and channels that never vary. */
function deadEvaluation(data: ReportData): Evaluation {
  const score = (name: string) => ({
    name,
    n_trials: 6,
    squared_error: 1,
    r2: null,
    relative_error: 1,
  });
  return {
    r2: null,
    relative_error: 1,
    trials: data.trials.names.map(score),
    channels: data.channels.names.map(score),
    labels: data.categories.flatMap(({ name, options }) =>
      options.map((option) => ({ ...score(option), category: name })),
    ),
    categories: data.categories.map(({ name }) => ({ ...score(name), r2_without: null })),
    matches: null,
  };
}

/** A score over three repeats; 0.01 above and below its mean. */
export function spread(mean: number, rank: number | null): ScoreSpread {
  const ranks = { rank_mean: rank, rank_min: rank, rank_max: rank };
  return { n: 3, mean, sd: 0.01, min: mean - 0.01, max: mean + 0.01, ...ranks };
}

/** A method without any score. */
export function method(name: string, change: Partial<MethodData> = {}): MethodData {
  const none = { n_pairs: 0, mean: null, quantiles: [] };
  return {
    name,
    failed: null,
    stopped: "converged",
    n_components: 2,
    added_noise: 0,
    tuned: null,
    cosmoothing_note: null,
    distances: { same_component: none, different_within: none, different_across: none },
    notes: [],
    trial_errors: [],
    spread: {},
    ...change,
  };
}

export function comparisonOf(methods: MethodData[], repeats = 3): ComparisonData {
  return {
    n_trials: 6,
    n_held_out: 2,
    n_components: 2,
    folds: 5,
    repeats,
    interrupted: false,
    methods,
  };
}

/** Ours, one that is better, one that failed and what it did with less, and one that predicts wildly. */
export function smallComparison(): ComparisonData {
  const far = { n_pairs: 4, mean: 1.3, quantiles: [1.1, 1.2, 1.3, 1.35, 1.4] };
  const near = { n_pairs: 2, mean: 0.3, quantiles: [0.1, 0.2, 0.3, 0.4, 0.5] };
  return comparisonOf([
    method("milcci", {
      distances: { same_component: near, different_within: far, different_across: far },
      trial_errors: [0.1, 0.2, 0.3, 0.4, 0.5, null],
      tuned: "consistency 0.1",
      spread: {
        r2: spread(0.75, 2),
        cosmoothing_r2: spread(0.6, 2),
        bic: spread(-1234.5, 1),
        sparsity: spread(0.25, 1),
        seconds: spread(1.5, 2),
        peak_memory: spread(2e6, 1),
      },
    }),
    method("</td><b>ica</b>", {
      notes: ["lengths <differ>"],
      distances: { same_component: far, different_within: far, different_across: far },
      trial_errors: [0.2, 0.2, 0.2, 0.2, 0.2, 0.2],
      spread: { r2: spread(0.8, 1), cosmoothing_r2: spread(0.7, 1), seconds: spread(0.5, 1) },
    }),
    method("nmf", { failed: "NMF takes no negative data", stopped: null }),
    method("nmf", {
      n_components: 1,
      added_noise: 0.1,
      spread: { r2: spread(0.4, null), cosmoothing_r2: spread(0.9, null) },
    }),
    method("slicetca_2", {
      stopped: "time_limit",
      cosmoothing_note: "a new trial has components of its own",
      spread: { r2: spread(0.5, 3) },
    }),
    method("svd", { spread: { r2: spread(0.45, 4), cosmoothing_r2: spread(-109, 3) } }),
  ]);
}
