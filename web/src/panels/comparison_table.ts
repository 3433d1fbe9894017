// The table of methods: their scores over the repeats, sorted by any of them.
import {
  hasNoScore,
  isOurs,
  lessThanAsked,
  meanOf,
  methodCells,
  methodColumns,
  nRepeats,
  orderOf,
  timesDone,
  type Sorting,
  type SortKey,
} from "../data/comparison";
import type { Cell, Table } from "../data/csv";
import type { ComparisonData, MethodData, ScoreKey } from "../data/format";
import { h, nameText, withCode, type Child } from "../ui/dom";
import { saveCsv } from "../ui/download";
import { notesOf, rankText, scoreText } from "./comparison_words";
import type { PanelHost } from "./panel";

interface Column {
  key: ScoreKey;
  title: string;
  text: (value: number) => string;
  meaning: string;
  /** Neither good nor bad, or a cost: without ranks. */
  isPlain?: boolean;
}

const whole = (value: number) => Math.round(value).toLocaleString("en-US");
const megabytes = (value: number) => (value / 1e6).toFixed(0);

const columns: readonly Column[] = [
  {
    key: "cosmoothing_r2",
    title: "co-smoothing",
    text: scoreText,
    meaning:
      "R2 of channels of held-out trials, predicted from their other channels; 1 is perfect, 0 no better than the " +
      "mean of each channel, less than 0 worse",
  },
  {
    key: "r2",
    title: "R2",
    text: scoreText,
    meaning: "share of the variance that is described, in the trials that were fitted",
  },
  {
    key: "bic",
    title: "BIC",
    text: whole,
    meaning:
      "errors weighed against the numbers that a method used to reach them; less is better (the CSV has AIC and " +
      "HQC, too)",
  },
  {
    key: "sparsity",
    title: "zeros, %",
    text: (value) => (100 * value).toFixed(1),
    isPlain: true,
    meaning: "share of memberships that are exactly zero",
  },
  {
    key: "component_correlation",
    title: "components",
    text: scoreText,
    meaning: "correlation of memberships with those of the true components, which are known here",
  },
  {
    key: "trace_correlation",
    title: "traces",
    text: scoreText,
    meaning: "correlation of traces with the true ones",
  },
  {
    key: "seconds",
    title: "seconds",
    text: (value) => value.toFixed(2),
    isPlain: true,
    meaning: "of the fit to all trials; ours may use several threads, the others use one",
  },
  {
    key: "peak_memory",
    title: "MB",
    text: megabytes,
    isPlain: true,
    meaning: "memory that the fit needed at most, beyond the trials",
  },
];

/** What a reader may not know by its name. */
const explained: Readonly<Record<string, string>> = {
  milcci: "signs of the fit",
  milcci_nonnegative: "non-negative",
  svd: "singular vectors",
  pca: "principal components",
  ppca: "probabilistic PCA",
  fa: "factor analysis",
  nmf: "non-negative factors",
  parafac: "rank-one tensors",
  parafac_nonnegative: "rank-one tensors, ≥ 0",
  tucker: "tensor with a core",
  slicetca_1: "time by trial",
  slicetca_1_positive: "time by trial, ≥ 0",
  slicetca_2: "channel by trial",
  slicetca_2_positive: "channel by trial, ≥ 0",
  sibblings: "a state per label tuple",
};

export interface MethodTable {
  comparison: ComparisonData;
  /** In the order of `sorting`. */
  methods: readonly MethodData[];
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
}

export function methodTable({ say }: PanelHost, spec: MethodTable): HTMLElement {
  const { comparison, methods, sorting, onSort } = spec;
  const shown = columns.filter(({ key }) => methods.some((method) => meanOf(method, key) !== null));
  const head = (key: SortKey, title: string) => {
    const isSorted = key === sorting.key;
    const onclick = () => {
      const next = { key, isTurned: isSorted && !sorting.isTurned };
      say(`Sorted by ${title}, ${next.isTurned ? "the other way round" : bestFirst(key)}`);
      onSort(next);
    };
    const order = isSorted ? orderOf(sorting) : null;
    const sign = order === null ? "" : order === "ascending" ? " ▴" : " ▾";
    return h(
      "th",
      {
        scope: "col",
        class: key === "name" ? "" : "number",
        "aria-sort": order,
      },
      h(
        "button",
        { type: "button", class: "sort", "data-key": `sort ${key}`, onclick },
        title,
        h("span", { "aria-hidden": "true" }, sign),
      ),
    );
  };
  const best = new Map(shown.map(({ key }) => [key, bestRank(methods, key)]));
  const rows = methods.map((method) =>
    h(
      "tr",
      { class: isOurs(method) ? "selected" : "" },
      h("th", { scope: "row" }, ...nameOf(method, comparison)),
      ...(hasNoScore(method)
        ? [failedCell(method.failed ?? "no scores", shown.length)]
        : shown.map((column) => scoreCell(method, column, best.get(column.key) ?? null))),
    ),
  );
  const table = h(
    "table",
    { class: "methods" },
    h("caption", {}, "Methods and their scores"),
    h(
      "thead",
      {},
      h("tr", {}, head("name", "method"), ...shown.map(({ key, title }) => head(key, title))),
    ),
    h("tbody", {}, ...rows),
  );
  const save = () => {
    saveCsv("methods", toTable(methods));
  };
  const region = {
    class: "scroll whole",
    tabindex: 0,
    role: "region",
    "aria-label": "Table of methods",
  };
  return h(
    "div",
    {},
    h("p", { class: "note sideways" }, "The table goes on to the right: scroll it sideways."),
    h("div", region, table),
    h("ul", { class: "marks" }, ...meanings(shown, comparison)),
    h("ul", { class: "marks" }, ...noteItems(comparison)),
    h("div", { class: "tools" }, h("button", { type: "button", onclick: save }, "Download CSV")),
  );
}

