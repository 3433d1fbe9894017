// Where the parts of a heat map stand, its names and its legend.
import type { ColourMap } from "./colour_map";
import type { HeatMapSpec } from "./heat_map";
import { boldWidth, cellScale, isEvenlySpaced, label, svg, textWidth, ticks } from "./svg";
import { exact, short, tellApart } from "../ui/words";

/** The names along one side, or a number per cell (such as times), and what they are. */
export interface Names {
  title: string;
  names?: readonly string[];
  numbers?: ArrayLike<number>;
  selected?: readonly number[];
}

export interface Layout {
  nRows: number;
  nColumns: number;
  /** Of the cells. */
  left: number;
  top: number;
  width: number;
  height: number;
  fullHeight: number;
  /** Names of columns stand upright because they are wider than their cells. */
  isUpright: boolean;
}

const lineHeight = 15;
const usualCell = 96;
const widestCell = 160;
const tallestCell = 20;
const longestUpright = 110;
const legendHeight = 56;
/** Up to so many rows, each has room for its name. */
const mostNamed = 64;

export function layOut(spec: HeatMapSpec, fullWidth: number, most = Infinity): Layout {
  const nRows = countOf(spec.rows);
  const nColumns = countOf(spec.columns);
  // Long lists are sampled: their names are mostly alike, and the last number is the longest.
  const widest = (names: readonly string[] = []) => {
    const every = Math.ceil(names.length / 400);
    const some = names.filter((_, i) => i % every === 0 || i === names.length - 1);
    return Math.max(0, ...some.map(boldWidth));
  };
  const rowNames = spec.rows.names ?? [String(spec.rows.numbers?.[nRows - 1] ?? "")];
  const left = Math.ceil(
    Math.min(0.4 * fullWidth, Math.max(textWidth(spec.rows.title), widest(rowNames)) + 12),
  );
  const isTimeLike = spec.columns.numbers !== undefined;
  const room = fullWidth - left - 8;
  const nameWidth = widest(spec.columns.names);
  const cellWidth = Math.max(usualCell, Math.min(widestCell, nameWidth + 12));
  const width = isTimeLike ? room : Math.min(room, cellWidth * nColumns);
  const isUpright = !isTimeLike && nameWidth + 6 > width / Math.max(1, nColumns);
  const top = isTimeLike ? 22 : isUpright ? Math.min(longestUpright, nameWidth) + 28 : 42;
  const mostHeight = spec.maxHeight ?? Math.max(560, nRows <= mostNamed ? lineHeight * nRows : 0);
  const height = Math.max(24, Math.min(most, mostHeight, tallestCell * nRows));
  const fullHeight = top + height + legendHeight + (isTimeLike ? 36 : 0);
  return { nRows, nColumns, left, top, width, height, fullHeight, isUpright };
}

/** The upper edge of a row, and the left one of a column; half a cell more is its middle. */
export function rowEdge({ top, height, nRows }: Layout, row: number): number {
  return top + (row * height) / nRows;
}
export function columnEdge({ left, width, nColumns }: Layout, column: number): number {
  return left + (column * width) / nColumns;
}

function countOf({ names, numbers }: Names): number {
  return names?.length ?? numbers?.length ?? 0;
}

/** Every n-th of the cells, so that names do not overlap, and the selected ones in place of their neighbours. */
function shownCells(
  n: number,
  size: number,
  needed: number,
  selected: readonly number[] = [],
): number[] {
  const step = Math.max(1, Math.ceil((needed * n) / size));
  const shown = new Set(Array.from({ length: Math.ceil(n / step) }, (_, i) => i * step));
  const near = Math.ceil((lineHeight * n) / size) - 1;
  for (const cell of needed > 0 ? selected : []) {
    for (let other = cell - near; other <= cell + near; ++other) shown.delete(other);
  }
  return [...new Set([...shown, ...selected])];
}

export function cellNames(spec: HeatMapSpec, layout: Layout): SVGElement[] {
  return [...rowNames(spec.rows, layout), ...columnNames(spec.columns, layout)];
}

