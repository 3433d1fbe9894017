// A dot with an interval around it, one or more per named row. The arrow keys go from row to row.
import { axisRange } from "../data/statistics";
import { short } from "../ui/words";
import { cursorDrawing } from "./cursor_drawing";
import { dot, type DotShape } from "./dot";
import type { Drawing, Frame } from "./drawing";
import { keyOf } from "./key";
import { nameHeight, nameWidth, rowName, type NamedRow } from "./row_names";
import { axisBelow, label, linearScale, svg, svgFigure, type Scale } from "./svg";

export interface Interval {
  middle: number;
  /** Ends of the thin line. */
  low: number;
  high: number;
  /** Ends of the thick line within it. */
  innerLow?: number;
  innerHigh?: number;
  /** A thin upright line, such as one trial among all. */
  mark?: number;
}

export interface IntervalSeries {
  name: string;
  /** A colour, or a custom property such as "var(--quiet)". */
  colour: string;
  shape: DotShape;
}

export interface IntervalRow extends NamedRow {
  /** One per series; null where there is none. */
  intervals: readonly (Interval | null)[];
  /** In place of that of the series. */
  colour?: string;
}

export interface IntervalsSpec {
  label: string;
  /** With more than one a key is drawn. */
  series: readonly IntervalSeries[];
  rows: readonly IntervalRow[];
  axis: string;
  /** The axis begins at zero. */
  hasZero?: boolean;
  /** The axis begins no lower, and where the first value is; what is below is an arrow with its value. */
  lowest?: number;
  describe: (row: number) => string;
}

const lineHeight = 12;
const radius = 4;
const right = 16;

export function intervals(spec: IntervalsSpec, frame: Frame): Drawing {
  const { rows, series } = spec;
  const left = nameWidth(rows, frame.width);
  const dotsHeight = series.length > 1 ? lineHeight * series.length : 14;
  const rowHeight = Math.max(dotsHeight, nameHeight(rows, left)) + 10;
  const key = () =>
    keyOf(
      series.map((one) => ({ ...one, isDots: true })),
      4,
      frame.width,
    );
  const top = series.length > 1 ? key().height + 6 : 4;
  const bottom = top + rowHeight * rows.length;
  const [low, high] = rangeOf(spec);
  const x = linearScale([low, high], [left, frame.width - right]);
  const rowTop = (row: number) => top + row * rowHeight;

  const draw = () => {
    const picture = svgFigure(frame.width, bottom + 44, spec.label);
    const axis = { scale: x, low, high, title: spec.axis };
    picture.append(axisBelow(axis, { y: bottom, top, nTicks: (frame.width - left) / 90 }));
    if (series.length > 1) picture.append(key().group);
    rows.forEach((row, r) => {
      const middle = rowTop(r) + rowHeight / 2;
      picture.append(rowName(row, left, middle));
      if (series.length > 1 && r > 0) {
        const d = `M0 ${rowTop(r)}H${frame.width - right}`;
        picture.append(svg("path", { d, stroke: "var(--line)" }));
      }
      row.intervals.forEach((interval, s) => {
        if (!interval) return;
        const y = middle + (s - (series.length - 1) / 2) * lineHeight;
        const { colour, shape } = series[s]!;
        const look = { colour: row.colour ?? colour, shape };
        picture.append(...oneInterval(interval, look, { x, y, low, left }));
      });
    });
    return picture;
  };

  return cursorDrawing(spec.label, draw, frame, {
    nRows: rows.length,
    nColumns: 1,
    cellAt: (_, y) => {
      const row = Math.floor((y - top) / rowHeight);
      return row >= 0 && row < rows.length ? [row, 0] : null;
    },
    rectOf: (row) => ({ x: 0, y: rowTop(row), width: frame.width, height: rowHeight }),
    describe: (row) => spec.describe(row),
  });
}

function rangeOf({ rows, hasZero, lowest = -Infinity }: IntervalsSpec): [number, number] {
  const all = rows.flatMap((row) =>
    row.intervals.flatMap((one) =>
      one ? [one.low, one.high, one.middle, one.mark ?? one.middle] : [],
    ),
  );
  const reached = all.filter((end) => end >= lowest);
  const [low, high] = axisRange(hasZero ? [0, ...reached] : reached);
  const room = 0.04 * (high - low) || 0.5;
  return [hasZero && low === 0 ? 0 : low - room, high + room];
}

/** Of an interval whose middle lies below the axis, an arrow, what of it lies above, and the value. */
function oneInterval(
  { middle, low, high, innerLow, innerHigh, mark }: Interval,
  { colour, shape }: Omit<IntervalSeries, "name">,
  { x, y, low: least, left }: { x: Scale; y: number; low: number; left: number },
): SVGElement[] {
  if (middle < least) {
    const d = `M${left + 8} ${y - 4}L${left + 1} ${y}L${left + 8} ${y + 4}Z`;
    const end = high > least ? x(high) : left + 8;
    const line = { d: `M${left + 1} ${y}H${end}`, stroke: colour, "stroke-width": 1.5 };
    return [
      svg("path", line),
      svg("path", { d, fill: colour }),
      label(short(middle), end + 4, y, { fill: "var(--quiet)" }),
    ];
  }
  const at = (value: number) => x(Math.max(least, value));
  const parts: SVGElement[] = [
    svg("path", { d: `M${at(low)} ${y}H${at(high)}`, stroke: colour, "stroke-width": 1.5 }),
  ];
  if (innerLow !== undefined && innerHigh !== undefined) {
    const d = `M${at(innerLow)} ${y}H${at(innerHigh)}`;
    parts.push(svg("path", { d, stroke: colour, "stroke-width": 5, "stroke-opacity": 0.55 }));
  } else {
    const d = `M${at(low)} ${y - 3}v6M${at(high)} ${y - 3}v6`;
    parts.push(svg("path", { d, stroke: colour, "stroke-width": 1.5 }));
  }
  parts.push(dot(shape, x(middle), y, radius, colour));
  if (mark !== undefined && Number.isFinite(mark)) {
    const d = `M${at(mark)} ${y - 8}v16`;
    parts.push(svg("path", { d, stroke: "var(--ink)", "stroke-width": 2 }));
  }
  return parts;
}
