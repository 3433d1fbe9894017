// Horizontal bars with names, one or more per row, with error bars and marks.
import { cursorDrawing } from "./cursor_drawing";
import type { Drawing, Frame } from "./drawing";
import { keyOf } from "./key";
import { nameWidth, rowName, type NamedRow } from "./row_names";
import { axisBelow, linearScale, svg, svgFigure, type Scale } from "./svg";

export interface BarSeries {
  name: string;
  /** A colour or a custom property, such as "var(--bar)". */
  colour: string;
}

export interface BarRow extends NamedRow {
  bars: readonly {
    value: number;
    /** Half the length of the error bar, or NaN. */
    error?: number;
    /** A thin line across the bar, such as what chance gives. */
    mark?: number;
  }[];
}

export interface BarsSpec {
  label: string;
  /** One per bar of a row; with more than one a key is drawn. */
  series: readonly BarSeries[];
  rows: readonly BarRow[];
  axis: string;
  /** Ends of the axis; by default those of the values, with zero. */
  range?: [number, number];
  describe: (row: number) => string;
  choose?: (row: number) => void;
}

export function bars(spec: BarsSpec, frame: Frame): Drawing {
  const barHeight = spec.series.length > 1 ? 9 : 14;
  const rowHeight = barHeight * spec.series.length + 8;
  const left = nameWidth(spec.rows, frame.width);
  const key = () => keyOf(spec.series, left, frame.width);
  const keyHeight = spec.series.length > 1 ? key().height + 6 : 4;
  const plotHeight = rowHeight * spec.rows.length;
  const height = keyHeight + plotHeight + 44;
  const [low, high] = spec.range ?? rangeOf(spec);
  const x = linearScale([low, high], [left, frame.width - 16]);
  const rowTop = (row: number) => keyHeight + row * rowHeight;

  const draw = () => {
    const picture = svgFigure(frame.width, height, spec.label);
    const axis = { scale: x, low, high, title: spec.axis };
    const nTicks = (frame.width - left) / 90;
    picture.append(axisBelow(axis, { y: keyHeight + plotHeight, top: keyHeight, nTicks }));
    if (spec.series.length > 1) picture.append(key().group);
    spec.rows.forEach((row, r) => {
      picture.append(rowName(row, left, rowTop(r) + rowHeight / 2));
      row.bars.forEach((bar, s) => {
        const y = rowTop(r) + 4 + s * barHeight;
        picture.append(...oneBar(bar, spec.series[s]!.colour, x, y, barHeight));
      });
    });
    return picture;
  };

  return cursorDrawing(spec.label, draw, frame, {
    nRows: spec.rows.length,
    nColumns: 1,
    cellAt: (_, y) => {
      const row = Math.floor((y - keyHeight) / rowHeight);
      return row >= 0 && row < spec.rows.length ? [row, 0] : null;
    },
    rectOf: (row) => ({ x: 0, y: rowTop(row), width: frame.width, height: rowHeight }),
    describe: (row) => spec.describe(row),
    choose: spec.choose && ((row) => spec.choose?.(row)),
  });
}

function rangeOf({ rows }: BarsSpec): [number, number] {
  let low = 0;
  let high = 0;
  for (const { value, error, mark } of rows.flatMap((row) => row.bars)) {
    for (const end of [value - (error ?? 0), value + (error ?? 0), value, mark ?? 0]) {
      if (end < low) low = end;
      if (end > high) high = end;
    }
  }
  const room = 0.04 * (high - low);
  return high > low ? [low < 0 ? low - room : 0, high > 0 ? high + room : 0] : [0, 1];
}

function oneBar(
  { value, error, mark }: BarRow["bars"][number],
  fill: string,
  x: Scale,
  y: number,
  height: number,
): SVGElement[] {
  const parts: SVGElement[] = [];
  const zero = x(0);
  const end = x(Number.isNaN(value) ? 0 : value);
  const width = Math.abs(end - zero);
  parts.push(svg("rect", { x: Math.min(zero, end), y, width, height: height - 1, fill }));
  const middle = y + (height - 1) / 2;
  if (error !== undefined && error > 0) {
    const [from, to] = [x(value - error), x(value + error)];
    const d = `M${from} ${middle}H${to}M${from} ${middle - 3}v6M${to} ${middle - 3}v6`;
    parts.push(svg("path", { d, stroke: "var(--ink)", fill: "none" }));
  }
  if (mark !== undefined && Number.isFinite(mark)) {
    const d = `M${x(mark)} ${y - 2}v${height + 3}`;
    parts.push(svg("path", { d, stroke: "var(--ink)", "stroke-width": 2, fill: "none" }));
  }
  return parts;
}
