// The object that milcci puts into the page; docs/report-format.md describes every key.

export type NumberType = "float64" | "float32" | "int32" | "int16" | "uint8";

/** A long array, in bytes; `unpack` reads it. */
export interface Packed {
  type: NumberType;
  shape: number[];
  scale: number[] | null;
  zero: number[] | null;
  missing: number | null;
  delta: boolean;
  data: string;
}

/** A short array stands in the object as it is; null is a number that is not known. */
export type Numbers = Packed | (number | null)[];

export interface Words {
  headline: string[];
  news: string;
  warnings: string[];
  certainty: string[];
  methods: string;
  citation: string;
  bibtex: string;
}

export interface CategoryData {
  name: string;
  kind: string;
  options: string[];
  n_trials: number[];
  is_ordered: boolean;
  graph: Packed | null;
  graph_weight: number | null;
  consistency: Numbers | null;
}

export type Certainty = "firm" | "alternative" | "unstable" | "none";

export interface ComponentData {
  name: string;
  category: number;
  number: number;
  is_dead: boolean;
  explained: number | null;
  stability: number | null;
  firmness: number | null;
  certainty: Certainty | null;
  is_found_once: boolean;
  is_on_one_channel: boolean;
  n_members: number;
  strength: (number | null)[];
  strongest: number | null;
  time_constant: number | null;
  ridge: number | null;
}

export interface GroupShare {
  category: string;
  /** Within the category, from 1. */
  component: number;
  option: string;
  group: string;
  n_channels: number;
  n_members: number;
  share: number;
  expected: number;
  p: number;
  q: number;
}

export interface LabelColumn {
  name: string;
  is_numeric: boolean;
  values: (string | null)[];
  order: string[];
}

export interface EventData {
  name: string;
  times: Numbers;
}

export interface TracesData {
  times: Numbers;
  step: number | null;
  has_times: boolean;
  is_from_start: boolean;
  thinned: number;
  values: Packed;
  events: EventData[];
}

export interface Objective {
  total: number | null;
  [term: string]: number | null;
}

export interface Iteration {
  iteration: number;
  stage: number;
  r2: number | null;
  objective: Objective;
  [key: string]: unknown;
}

export interface Candidate {
  stream: number;
  objective: number | null;
  round: number;
  behind: number | null;
  similarity: number | null;
}

/** What `fit --json` says of the fit; only what the page reads is named. */
export interface Summary {
  version: string;
  reason: string;
  message: string;
  r2: number | null;
  r2_without_outliers: number | null;
  seconds_total: number | null;
  /** component x category */
  category_gain: (number | null)[][] | null;
  iterations: Iteration[];
  candidates: Candidate[];
  [key: string]: unknown;
}

export interface Score {
  name: string | null;
  category?: string;
  n_trials: number;
  squared_error: number | null;
  r2: number | null;
  relative_error: number | null;
}

export interface Match {
  truth: number;
  estimate: number | null;
  true_category: string;
  estimated_category: string | null;
  component_correlation: number | null;
  trace_correlation: number | null;
  per_option: Record<string, number | null> | null;
}

/** What `evaluate --json` says of the trials. */
export interface Evaluation {
  r2: number | null;
  relative_error: number | null;
  trials: Score[];
  channels: Score[];
  labels: Score[];
  categories: (Score & { r2_without: number | null })[];
  matches: Match[] | null;
  [key: string]: unknown;
}

/** Of distances between memberships of length one; quantiles of 5, 25, 50, 75 and 95 %, none without pairs. */
export interface DistanceSummary {
  n_pairs: number;
  mean: number | null;
  quantiles: number[];
}

export type ScoreKey =
  | "r2"
  | "relative_error"
  | "cosmoothing_r2"
  | "aic"
  | "bic"
  | "hqc"
  | "component_correlation"
  | "trace_correlation"
  | "degrees_of_freedom"
  | "sparsity"
  | "seconds"
  | "peak_memory";

/** Of a score over the repeats that have it, and of its place among the methods: 1 is best, and those that had
 *  fewer components or added noise have none. */
export interface ScoreSpread {
  n: number;
  mean: number | null;
  sd: number | null;
  min: number | null;
  max: number | null;
  rank_mean: number | null;
  rank_min: number | null;
  rank_max: number | null;
}

/** One method of a comparison; only what the page reads is named. */
export interface MethodData {
  name: string;
  /** Why it has no scores in the first repeat, or null. */
  failed: string | null;
  stopped: string | null;
  n_components: number;
  added_noise: number;
  tuned: string | null;
  cosmoothing_note: string | null;
  distances: Record<"same_component" | "different_within" | "different_across", DistanceSummary>;
  notes: string[];
  /** Per trial, or none. */
  trial_errors: (number | null)[];
  spread: Partial<Record<ScoreKey, ScoreSpread>>;
  [key: string]: unknown;
}

/** What `compare -o` says of other methods on the same trials. */
export interface ComparisonData {
  n_trials: number;
  n_held_out: number;
  n_components: number;
  folds: number;
  repeats: number;
  interrupted: boolean;
  methods: MethodData[];
  [key: string]: unknown;
}

export interface ReportData {
  format: "milcci-report";
  version: number;
  software: string;
  title: string;
  files: { model: string | null; trials: string | null };
  words: Words;
  summary: Summary;
  categories: CategoryData[];
  components: ComponentData[];
  channels: {
    names: string[];
    groups: (string | null)[] | null;
    group_shares: GroupShare[] | null;
  };
  memberships: Packed[];
  standard_errors: (Packed | null)[] | null;
  alternatives: { behind: number | null; similarity: (number | null)[]; memberships: Packed[] }[];
  trials: {
    names: string[];
    n_times: Numbers;
    labels: LabelColumn[];
    option_of_trial: Numbers[];
  };
  traces: TracesData | null;
  transitions: Packed | null;
  noise: {
    level: Numbers;
    offset: Numbers | null;
    residual: Numbers | null;
    signal: Numbers;
    ratio: Numbers;
  } | null;
  evaluation: Evaluation | null;
  error_by_time: { squared_error: Numbers; variance: Numbers } | null;
  data: {
    trials: number[];
    is_all: boolean;
    n_times: number[];
    times: Numbers[] | null;
    values: Packed[];
    fit: Packed[];
  } | null;
  truth: {
    matches: Match[];
    memberships: { name: string; options: string[]; values: Packed }[];
    traces: Packed | null;
  } | null;
  history: string[];
  comparison: ComparisonData | null;
  validation: unknown;
  selection: unknown;
}
