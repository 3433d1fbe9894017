// SVG elements, text that fits, and axes.
import { exact, visible } from "../ui/words";

type Attributes = Readonly<Record<string, string | number>>;

const namespace = "http://www.w3.org/2000/svg";

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(namespace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** An empty figure. Its label is what a screen reader says of it. */
export function svgFigure(width: number, height: number, label: string): SVGSVGElement {
  return svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-label": label,
    "font-family": fontFamily,
    "font-size": fontSize,
  });
}

export const fontSize = 12;
export const fontFamily = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, sans-serif";

let measure: CanvasRenderingContext2D | null | undefined;

export function textWidth(text: string): number {
  measure ??= document.createElement("canvas").getContext("2d");
  if (!measure) return 0.6 * fontSize * text.length;
  measure.font = `${fontSize}px ${fontFamily}`;
  return measure.measureText(text).width;
}

/** Of a name that is bold when it is selected. */
export function boldWidth(text: string): number {
  return 1.12 * textWidth(text);
}

/** The text, cut to a width with an ellipsis if need be; characters of emoji stay whole. Names that begin alike often
 *  differ at their ends, as hippocampus_left and hippocampus_right: so something of the end stays. */
export function fitText(
  text: string,
  width: number,
  widthOf: (text: string) => number = textWidth,
): string {
  if (widthOf(text) <= width) return text;
  const characters = Array.from(text);
  const cut = (n: number) => {
    const nLast = Math.floor(0.4 * n);
    const end = characters.slice(characters.length - nLast).join("");
    return `${characters.slice(0, n - nLast).join("")}…${end}`;
  };
  let low = 0;
  let high = characters.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthOf(cut(middle)) <= width) low = middle;
    else high = middle - 1;
  }
  return cut(low);
}

/** The words of a text in lines of a width; a word that is wider stands alone. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length > 0 ? `${lines[lines.length - 1]!} ${word}` : word;
    if (lines.length > 0 && textWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A label; if it had to be cut, the whole name shows when pointed at. */
export function label(
  text: string,
  x: number,
  y: number,
  { anchor = "start", width = Infinity, fill = "var(--ink)", weight = "normal" } = {},
): SVGTextElement {
  const whole = visible(text);
  const shown = fitText(whole, width);
  const element = svg(
    "text",
    { x, y, fill, "text-anchor": anchor, "font-weight": weight, "dominant-baseline": "middle" },
    shown,
  );
  if (shown !== whole) element.append(svg("title", {}, whole));
  return element;
}

/** Maps numbers to positions. */
export type Scale = (value: number) => number;

export function linearScale(from: [number, number], to: [number, number]): Scale {
  const slope = from[1] === from[0] ? 0 : (to[1] - to[0]) / (from[1] - from[0]);
  return (value) => to[0] + slope * (value - from[0]);
}

/** A scale for numbers that belong to cells side by side, which need not be evenly spaced: each number is in the
 *  middle of its cell, and what lies between two numbers lies between their cells. */
export function cellScale(numbers: ArrayLike<number>, left: number, width: number): Scale {
  const n = numbers.length;
  const middle = (cell: number) => left + ((cell + 0.5) * width) / Math.max(1, n);
  return (value) => {
    if (n < 2) return middle(0);
    let right = 1;
    while (right < n - 1 && numbers[right]! < value) ++right;
    const [a, b] = [numbers[right - 1]!, numbers[right]!];
    return middle(right - 1 + (b > a ? (value - a) / (b - a) : 0));
  };
}

/** Whether steps between numbers are the same, to a hundredth. */
export function isEvenlySpaced(numbers: ArrayLike<number>): boolean {
  const n = numbers.length;
  const step = (numbers[n - 1]! - numbers[0]!) / Math.max(1, n - 1);
  for (let i = 1; i < n; ++i) {
    if (Math.abs(numbers[i]! - numbers[i - 1]! - step) > 0.01 * Math.abs(step)) return false;
  }
  return true;
}

/** About `n` round numbers from `low` to `high`. */
export function ticks(low: number, high: number, n: number): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / Math.max(1, n);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((x) => x * power).find((x) => x >= rough) ?? rough;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}

/** About `n` round numbers. Fewer than three tell no scale: then as many as have room for their texts. */
export function readableTicks(
  { scale, low, high }: Omit<Axis, "title">,
  n: number,
  widthOf: (text: string) => number = textWidth,
): number[] {
  const hasRoom = (values: readonly number[]) =>
    values.slice(1).every((value, i) => {
      const [a, b] = [values[i]!, value];
      const needed = (widthOf(exact(a)) + widthOf(exact(b))) / 2 + leastGap;
      return Math.abs(scale(b) - scale(a)) >= needed;
    });
  let best = ticks(low, high, n);
  for (let more = Math.ceil(n) + 1; best.length < fewTicks && more <= mostTried; ++more) {
    const finer = ticks(low, high, more);
    if (finer.length > best.length && hasRoom(finer)) best = finer;
  }
  return best;
}

const fewTicks = 3;
const mostTried = 12;
/** Pixels between the texts of two ticks. */
const leastGap = 8;

export interface Axis {
  scale: Scale;
  low: number;
  high: number;
  /** What the numbers are, with the unit. */
  title: string;
}

/** An axis below a plot, from x = left to right at height y, with faint lines up to `top`. */
export function axisBelow(
  axis: Axis,
  { y, top, nTicks = 6 }: { y: number; top: number; nTicks?: number },
): SVGGElement {
  const { scale, low, high, title } = axis;
  const group = svg("g");
  for (const value of readableTicks(axis, nTicks)) {
    const x = scale(value);
    group.append(
      svg("line", { x1: x, x2: x, y1: top, y2: y, stroke: "var(--line)", "stroke-width": 1 }),
      label(exact(value), x, y + 12, { anchor: "middle", fill: "var(--quiet)" }),
    );
  }
  const middle = (scale(low) + scale(high)) / 2;
  group.append(label(title, middle, y + 30, { anchor: "middle", fill: "var(--quiet)" }));
  return group;
}

/** An axis left of a plot, at x, with faint lines to `right`. */
export function axisLeft(
  { scale, low, high, title }: Axis,
  { x, right, nTicks = 5 }: { x: number; right: number; nTicks?: number },
): SVGGElement {
  const group = svg("g");
  for (const value of ticks(low, high, nTicks)) {
    const y = scale(value);
    group.append(
      svg("line", { x1: x, x2: right, y1: y, y2: y, stroke: "var(--line)", "stroke-width": 1 }),
      label(exact(value), x - 6, y, { anchor: "end", fill: "var(--quiet)" }),
    );
  }
  group.append(label(title, 0, scale(high) - 14, { fill: "var(--quiet)" }));
  return group;
}
