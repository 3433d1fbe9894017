// A figure in SVG over which a cursor moves: by mouse and by keyboard, from value to value.
import { h } from "../ui/dom";
import { addCursor, type CursorSpec } from "./cursor";
import type { Drawing, Frame } from "./drawing";

/** `label` says what the figure is, to a screen reader, and is the same after a redraw. */
export function cursorDrawing(
  label: string,
  draw: () => SVGSVGElement,
  frame: Frame,
  cells: Omit<CursorSpec, "frame" | "key">,
): Drawing {
  const node = h("div", { class: cells.choose ? "bars choosable" : "bars" });
  const picture = draw();
  const keys = cells.nColumns > 1 ? "Arrow keys move" : "Up and down arrow keys move";
  const how = cells.choose ? `${keys}, Enter selects.` : `${keys}.`;
  picture.setAttribute("role", "application");
  picture.setAttribute("aria-label", `${label}. ${how}`);
  picture.setAttribute("data-key", label);
  node.append(picture);
  addCursor(node, picture, { ...cells, frame, key: label });
  return { node, toSvg: draw };
}
