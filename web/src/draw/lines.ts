// Line plots: uPlot on the screen, SVG for files.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { h } from "../ui/dom";
import { short } from "../ui/words";
import type { Drawing, Frame } from "./drawing";
import { linesSvg } from "./lines_svg";
import { defaultHeight, keyOfLines, styleOf, type LinesSpec } from "./lines_spec";
import { fontFamily, fontSize, svgFigure } from "./svg";
import { colour, type Theme } from "./theme";

// uPlot has it as a const enum, which a bundler cannot read.
// eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment
const logarithmic = 3 as uPlot.Scale.Distr;

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
  addKeys(plotBox, plot, spec, frame.say);
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
    const points = { show: spec.x.length === 1 };
    series.push({ label: line.name, stroke, dash: [...dash], width: line.width ?? 1.75, points });
    if (line.band) {
      const first = series.length;
      const edge: uPlot.Series = { stroke: "transparent", points: { show: false } };
      series.push(edge, { ...edge });
      bands.push({ series: [first, first + 1], fill: `${stroke}33` });
    }
  });
  return {
    width: frame.width,
    height: spec.height ?? defaultHeight,
    series,
    bands,
    axes: [
      { ...axis(theme, spec.xTitle), size: 32 },
      { ...axis(theme, spec.yTitle), size: 56 },
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

function axis(theme: Theme, title: string): uPlot.Axis {
  const font = `${fontSize}px ${fontFamily}`;
  const line = { stroke: colour(theme, "--line"), width: 1 };
  return {
    label: title,
    labelSize: 20,
    labelFont: font,
    font,
    stroke: colour(theme, "--quiet"),
    grid: line,
    ticks: { ...line, size: 4 },
  };
}

function keyPicture(spec: LinesSpec, { width }: Frame): SVGSVGElement | string {
  if (spec.hasKey === false) return "";
  const { group, height } = keyOfLines(spec, width);
  const picture = svgFigure(width, height, "Key");
  picture.append(group);
  return picture;
}

function textAt(spec: LinesSpec, point: number): string {
  if (spec.describe) return spec.describe(point);
  const values = spec.lines
    .filter(({ values }) => Number.isFinite(values[point]))
    .map(({ name, values }) => `${name}: ${short(values[point]!)}`);
  return [`${spec.xTitle}: ${short(spec.x[point]!)}`, ...values].join("\n");
}

function showTip(plot: uPlot, spec: LinesSpec, tip: HTMLElement): void {
  const { idx, left = -1 } = plot.cursor;
  tip.hidden = idx === null || idx === undefined || left < 0;
  if (tip.hidden) return;
  tip.textContent = textAt(spec, idx!);
  const x = plot.over.offsetLeft + left;
  const isRight = left > plot.over.clientWidth / 2;
  const side = isRight ? `right:${plot.root.clientWidth - x + 10}px` : `left:${x + 10}px`;
  tip.style.cssText = `${side};bottom:${plot.root.clientHeight / 2}px`;
}

function drawVerticals(plot: uPlot, { verticals }: LinesSpec, theme: Theme): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = colour(theme, "--quiet");
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.font = `${fontSize * devicePixelRatio}px ${fontFamily}`;
  for (const { x, name } of verticals ?? []) {
    const at = plot.valToPos(x, "x", true);
    if (at < bbox.left || at > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(at, bbox.top);
    ctx.lineTo(at, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillText(name, at + 4, bbox.top + fontSize * devicePixelRatio);
  }
  ctx.restore();
}

function addKeys(box: HTMLElement, plot: uPlot, spec: LinesSpec, say: Frame["say"]): void {
  const current = () => plot.cursor.idx ?? null;
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
    say(textAt(spec, next));
  });
  plot.over.addEventListener("click", choose);
}
