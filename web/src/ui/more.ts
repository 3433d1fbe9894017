// A long list of which the first few are shown until the reader asks for all.
import type { PanelHost } from "../panels/panel";
import { h } from "./dom";

const few = 20;

/** What is shown of the items, and the button that changes it; null if they are few. */
export function firstOf<T>(
  { memory, redraw }: PanelHost,
  items: readonly T[],
  what: string,
): { shown: readonly T[]; button: HTMLElement | null } {
  if (items.length <= few) return { shown: items, button: null };
  const key = `all ${what}`;
  const isAll = memory.get(key) === true;
  const onclick = () => {
    memory.set(key, !isAll);
    redraw();
  };
  const text = isAll ? `Show the first ${few}` : `Show all ${items.length} ${what}`;
  return {
    shown: isAll ? items : items.slice(0, few),
    button: h("button", { type: "button", class: "more", "data-key": key, onclick }, text),
  };
}
