// Points on two axes. The arrow keys go from point to point, from left to right.
import { axisRange } from "../data/statistics";
import { cursorDrawing } from "./cursor_drawing";
import type { Drawing, Frame } from "./drawing";
import { keyOf, type KeyItem } from "./key";
import { axisBelow, axisLeft, linearScale, svg, svgFigure, ticks } from "./svg";

export interface ScatterPoint {
  x: number;
  y: number;
  /** A colour, or a custom property such as "var(--bar)". */
  colour: string;
  isSelected?: boolean;
}

export interface ScatterSpec {
  label: string;
  xTitle: string;
  yTitle: string;
  points: readonly ScatterPoint[];
  key?: readonly KeyItem[];
  /** Both axes alike, with the line on which x and y are equal. */
  isSquare?: boolean;
  /** Ends of the y axis; by default those of the points. */
  yRange?: [number, number];
  height?: number;
  describe: (point: number) => string;
  choose?: (point: number) => void;
}

const margins = { left: 52, right: 16, top: 26, bottom: 44 };
const radius = 4;
/** Pixels within which the mouse finds a point. */
const reach = 16;
/** On both axes of a square, so that they have the same numbers. */
const squareTicks = 5;

export function scatter(spec: ScatterSpec, frame: Frame): Drawing {
  const keyHeight = spec.key ? keyOf(spec.key, 4, frame.width).height : 0;
  const width = spec.isSquare ? Math.min(frame.width, 420) : frame.width;
  const top = margins.top + keyHeight;
  const room = width - margins.left - margins.right;
  const bottom = top + (spec.isSquare ? room : (spec.height ?? 240));
  const height = bottom + margins.bottom;
  const xRange = rangeOf(spec, "x");
  const yRange = spec.yRange ?? rangeOf(spec, "y");
  const nTicks = ticks(...xRange, squareTicks).length < 3 ? 2 * squareTicks : squareTicks;
  const x = linearScale(xRange, [margins.left, margins.left + room]);
  const y = linearScale(yRange, [bottom, top]);
  const order = Array.from(spec.points.keys())
    .filter((i) => Number.isFinite(spec.points[i]!.x) && Number.isFinite(spec.points[i]!.y))
    .sort((a, b) => spec.points[a]!.x - spec.points[b]!.x);
  const placeOf = (i: number) => ({ x: x(spec.points[i]!.x), y: y(spec.points[i]!.y) });

  const draw = () => {
    const picture = svgFigure(frame.width, height, spec.label);
    if (spec.key) picture.append(keyOf(spec.key, 4, frame.width).group);
    picture.append(
      axisBelow(
        { scale: x, low: xRange[0], high: xRange[1], title: spec.xTitle },
        { y: bottom, top, nTicks: spec.isSquare ? nTicks : room / 90 },
      ),
      axisLeft(
        { scale: y, low: yRange[0], high: yRange[1], title: spec.yTitle },
        {
          x: margins.left,
          right: margins.left + room,
          ...(spec.isSquare ? { nTicks } : {}),
        },
      ),
    );
    if (spec.isSquare) {
      const d = `M${x(xRange[0])} ${y(xRange[0])}L${x(xRange[1])} ${y(xRange[1])}`;
      picture.append(svg("path", { d, stroke: "var(--quiet)", "stroke-dasharray": "4 3" }));
    }
    for (const i of order) {
      const { colour, isSelected } = spec.points[i]!;
      const at = placeOf(i);
      const mark = isSelected
        ? { r: radius + 2, stroke: "var(--ink)", "stroke-width": 2 }
        : { r: radius, "fill-opacity": 0.75 };
      picture.append(svg("circle", { cx: at.x, cy: at.y, fill: colour, ...mark }));
    }
    return picture;
  };

  const nearest = (atX: number, atY: number): [number, number] | null => {
    let best = -1;
    let least = reach;
    order.forEach((i, row) => {
      const at = placeOf(i);
      const distance = Math.hypot(at.x - atX, at.y - atY);
      if (distance < least) [best, least] = [row, distance];
    });
    return best < 0 ? null : [best, 0];
  };
  return cursorDrawing(spec.label, draw, frame, {
    nRows: order.length,
    nColumns: 1,
    cellAt: nearest,
    rectOf: (row) => {
      const at = placeOf(order[row]!);
      const size = 2 * radius + 4;
      return { x: at.x - size / 2, y: at.y - size / 2, width: size, height: size };
    },
    describe: (row) => spec.describe(order[row]!),
    choose: spec.choose && ((row) => spec.choose?.(order[row]!)),
  });
}

/** With a little room at both ends. */
function rangeOf({ points, isSquare }: ScatterSpec, axis: "x" | "y"): [number, number] {
  const values = points.flatMap((point) => (isSquare ? [point.x, point.y] : [point[axis]]));
  const [low, high] = axisRange(values);
  const room = 0.04 * (high - low) || 0.5;
  return [low - room, high + room];
}
