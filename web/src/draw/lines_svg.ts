// A line plot as SVG.
import { axisRange } from "../data/statistics";
import { exact } from "../ui/words";
import {
  defaultHeight,
  dotSize,
  drawnVerticals,
  keyOfLines,
  styleOf,
  type LinesSpec,
  unnamedAlpha,
} from "./lines_spec";
import {
  axisBelow,
  axisLeft,
  label,
  linearScale,
  svg,
  svgFigure,
  textWidth,
  ticks,
  type Scale,
} from "./svg";

const nTicks = 5;
const margins = { right: 12, top: 26, bottom: 44 };

export function linesSvg(spec: LinesSpec, width: number): SVGSVGElement {
  const key = spec.hasKey === false ? null : keyOfLines(spec, width);
  const top = margins.top + (key?.height ?? 0);
  const bottom = top + (spec.height ?? defaultHeight) - margins.bottom;
  const picture = svgFigure(width, bottom + margins.bottom, spec.label);
  if (key) picture.append(key.group);

  const [xLow, xHigh] = axisRange(Array.from(spec.x));
  const [yLow, yHigh] = rangeOf(spec);
  const left = 12 + Math.max(24, ...ticks(yLow, yHigh, nTicks).map((y) => textWidth(exact(y))));
  const x = linearScale([xLow, xHigh], [left, width - margins.right]);
  const linear = linearScale([yLow, yHigh], [bottom, top]);
  const y: Scale = spec.isLog ? (value) => linear(Math.log10(value)) : linear;
  const yTitle = spec.isLog ? `log10 ${spec.yTitle}` : spec.yTitle;
  picture.append(
    axisBelow({ scale: x, low: xLow, high: xHigh, title: spec.xTitle }, { y: bottom, top }),
    axisLeft(
      { scale: linear, low: yLow, high: yHigh, title: yTitle },
      { x: left, right: width - margins.right, nTicks },
    ),
  );
  spec.lines.forEach((line, i) => {
    const { colour, dash } = styleOf(line, i);
    if (line.band) {
      const d = bandPath(spec.x, line.band.low, line.band.high, x, y);
      picture.append(svg("path", { d, fill: colour, "fill-opacity": 0.2 }));
    }
    if (line.isDots) {
      picture.append(...dots(spec.x, line.values, x, y, colour));
      return;
    }
    picture.append(
      svg("path", {
        d: linePath(spec.x, line.values, x, y, line.isJoined ?? false),
        fill: "none",
        stroke: colour,
        "stroke-width": line.width ?? 1.75,
        "stroke-dasharray": dash.join(" "),
        "stroke-linejoin": "round",
      }),
    );
  });
  for (const { x: at, name } of drawnVerticals(spec, x)) {
    const d = `M${x(at)} ${top}V${bottom}`;
    picture.append(
      svg("path", {
        d,
        stroke: "var(--quiet)",
        "stroke-dasharray": "4 3",
        "stroke-opacity": name === "" ? unnamedAlpha : 1,
      }),
      label(name, x(at) + 4, top + 8, { fill: "var(--quiet)" }),
    );
  }
  return picture;
}

function rangeOf({ lines, isLog }: LinesSpec): [number, number] {
  const all = lines.flatMap(({ values, band }) => [
    ...Array.from(values),
    ...(band ? [...Array.from(band.low), ...Array.from(band.high)] : []),
  ]);
  const [low, high] = axisRange(isLog ? all.filter((x) => x > 0).map(Math.log10) : all);
  return high > low ? [low, high] : [low - 1, high + 1];
}

const place = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`;

function dots(
  xs: ArrayLike<number>,
  ys: ArrayLike<number>,
  x: Scale,
  y: Scale,
  fill: string,
): SVGElement[] {
  return Array.from(xs, (at, i) => ({ cx: x(at), cy: y(ys[i]!), r: dotSize / 2, fill }))
    .filter(({ cy }) => Number.isFinite(cy))
    .map((attributes) => svg("circle", attributes));
}

/** The pen is lifted where a value is not known, unless the line is to be joined. */
function linePath(
  xs: ArrayLike<number>,
  ys: ArrayLike<number>,
  x: Scale,
  y: Scale,
  isJoined: boolean,
): string {
  let d = "";
  let isDown = false;
  for (let i = 0; i < xs.length; ++i) {
    const at = y(ys[i]!);
    if (Number.isFinite(at)) d += `${isDown ? "L" : "M"}${place(x(xs[i]!), at)}`;
    isDown = Number.isFinite(at) || (isDown && isJoined);
  }
  return d;
}

function bandPath(
  xs: ArrayLike<number>,
  low: ArrayLike<number>,
  high: ArrayLike<number>,
  x: Scale,
  y: Scale,
): string {
  const known = Array.from(xs, (_, i) => i).filter(
    (i) => Number.isFinite(low[i]) && Number.isFinite(high[i]),
  );
  if (known.length === 0) return "";
  const there = known.map((i) => place(x(xs[i]!), y(high[i]!)));
  const back = known.reverse().map((i) => place(x(xs[i]!), y(low[i]!)));
  return `M${[...there, ...back].join("L")}Z`;
}
