// What a line plot shows; the screen and files draw it in their own ways.
import { keyOf } from "./key";
import { seriesStyle } from "./theme";

export interface Line {
  name: string;
  values: ArrayLike<number>;
  /** By default the style of its position among the lines. */
  colour?: string;
  dash?: readonly number[];
  width?: number;
  /** A shaded area around the line, such as an interval. */
  band?: { low: ArrayLike<number>; high: ArrayLike<number> };
  /** Separate points instead of a line. */
  isDots?: boolean;
  /** The line goes on over points that are not known, between known ones. */
  isJoined?: boolean;
}

export interface LinesSpec {
  label: string;
  x: ArrayLike<number>;
  xTitle: string;
  yTitle: string;
  lines: readonly Line[];
  /** Upright lines with a name, such as events. */
  verticals?: readonly { x: number; name: string }[];
  height?: number;
  /** No key, where lines have no names that matter. */
  hasKey?: boolean;
  /** x counts something: no marks between whole numbers. */
  hasWholeX?: boolean;
  /** Logarithmic y, for values above zero. */
  isLog?: boolean;
  /** What is said of a point; by default all values there. */
  describe?: (point: number) => string;
  /** Called with the position of a point in `x` that was clicked, or chosen by Enter. */
  choose?: (point: number) => void;
}

/** Upright lines without a name are many, and stay behind. */
export const unnamedAlpha = 0.4;

/** Upright lines without a name that are so near to the one before them, in pixels, would run into a grey block. */
const leastApart = 7;

/** The upright lines that are drawn: all that have a name, and of the others those that stand apart. */
export function drawnVerticals(
  { verticals = [] }: LinesSpec,
  placeOf: (x: number) => number,
): readonly { x: number; name: string }[] {
  let last = -Infinity;
  return verticals.filter(({ x, name }) => {
    const place = placeOf(x);
    if (name === "" && place - last < leastApart) return false;
    last = place;
    return true;
  });
}

/** Diameter of a separate point, in pixels. */
export const dotSize = 5;

export const defaultHeight = 280;

/** The style of a line, its own or by its position. */
export function styleOf(line: Line, i: number): { colour: string; dash: readonly number[] } {
  const style = seriesStyle(i);
  return { colour: line.colour ?? style.colour, dash: line.dash ?? style.dash };
}

/** The key of a line plot. */
export function keyOfLines(
  { lines }: LinesSpec,
  width: number,
): { group: SVGGElement; height: number } {
  const items = lines.map((line, i) => ({
    name: line.name,
    isDots: line.isDots ?? false,
    ...styleOf(line, i),
  }));
  return keyOf(items, 4, width);
}
