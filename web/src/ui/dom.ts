// HTML elements. Children that are texts become text nodes, so names can hold any character.
import { heldTogether, visible } from "./words";

export type Child = Node | string | null;

type Properties = Readonly<Record<string, string | number | boolean | (() => void) | null>>;

/** Properties that start with "on" are listeners; true writes an empty attribute, false and null none. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, String(value));
  }
  for (const child of children) {
    if (child !== null) element.append(typeof child === "string" ? visible(child) : child);
  }
  return element;
}

/** A text in which what stands between backticks is code, as in the sentences of milcci. */
export function withCode(text: string): Child[] {
  const parts = text.split("`");
  // One without a partner is a character like others.
  if (parts.length % 2 === 0) parts.push(parts.splice(-2).join("`"));
  return parts.map((part, i) =>
    i % 2 === 1 ? h("code", {}, ...optionsWhole(part)) : heldTogether(part),
  );
}

/** A command whose options do not break after their dashes. */
function optionsWhole(command: string): Child[] {
  return command
    .split(" ")
    .flatMap((word, i) => [
      i > 0 ? " " : null,
      word.startsWith("-") ? h("span", { class: "whole-word" }, word) : word,
    ]);
}

/** A name from the data: its direction is its own, whatever stands around it. */
export function nameText(name: string): HTMLElement {
  return h("bdi", {}, name);
}

let lastId = 0;

/** An id that is not yet on the page. */
export function newId(what: string): string {
  return `${what}-${++lastId}`;
}
