// A cursor on a figure of cells: the mouse and the arrow keys move it, a small text beside it and the
// screen reader say what is there, a click or Enter chooses it.
import { h } from "../ui/dom";
import { visible } from "../ui/words";
import type { Frame } from "./drawing";

export interface CursorSpec {
  nRows: number;
  nColumns: number;
  /** The cell at a place of the target, in its pixels, or null. */
  cellAt: (x: number, y: number) => [number, number] | null;
  /** The rectangle of a cell, in the target's pixels. */
  rectOf: (row: number, column: number) => { x: number; y: number; width: number; height: number };
  describe: (row: number, column: number) => string;
  choose?: ((row: number, column: number) => void) | undefined;
  /** Says what the arrow keys lead to. */
  frame: Frame;
  /** Under which the place of the cursor is kept. */
  key: string;
}

/** Adds the cursor to `box`, a positioned element that holds `target` at its top left corner or at
 *  `offset`. `target` becomes focusable. */
export function addCursor(
  box: HTMLElement,
  target: HTMLElement | SVGElement,
  spec: CursorSpec,
  offset = { x: 0, y: 0 },
): void {
  const mark = h("div", { class: "cursor", hidden: true, "aria-hidden": "true" });
  const tip = h("div", { class: "tip", hidden: true, "aria-hidden": "true", dir: "auto" });
  box.append(mark, tip);
  let at: [number, number] | null = null;
  const kept = `cursor ${spec.key}`;

  const show = (cell: [number, number] | null) => {
    at = cell;
    mark.hidden = tip.hidden = !cell;
    if (!cell) return;
    const { x, y, width, height } = spec.rectOf(...cell);
    const left = x + offset.x;
    const top = y + offset.y;
    mark.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
    tip.textContent = visible(spec.describe(...cell));
    const isRight = left + width / 2 > box.clientWidth / 2;
    tip.style.cssText = isRight
      ? `right:${box.clientWidth - left + 8}px;top:${top + height + 6}px`
      : `left:${left + width + 8}px;top:${top + height + 6}px`;
  };
  const choose = () => {
    if (at) spec.choose?.(...at);
  };

  target.setAttribute("tabindex", "0");
  target.addEventListener("pointermove", (event) => {
    const box = target.getBoundingClientRect();
    const { clientX, clientY } = event as PointerEvent;
    show(spec.cellAt(clientX - box.left, clientY - box.top));
  });
  target.addEventListener("pointerleave", () => {
    show(null);
  });
  target.addEventListener("blur", () => {
    show(null);
  });
  target.addEventListener("click", choose);
  target.addEventListener("keydown", (event) => {
    const { key } = event as KeyboardEvent;
    if (key === "Enter" || key === " ") {
      event.preventDefault();
      choose();
      return;
    }
    const last = spec.frame.memory.get(kept) as [number, number] | undefined;
    const moved = move(at ?? within(last, spec), key, spec);
    if (!moved) return;
    event.preventDefault();
    show(moved);
    spec.frame.memory.set(kept, moved);
    spec.frame.say(spec.describe(...moved));
  });
}

/** A cell of before, if it still exists. */
function within(
  cell: [number, number] | undefined,
  { nRows, nColumns }: { nRows: number; nColumns: number },
): [number, number] | null {
  return cell && cell[0] < nRows && cell[1] < nColumns ? cell : null;
}

/** The cell that a key leads to from a cell, or null if it is no key of the cursor. */
export function move(
  at: [number, number] | null,
  key: string,
  { nRows, nColumns }: { nRows: number; nColumns: number },
): [number, number] | null {
  const [row, column] = at ?? [0, 0];
  const steps: Record<string, [number, number]> = {
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    PageUp: [row - 10, column],
    PageDown: [row + 10, column],
    Home: [row, 0],
    End: [row, nColumns - 1],
  };
  const step = steps[key];
  if (!step || nRows === 0 || nColumns === 0) return null;
  if (!at) return [0, 0];
  return [Math.min(nRows - 1, Math.max(0, step[0])), Math.min(nColumns - 1, Math.max(0, step[1]))];
}
