// What every kind of figure gives back.
import type { Theme } from "./theme";

/** What a figure is drawn for. */
export interface Frame {
  /** Pixels. */
  width: number;
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