function rowNames({ names, numbers, selected }: Names, layout: Layout): SVGElement[] {
  const { left, height, nRows } = layout;
  const textOf = numbers ? tellApart(numbers) : short;
  const text = (row: number) => names?.[row] ?? textOf(numbers?.[row] ?? NaN);
  const shown = shownCells(nRows, height, lineHeight, selected);
  return shown.map((row) =>
    label(text(row), left - 6, rowEdge(layout, row + 0.5), {
      anchor: "end",
      width: left - 8,
      weight: selected?.includes(row) ? "bold" : "normal",
    }),
  );
}

function columnNames({ title, names, numbers, selected }: Names, layout: Layout): SVGElement[] {
  const { left, top, width, height, nColumns, isUpright } = layout;
  if (numbers) {
    const low = numbers[0] ?? 0;
    const high = numbers[nColumns - 1] ?? 0;
    const scale = cellScale(numbers, left, width);
    const every = Math.max(1, Math.ceil((80 * nColumns) / width));
    const isEven = isEvenlySpaced(numbers);
    const textOf = isEven ? exact : tellApart(numbers);
    const marked = isEven
      ? ticks(low, high, width / 80)
      : Array.from(numbers).filter((_, column) => column % every === 0);
    const marks = marked.map((value) =>
      label(textOf(value), scale(value), top + height + 12, {
        anchor: "middle",
        fill: "var(--quiet)",
      }),
    );
    const middle = left + width / 2;
    const below = top + height + 30;
    return [...marks, label(title, middle, below, { anchor: "middle", fill: "var(--quiet)" })];
  }
  const needed = nColumns > mostNamed ? 3 * lineHeight : lineHeight;
  const shown = shownCells(nColumns, width, isUpright ? needed : 0, selected);
  const parts: SVGElement[] = shown.map((column) => {
    const x = columnEdge(layout, column + 0.5);
    const weight = selected?.includes(column) ? "bold" : "normal";
    if (!isUpright) return label(names?.[column] ?? "", x, top - 13, { anchor: "middle", weight });
    const name = label(names?.[column] ?? "", x, top - 8, { weight, width: longestUpright });
    name.setAttribute("transform", `rotate(-90 ${x} ${top - 8})`);
    return name;
  });
  parts.push(label(title, left, 8, { fill: "var(--quiet)" }));
  return parts;
}

const narrowestNumbered = 26;
const lowestNumbered = 14;

/** The values in their cells, if cells are large enough; the canvas below takes the pointer. */
export function cellNumbers(
  values: ArrayLike<number>,
  layout: Layout,
  [low, high]: [number, number],
): SVGElement[] {
  const { width, height, nRows, nColumns } = layout;
  if (width / nColumns < narrowestNumbered || height / nRows < lowestNumbered) return [];
  return Array.from({ length: nRows * nColumns }, (_, i) => {
    const value = values[i]!;
    const x = columnEdge(layout, (i % nColumns) + 0.5);
    const y = rowEdge(layout, Math.floor(i / nColumns) + 0.5);
    const fill = value - low > 0.5 * (high - low) ? "var(--paper)" : "var(--ink)";
    const text = label(short(value), x, y, { anchor: "middle", fill });
    text.setAttribute("pointer-events", "none");
    return text;
  });
}

/** A bar of colours with its first and last value. */
export function legend(
  { left, fullHeight }: Layout,
  map: ColourMap,
  [low, high]: [number, number],
  title: string,
): SVGElement {
  const nSteps = 40;
  const stepWidth = 3.5;
  const y = fullHeight - 24;
  const group = svg("g");
  for (let i = 0; i < nSteps; ++i) {
    const fill = map.css(i / (nSteps - 1));
    const x = left + i * stepWidth;
    group.append(svg("rect", { x, y, width: stepWidth + 0.5, height: 8, fill }));
  }
  const end = left + nSteps * stepWidth;
  group.append(
    label(title, left, y - 10, { fill: "var(--quiet)" }),
    label(short(low), left, y + 17, { fill: "var(--quiet)" }),
    label(short(high), end, y + 17, { anchor: "end", fill: "var(--quiet)" }),
  );
  return group;
}
