// What every kind of figure gives back.
import type { Theme } from "./theme";

/** What a figure is drawn for. */
export interface Frame {
  /** Pixels. */
  width: number;
  /** Of the cells of a heat map, where a page of paper ends below them. */
  mostHeight?: number;
  theme: Theme;
  /** Outlives a redraw: where the cursor was. */
  memory: Map<string, unknown>;
  /** Has a screen reader say the value under the cursor. */
  say: (text: string) => void;
}

export interface Drawing {
  node: HTMLElement | SVGSVGElement;
  /** The same as one SVG, whole: for files and paper. */
  toSvg: () => SVGSVGElement;
  destroy?: () => void;
}
