// Labelled controls: a select, a slider, and the search for a channel.
import { manyOptions } from "../state";
import { h, newId } from "./dom";
import { visible } from "./words";

export interface SelectSpec {
  label: string;
  names: readonly string[];
  value: number;
  onChange: (value: number) => void;
}

/** A select of named things by their position. */
export function select({ label, names, value, onChange }: SelectSpec): HTMLElement {
  const id = newId("select");
  const control = h(
    "select",
    { id, "data-key": `select ${label}` },
    ...names.map((name, i) => h("option", { value: i, selected: i === value, dir: "auto" }, name)),
  );
  control.addEventListener("change", () => {
    onChange(Number(control.value));
  });
  return h("span", { class: "control" }, h("label", { for: id }, label), control);
}

/** A slider through many ordered things; the name of the current one stands beside it. */
export function slider({ label, names, value, onChange }: SelectSpec): HTMLElement {
  const id = newId("slider");
  const control = h("input", {
    id,
    type: "range",
    min: 0,
    max: names.length - 1,
    value,
    "data-key": `slider ${label}`,
    "aria-valuetext": names[value] ?? "",
  });
  const shown = h("output", { for: id, dir: "auto" }, names[value] ?? "");
  control.addEventListener("input", () => {
    shown.textContent = visible(names[Number(control.value)] ?? "");
    control.setAttribute("aria-valuetext", shown.textContent);
  });
  control.addEventListener("change", () => {
    onChange(Number(control.value));
  });
  return h("span", { class: "control" }, h("label", { for: id }, label), control, shown);
}

/** A select of options, or a slider where they are ordered and many. */
export function optionPicker(spec: SelectSpec, isOrdered: boolean): HTMLElement {
  return isOrdered && spec.names.length > manyOptions ? slider(spec) : select(spec);
}

export interface SearchSpec {
  label: string;
  names: readonly string[];
  value: number | null;
  onChange: (value: number | null) => void;
  say: (text: string) => void;
}

/** Finds one of many names: the same, else one that begins so, else one that has it inside. */
export function findName(names: readonly string[], text: string): number {
  const wanted = text.trim().toLocaleLowerCase();
  const folded = names.map((name) => name.trim().toLocaleLowerCase());
  const exact = names.indexOf(text);
  if (exact >= 0) return exact;
  const same = folded.indexOf(wanted);
  if (same >= 0) return same;
  const begins = folded.findIndex((name) => name.startsWith(wanted));
  return begins >= 0 ? begins : folded.findIndex((name) => name.includes(wanted));
}

export function search({ label, names, value, onChange, say }: SearchSpec): HTMLElement {
  const id = newId("search");
  const list = newId("names");
  const control = h("input", {
    id,
    list,
    type: "search",
    dir: "auto",
    autocomplete: "off",
    "data-key": `search ${label}`,
    value: value === null ? "" : (names[value] ?? ""),
  });
  const missed = h("span", { class: "missed bad", dir: "auto", hidden: true });
  const tell = (text: string) => {
    missed.textContent = visible(text);
    missed.hidden = text === "";
    control.setAttribute("aria-invalid", String(text !== ""));
    say(text);
  };
  control.addEventListener("change", () => {
    const isEmpty = control.value.trim() === "";
    const found = isEmpty ? null : findName(names, control.value);
    const isMissed = found !== null && found < 0;
    tell(isMissed ? `No ${label.toLowerCase()} is called ${control.value}` : "");
    if (!isMissed) onChange(found);
  });
  const options = h("datalist", { id: list }, ...names.map((name) => h("option", { value: name })));
  return h("span", { class: "control" }, h("label", { for: id }, label), control, options, missed);
}
