// Line plots: uPlot on the screen, SVG for files.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { h } from "../ui/dom";
import { exact, short, tellApart, visible } from "../ui/words";
import type { Drawing, Frame } from "./drawing";
import { linesSvg } from "./lines_svg";
import {
  defaultHeight,
  dotSize,
  drawnVerticals,
  keyOfLines,
  styleOf,
  type LinesSpec,
  unnamedAlpha,
} from "./lines_spec";
import { fontFamily, fontSize, svgFigure, textWidth, ticks } from "./svg";
import { colour, type Theme } from "./theme";

// uPlot has it as a const enum, which a bundler cannot read.
// eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment
const logarithmic = 3 as uPlot.Scale.Distr;

const wholeSteps = [1, 10, 100, 1e3, 1e4, 1e5, 1e6].flatMap((x) => [x, 2 * x, 5 * x]);

export function lines(spec: LinesSpec, frame: Frame): Drawing {
  const plotBox = h("div", {
    tabindex: 0,
    role: "application",
    "data-key": spec.label,
    "aria-label": `${spec.label}. Left and right arrow keys move, Enter selects.`,
  });
  const tip = h("div", { class: "tip", hidden: true, "aria-hidden": "true", dir: "auto" });
  const node = h("div", { class: "lines" }, keyPicture(spec, frame), plotBox, tip);
  const plot = new uPlot(options(spec, frame, tip), dataOf(spec), plotBox);
  addKeys(plotBox, plot, spec, frame);
  return {
    node,
    toSvg: () => linesSvg(spec, frame.width),
    destroy: () => {
      plot.destroy();
    },
  };
}

/** uPlot takes null for what is not known; bands are two series each. */
function dataOf({ x, lines }: LinesSpec): uPlot.AlignedData {
  const known = (values: ArrayLike<number>) =>
    Array.from(values, (value) => (Number.isFinite(value) ? value : null));
  const series = lines.flatMap(({ values, band }) =>
    band ? [known(values), known(band.high), known(band.low)] : [known(values)],
  );
  return [Array.from(x), ...series];
}

function options(spec: LinesSpec, frame: Frame, tip: HTMLElement): uPlot.Options {
  const { theme } = frame;
  const series: uPlot.Series[] = [{}];
  const bands: uPlot.Band[] = [];
  spec.lines.forEach((line, i) => {
    const { colour: stroke, dash } = styleOf(line, i);
    const points = line.isDots
      ? { show: true, size: dotSize, fill: stroke, width: 0 }
      : { show: spec.x.length === 1 };
    series.push({
      label: line.name,
      stroke,
      dash: [...dash],
      width: line.width ?? 1.75,
      points,
      spanGaps: line.isJoined ?? false,
      ...(line.isDots ? { paths: () => null } : {}),
    });
    if (line.band) {
      const first = series.length;
      const edge: uPlot.Series = {
        stroke: "transparent",
        points: { show: false },
        spanGaps: line.isJoined ?? false,
      };
      series.push(edge, { ...edge });
      bands.push({ series: [first, first + 1], fill: `${stroke}2a` });
    }
  });
  return {
    width: frame.width,
    height: spec.height ?? defaultHeight,
    series,
    bands,
    axes: [
      { ...axis(theme, spec.xTitle), size: 32, ...(isWhole(spec) ? { incrs: wholeSteps } : {}) },
      {
        ...axis(theme, spec.yTitle),
        size: roomForNumbers,
        ...(spec.isLog ? logarithmicGrid(theme) : roundMarks),
      },
    ],
    scales: { x: { time: false }, y: spec.isLog ? { distr: logarithmic } : {} },
    legend: { show: false },
    cursor: { y: false, drag: { x: true, y: false } },
    hooks: {
      setCursor: [
        (plot) => {
          showTip(plot, spec, tip);
        },
      ],
      draw: [
        (plot) => {
          drawVerticals(plot, spec, theme);
        },
      ],
    },
  };
}

/** Whether marks between whole numbers would mean nothing, as half a trial, or look odd, as half a year. */
function isWhole({ x, hasWholeX }: LinesSpec): boolean {
  return hasWholeX ?? (x.length > 1 && Array.from(x).every(Number.isInteger));
}

function axis(theme: Theme, title: string): uPlot.Axis {
  const font = `${fontSize}px ${fontFamily}`;
  const line = { stroke: colour(theme, "--line"), width: 1 };
  return {
    label: title,
    labelFont: font,
    labelSize: 20,
    labelGap: 0,
    // Without separators: a year is no amount.
    values: (_, splits: (number | null)[]) => splits.map(axisNumber),
    font,
    stroke: colour(theme, "--quiet"),
    grid: line,
    ticks: { ...line, size: 4 },
  };
}

