// The design: how many trials each combination of options has.
import type { Report } from "./report";

export interface Cross {
  rows: number;
  columns: number;
  /** Trials per option of one category (rows) and of another (columns), row after row. */
  counts: Float64Array;
}

export function cross(report: Report, rowCategory: number, columnCategory: number): Cross {
  const rows = report.categories[rowCategory]!.options.length;
  const columns = report.categories[columnCategory]!.options.length;
  const counts = new Float64Array(rows * columns);
  const rowOf = report.optionOfTrial(rowCategory);
  const columnOf = report.optionOfTrial(columnCategory);
  for (let m = 0; m < report.nTrials; ++m) {
    const [row, column] = [rowOf[m]!, columnOf[m]!];
    if (row >= 0 && column >= 0) counts[row * columns + column]! += 1;
  }
  return { rows, columns, counts };
}

export interface Combination {
  /** Of each of the given categories. */
  options: number[];
  n: number;
}

/** All combinations of the options of some categories, those without a trial, too. */
export function combinations(report: Report, categories: readonly number[]): Combination[] {
  const sizes = categories.map((k) => report.categories[k]!.options.length);
  const total = sizes.reduce((product, size) => product * size, 1);
  const counts = new Float64Array(total);
  const optionOf = categories.map((k) => report.optionOfTrial(k));
  for (let m = 0; m < report.nTrials; ++m) {
    let cell = 0;
    sizes.forEach((size, c) => (cell = cell * size + optionOf[c]![m]!));
    if (cell >= 0) counts[cell]! += 1;
  }
  return Array.from(counts, (n, cell) => {
    const options = new Array<number>(sizes.length);
    let rest = cell;
    for (let c = sizes.length - 1; c >= 0; --c) {
      options[c] = rest % sizes[c]!;
      rest = Math.floor(rest / sizes[c]!);
    }
    return { options, n };
  });
}
