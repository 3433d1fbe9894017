// A heat map: cells on a canvas, names and legend around it in SVG.
import { axisRange, largestAbsolute, type Values } from "../data/statistics";
import { h } from "../ui/dom";
import { amounts, signed, viridis, type ColourMap } from "./colour_map";
import { addCursor } from "./cursor";
import type { Drawing, Frame } from "./drawing";
import {
  cellNames,
  cellNumbers,
  columnEdge,
  layOut,
  legend,
  rowEdge,
  type Layout,
  type Names,
} from "./heat_map_frame";
import { shrink, type Cells } from "./shrink";
import { label, svg, svgFigure } from "./svg";
import type { Theme } from "./theme";

export interface HeatMapSpec {
  /** What a screen reader says of it. */
  label: string;
  rows: Names;
  columns: Names;
  /** Row after row. */
  values: Values;
  /** amounts: zero is nothing; signed: around zero; plain: zero is nothing special. */
  kind: "amounts" | "signed" | "plain";
  /** Values of the first and the last colour; by default those of the data. */
  range?: [number, number];
  /** What colours mean. */
  legend: string;
  describe: (row: number, column: number) => string;
  choose?: (row: number, column: number) => void;
  /** Writes each value into its cell, where cells are large enough. */
  showsNumbers?: boolean;
  /** Most pixels of all rows together. */
  maxHeight?: number;
  /** Pixels left free at the right of the cells, for what `overlay` draws there. */
  gutter?: number;
  /** Drawn over the cells and around them: moments, marks, bars of labels. */
  overlay?: (layout: Layout) => SVGElement[];
}

export function heatMap(spec: HeatMapSpec, frame: Frame): Drawing {
  const layout = layOut(spec, frame.width - (spec.gutter ?? 0), frame.mostHeight);
  const { left, top, width, height, nRows, nColumns } = layout;
  const map = colourMap(spec.kind, frame.theme);
  const range = spec.range ?? rangeOf(spec);
  const cells = shrink(spec.values, nRows, nColumns, { width, height });
  const canvas = drawCells(cells, map, range);
  const surround = () => {
    const picture = svgFigure(frame.width, layout.fullHeight, spec.label);
    picture.append(...frameOf(spec, layout, range), legend(layout, map, range, spec.legend));
    return picture;
  };

  const node = h("div", { class: "heat-map" });
  const picture = surround();
  picture.setAttribute("aria-hidden", "true");
  canvas.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", `${spec.label}. Arrow keys move, Enter selects.`);
  canvas.setAttribute("data-key", spec.label);
  node.append(picture, canvas);
  if (spec.overlay) {
    const over = svgFigure(frame.width, layout.fullHeight, "");
    over.setAttribute("class", "overlay");
    over.setAttribute("aria-hidden", "true");
    over.append(...spec.overlay(layout));
    node.append(over);
  }
  addCursor(
    node,
    canvas,
    {
      nRows,
      nColumns,
      cellAt: (x, y) => {
        const row = Math.floor((y / height) * nRows);
        const column = Math.floor((x / width) * nColumns);
        const isInside = row >= 0 && row < nRows && column >= 0 && column < nColumns;
        return isInside ? [row, column] : null;
      },
      rectOf: (row, column) => ({
        x: (column * width) / nColumns,
        y: (row * height) / nRows,
        width: width / nColumns,
        height: height / nRows,
      }),
      describe: (row, column) => spec.describe(row, column),
      choose: spec.choose,
      frame,
      key: spec.label,
    },
    { x: left, y: top },
  );
  const toSvg = () => {
    const whole = surround();
    const image = svg("image", { x: left, y: top, width, height, preserveAspectRatio: "none" });
    image.setAttribute("href", canvas.toDataURL());
    image.setAttribute("style", "image-rendering:pixelated");
    whole.prepend(image);
    if (spec.overlay) whole.append(...spec.overlay(layout));
    return whole;
  };
  return { node, toSvg };
}

function colourMap(kind: HeatMapSpec["kind"], theme: Theme): ColourMap {
  return kind === "amounts" ? amounts(theme) : kind === "signed" ? signed(theme) : viridis(theme);
}

function rangeOf({ kind, values }: HeatMapSpec): [number, number] {
  const largest = largestAbsolute(values) || 1;
  if (kind === "amounts") return [0, largest];
  if (kind === "signed") return [-largest, largest];
  return axisRange(values);
}

/** One pixel per cell; the browser makes it as large as need be. */
function drawCells(
  { values, nRows, nColumns }: Cells,
  map: ColourMap,
  [low, high]: [number, number],
): HTMLCanvasElement {
  const canvas = h("canvas", { width: nColumns, height: nRows });
  const context = canvas.getContext("2d");
  if (!context || nRows === 0 || nColumns === 0) return canvas;
  const image = context.createImageData(nColumns, nRows);
  const pixels = new Uint32Array(image.data.buffer);
  const slope = high > low ? 255 / (high - low) : 0;
  for (let i = 0; i < pixels.length; ++i) {
    const value = values[i]!;
    const index = Math.min(255, Math.max(0, Math.round((value - low) * slope)));
    pixels[i] = Number.isNaN(value) ? map.missing : map.pixels[index]!;
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

function frameOf(spec: HeatMapSpec, layout: Layout, range: [number, number]): SVGElement[] {
  const { left, top, width, height, nRows, nColumns } = layout;
  const parts: SVGElement[] = [
    svg("rect", { x: left, y: top, width, height, fill: "none", stroke: "var(--line)" }),
    ...cellNames(spec, layout),
  ];
  const rowTitle = spec.rows.title;
  if (rowTitle) parts.push(label(rowTitle, 0, 8, { fill: "var(--quiet)", width: left }));
  if (spec.showsNumbers) parts.push(...cellNumbers(spec.values, layout, range));
  const outline = { fill: "none", stroke: "var(--accent)", "stroke-width": 2 };
  for (const row of spec.rows.selected ?? []) {
    const y = rowEdge(layout, row);
    parts.push(svg("rect", { x: left, y, width, height: height / nRows, ...outline }));
  }
  for (const column of spec.columns.selected ?? []) {
    const x = columnEdge(layout, column);
    parts.push(
      svg("rect", { x, y: top - 4, width: width / nColumns, height: 3, fill: outline.stroke }),
    );
  }
  return parts;
}