/** Of any size: uPlot's own marks end at 1e-16, and data in tesla have squares far below. It asks for a step all the
 *  same, and takes a huge one without looking further. */
const roundMarks: uPlot.Axis = {
  incrs: [1e300],
  splits: (plot, _, low, high) => ticks(low, high, plot.height / 50),
};

function roomForNumbers(_: uPlot, values: string[] | null): number {
  return 14 + Math.max(24, ...(values ?? []).map(textWidth));
}

/** Lines at powers of ten only. */
function logarithmicGrid(theme: Theme): uPlot.Axis {
  const line = { stroke: colour(theme, "--line"), width: 1 };
  const splits: uPlot.Axis.Splits = (_, __, low, high) => {
    const [first, last] = [Math.ceil(Math.log10(low)), Math.floor(Math.log10(high))];
    const every = Math.max(1, Math.ceil((last - first) / 8));
    const n = Math.max(1, Math.floor((last - first) / every) + 1);
    return Array.from({ length: n }, (___, i) => 10 ** (first + i * every));
  };
  return { grid: line, ticks: { ...line, size: 4 }, splits, filter: (_, values) => values };
}

/** A logarithmic axis has marks without a number. */
function axisNumber(value: number | null): string {
  return value === null ? "" : exact(value);
}

function keyPicture(spec: LinesSpec, { width }: Frame): SVGSVGElement | string {
  if (spec.hasKey === false) return "";
  const { group, height } = keyOfLines(spec, width);
  const picture = svgFigure(width, height, "Key");
  picture.append(group);
  return picture;
}

/** Lines whose values are told; more would cover the figure. */
const mostTold = 12;

function textAt(spec: LinesSpec, point: number): string {
  if (spec.describe) return spec.describe(point);
  const values = spec.lines
    .filter(({ values }) => Number.isFinite(values[point]))
    .map(({ name, values }) => `${name}: ${short(values[point]!)}`);
  if (values.length > mostTold) values.splice(mostTold, Infinity, "…");
  return [`${spec.xTitle}: ${tellApart(spec.x)(spec.x[point]!)}`, ...values].join("\n");
}

function showTip(plot: uPlot, spec: LinesSpec, tip: HTMLElement): void {
  const { idx, left = -1 } = plot.cursor;
  tip.hidden = idx === null || idx === undefined || left < 0;
  if (tip.hidden) return;
  tip.textContent = visible(textAt(spec, idx!));
  const x = plot.over.offsetLeft + left;
  const isRight = left > plot.over.clientWidth / 2;
  const side = isRight ? `right:${plot.root.clientWidth - x + 10}px` : `left:${x + 10}px`;
  tip.style.cssText = `${side};bottom:${plot.root.clientHeight / 2}px`;
}

function drawVerticals(plot: uPlot, spec: LinesSpec, theme: Theme): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = colour(theme, "--quiet");
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.font = `${fontSize * devicePixelRatio}px ${fontFamily}`;
  ctx.textAlign = "left";
  ctx.lineWidth = devicePixelRatio;
  for (const { x, name } of drawnVerticals(spec, (one) => plot.valToPos(one, "x"))) {
    const at = plot.valToPos(x, "x", true);
    if (at < bbox.left || at > bbox.left + bbox.width) continue;
    ctx.globalAlpha = name === "" ? unnamedAlpha : 1;
    ctx.beginPath();
    ctx.moveTo(at, bbox.top);
    ctx.lineTo(at, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillText(visible(name), at + 4 * devicePixelRatio, bbox.top + fontSize * devicePixelRatio);
  }
  ctx.restore();
}

/** A click that moved farther, in pixels, chose a stretch to look at. */
const stillClick = 4;

function addKeys(box: HTMLElement, plot: uPlot, spec: LinesSpec, frame: Frame): void {
  const kept = `cursor ${spec.label}`;
  const last = () => frame.memory.get(kept) as number | undefined;
  const current = () => plot.cursor.idx ?? last() ?? null;
  const choose = () => {
    const point = current();
    if (point !== null) spec.choose?.(point);
  };
  box.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
    if (event.key === "Enter") choose();
    if (step === undefined) return;
    event.preventDefault();
    const at = current();
    const next = at === null ? 0 : Math.min(spec.x.length - 1, Math.max(0, at + step));
    plot.setCursor({ left: plot.valToPos(spec.x[next]!, "x"), top: 0 });
    frame.memory.set(kept, next);
    frame.say(textAt(spec, next));
  });
  let pressed = 0;
  plot.over.addEventListener("pointerdown", ({ clientX }) => {
    pressed = clientX;
  });
  plot.over.addEventListener("click", ({ clientX }) => {
    if (Math.abs(clientX - pressed) <= stillClick) choose();
  });
}
