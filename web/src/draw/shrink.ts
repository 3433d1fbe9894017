// Cells that are smaller than a pixel, as means over those that share one.

export interface Cells {
  nRows: number;
  nColumns: number;
  /** Row after row. */
  values: ArrayLike<number>;
}

/** At most one cell per pixel. What is not known is left out of a mean. */
export function shrink(
  values: ArrayLike<number>,
  nRows: number,
  nColumns: number,
  { width, height }: { width: number; height: number },
): Cells {
  const rows = Math.min(nRows, Math.max(1, Math.floor(height)));
  const columns = Math.min(nColumns, Math.max(1, Math.floor(width)));
  if (rows === nRows && columns === nColumns) return { nRows, nColumns, values };
  const sum = new Float64Array(rows * columns);
  const count = new Float64Array(rows * columns);
  for (let r = 0; r < nRows; ++r) {
    const start = Math.floor((r * rows) / nRows) * columns;
    for (let c = 0; c < nColumns; ++c) {
      const value = values[r * nColumns + c]!;
      if (Number.isNaN(value)) continue;
      const cell = start + Math.floor((c * columns) / nColumns);
      sum[cell]! += value;
      ++count[cell]!;
    }
  }
  return { nRows: rows, nColumns: columns, values: sum.map((x, i) => x / count[i]!) };
}
