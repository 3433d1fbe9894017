// The key of a figure: a sample of each colour with its name.
import { dot, type DotShape } from "./dot";
import { fitText, label, svg, textWidth } from "./svg";

export interface KeyItem {
  name: string;
  colour: string;
  /** Of a line; without it a filled square stands for bars. */
  dash?: readonly number[];
  /** A point stands for points. */
  isDots?: boolean;
  /** Of points; by default circles. */
  shape?: DotShape;
}

const rowHeight = 20;
const widestName = 160;

/** From x to the right, in as many rows as are needed up to `width`. */
export function keyOf(
  items: readonly KeyItem[],
  x: number,
  width: number,
): { group: SVGGElement; height: number } {
  const group = svg("g");
  let at = x;
  let y = rowHeight / 2;
  for (const { name, colour, dash, isDots, shape } of items) {
    const sample = dash && !isDots ? 25 : 15;
    const needed = sample + textWidth(fitText(name, widestName)) + 18;
    if (at > x && at + needed > width) {
      at = x;
      y += rowHeight;
    }
    group.append(
      isDots
        ? dot(shape ?? "circle", at + 5, y, 3, colour)
        : dash
          ? svg("path", {
              d: `M${at} ${y}h20`,
              stroke: colour,
              "stroke-width": 2,
              "stroke-dasharray": dash.join(" "),
            })
          : svg("rect", { x: at, y: y - 5, width: 10, height: 10, fill: colour }),
      label(name, at + sample, y, { width: widestName }),
    );
    at += needed;
  }
  return { group, height: y + rowHeight / 2 };
}