function bestFirst(key: SortKey): string {
  return key === "name" ? "from A to Z" : "the best first";
}

/** The name; below it what is special about it, and what it is. */
function nameOf(method: MethodData, comparison: ComparisonData): Child[] {
  const marks: HTMLElement[] = [];
  if (isOurs(method)) marks.push(h("span", { class: "mark ours" }, "ours"));
  for (const text of lessThanAsked(method, comparison)) {
    marks.push(h("span", { class: "mark doubt" }, text));
  }
  const [done, all] = [timesDone(method), nRepeats(comparison)];
  if (done > 0 && done < all) {
    marks.push(h("span", { class: "mark doubt" }, `failed in ${all - done} of ${all} repeats`));
  }
  if (method.tuned) {
    const when = comparison.repeats > 1 ? " (first repeat)" : "";
    marks.push(h("span", { class: "mark quiet" }, `tuned: ${method.tuned}${when}`));
  }
  const words = explained[method.name] ?? "";
  return [nameText(method.name), h("span", { class: "second" }, ...marks, words)];
}

function failedCell(reason: string, nColumns: number): HTMLElement {
  return h(
    "td",
    { colspan: nColumns, dir: "auto" },
    h("div", { class: "reason" }, h("span", { class: "mark bad" }, "failed"), ...withCode(reason)),
  );
}

/** The least rank of a score, or null if it has no ranks. */
function bestRank(methods: readonly MethodData[], key: ScoreKey): number | null {
  const ranks = methods.flatMap(({ spread }) => spread[key]?.rank_mean ?? []);
  return ranks.length > 0 ? Math.min(...ranks) : null;
}

/** Mean and standard deviation; below it the rank. The best is bold. */
function scoreCell(
  { spread: spreads }: MethodData,
  { key, text, isPlain = false }: Column,
  best: number | null,
): HTMLElement {
  const spread = spreads[key];
  if (spread?.mean == null) return h("td", { class: "number quiet" }, "–");
  const { mean, sd, rank_mean } = spread;
  const shown = sd === null ? text(mean) : `${text(mean)} ± ${text(sd)}`;
  const isBest = !isPlain && rank_mean !== null && rank_mean === best;
  return h(
    "td",
    { class: "number" },
    isBest ? h("strong", {}, shown) : shown,
    h("span", { class: "second" }, isPlain ? "" : rankText(spread)),
  );
}

function meanings(shown: readonly Column[], comparison: ComparisonData): HTMLElement[] {
  const repeats = nRepeats(comparison);
  const spread = repeats > 1 ? `Mean ± standard deviation over ${repeats} repeats. ` : "";
  return [
    h(
      "li",
      {},
      `${spread}Rank 1 is the best of all methods with as many components as asked for. A heading sorts the table ` +
        "and the figures below it.",
    ),
    ...shown.map(({ title, meaning }) => h("li", {}, h("strong", {}, title), `: ${meaning}.`)),
  ];
}

function noteItems(comparison: ComparisonData): HTMLElement[] {
  return notesOf(comparison).map(({ names, text }) =>
    h("li", { dir: "auto" }, h("strong", {}, names.join("; ")), ": ", ...withCode(text), "."),
  );
}

const scores: readonly ScoreKey[] = [
  "cosmoothing_r2",
  "r2",
  "relative_error",
  "aic",
  "bic",
  "hqc",
  "component_correlation",
  "trace_correlation",
  "degrees_of_freedom",
  "sparsity",
  "seconds",
  "peak_memory",
];
const parts = ["n", "mean", "sd", "min", "max", "rank_mean", "rank_min", "rank_max"] as const;

function toTable(methods: readonly MethodData[]): Table {
  return {
    header: [
      ...methodColumns,
      "failed",
      "stopped",
      "tuned",
      ...scores.flatMap((score) => parts.map((part) => `${score}_${part}`)),
    ],
    rows: methods.map((method): Cell[] => [
      ...methodCells(method),
      method.failed,
      method.stopped,
      method.tuned,
      ...scores.flatMap((score) => parts.map((part) => method.spread[score]?.[part] ?? null)),
    ]),
  };
}
