// A network: circles with a size, and arrows between them with a width and a sign.
import { cursorDrawing } from "./cursor_drawing";
import type { Drawing, Frame } from "./drawing";
import { label, svg, svgFigure, textWidth } from "./svg";

export interface NetworkSpec {
  label: string;
  nodes: readonly { name: string; size: number; isSelected: boolean }[];
  /** Square, row after row: row = target, column = origin. */
  weights: Float64Array;
  /** The weight whose arrow is widest. */
  largest: number;
  describe: (node: number) => string;
  choose: (node: number) => void;
}

interface Place {
  x: number;
  y: number;
}

const smallestNode = 5;
const largestNode = 22;
const widestArrow = 9;
/** Arrows below this share of the largest are left out. */
export const leastShare = 0.1;

export function network(spec: NetworkSpec, frame: Frame): Drawing {
  const widest = Math.max(0, ...spec.nodes.map(({ name }) => textWidth(name)));
  const side = Math.min(widest, 0.22 * frame.width) + 10;
  const radius = Math.max(50, Math.min(150, frame.width / 2 - side - largestNode - 8));
  const height = 2 * (radius + largestNode + 26);
  const centre = { x: frame.width / 2, y: height / 2 };
  const largestSize = Math.max(1e-12, ...spec.nodes.map(({ size }) => Math.abs(size)));
  const n = spec.nodes.length;
  const angleOf = (i: number) => (2 * Math.PI * i) / n - Math.PI / 2;
  const places = spec.nodes.map((_, i) => ({
    x: centre.x + radius * Math.cos(angleOf(i)),
    y: centre.y + radius * Math.sin(angleOf(i)),
  }));
  const radii = spec.nodes.map(
    ({ size }) =>
      smallestNode + (largestNode - smallestNode) * Math.sqrt(Math.abs(size) / largestSize),
  );

  const draw = () => {
    const picture = svgFigure(frame.width, height, spec.label);
    for (let target = 0; target < n; ++target) {
      for (let origin = 0; origin < n; ++origin) {
        const share = spec.weights[target * n + origin]! / spec.largest;
        if (target === origin || !(Math.abs(share) >= leastShare)) continue;
        const ends = [places[origin]!, places[target]!, radii[origin]!, radii[target]!] as const;
        picture.append(...arrow(...ends, share));
      }
    }
    spec.nodes.forEach(({ name, size, isSelected }, i) => {
      const { x, y } = places[i]!;
      picture.append(
        svg("circle", {
          cx: x,
          cy: y,
          r: radii[i]!,
          fill: isSelected ? "var(--accent)" : "var(--bar)",
          stroke: isSelected ? "var(--ink)" : "var(--paper)",
          "stroke-width": 2,
          "stroke-dasharray": size < 0 ? "4 3" : "none",
        }),
        nodeName(name, { x, y }, angleOf(i), radii[i]!, { side, isSelected }),
      );
    });
    return picture;
  };

  return cursorDrawing(spec.label, draw, frame, {
    nRows: n,
    nColumns: 1,
    cellAt: (x, y) => {
      const i = places.findIndex((at, k) => Math.hypot(at.x - x, at.y - y) <= radii[k]! + 8);
      return i < 0 ? null : [i, 0];
    },
    rectOf: (i) => {
      const r = radii[i]! + 3;
      return { x: places[i]!.x - r, y: places[i]!.y - r, width: 2 * r, height: 2 * r };
    },
    describe: (i) => spec.describe(i),
    choose: (i) => {
      spec.choose(i);
    },
  });
}

/** Bent to its right, so that both directions between two circles can be seen. */
function arrow(from: Place, to: Place, r0: number, r1: number, share: number): SVGElement[] {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const across = { x: -along.y, y: along.x };
  const bend = 0.14 * length;
  const middle = {
    x: (from.x + to.x) / 2 + bend * across.x,
    y: (from.y + to.y) / 2 + bend * across.y,
  };
  const width = Math.max(1, widestArrow * Math.abs(share));
  const head = 4 + 1.4 * width;
  const start = towards(from, middle, r0 + 2);
  const tip = towards(to, middle, r1 + 2);
  const neck = towards(to, middle, r1 + 2 + head);
  const isNegative = share < 0;
  const stroke = isNegative ? "var(--lost)" : "var(--quiet)";
  const dash = isNegative ? `${width + 3} ${width + 2}` : "none";
  const d = `M${start.x} ${start.y}Q${middle.x} ${middle.y} ${neck.x} ${neck.y}`;
  const back = { x: neck.x - tip.x, y: neck.y - tip.y };
  const wing = { x: (-back.y * 0.5 * (width + 5)) / head, y: (back.x * 0.5 * (width + 5)) / head };
  const points = [
    `${tip.x},${tip.y}`,
    `${neck.x + wing.x},${neck.y + wing.y}`,
    `${neck.x - wing.x},${neck.y - wing.y}`,
  ].join(" ");
  const look = { stroke, "stroke-width": width, "stroke-dasharray": dash, fill: "none" };
  return [
    svg("path", { d, ...look, "stroke-opacity": 0.8 }),
    svg("polygon", { points, fill: stroke }),
  ];
}

function towards(from: Place, to: Place, distance: number): Place {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return {
    x: from.x + ((to.x - from.x) * distance) / length,
    y: from.y + ((to.y - from.y) * distance) / length,
  };
}

/** Outside the ring. */
function nodeName(
  name: string,
  { x, y }: Place,
  angle: number,
  r: number,
  { side, isSelected }: { side: number; isSelected: boolean },
): SVGElement {
  const cosine = Math.cos(angle);
  const anchor = Math.abs(cosine) < 0.2 ? "middle" : cosine > 0 ? "start" : "end";
  const weight = isSelected ? "bold" : "normal";
  const away = r + 8;
  const at = { x: x + away * cosine, y: y + (away + 4) * Math.sin(angle) };
  const width = anchor === "middle" ? 2 * side : side + 24;
  return label(name, at.x, at.y, { anchor, weight, width });
}
