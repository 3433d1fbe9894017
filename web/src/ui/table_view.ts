// A table of data on the page. Long ones are cut; the CSV has all.
import type { Cell, Table } from "../data/csv";
import { h, nameText, type Child } from "./dom";
import { short, tellApart } from "./words";

const mostRows = 200;

export function tableView({ header, rows }: Table, caption: string): HTMLElement {
  const shown = rows.slice(0, mostRows);
  const isNumber = header.map((_, c) => shown.some((row) => typeof row[c] === "number"));
  const textOf = header.map((name, c) =>
    name === "time" ? tellApart(shown.map((row) => Number(row[c]))) : short,
  );
  const align = (c: number) => ({ class: isNumber[c] ? "number" : "" });
  const table = h(
    "table",
    {},
    h("caption", {}, caption),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ...header.map((name, c) => h("th", { scope: "col", ...align(c) }, nameText(name))),
      ),
    ),
    h(
      "tbody",
      {},
      ...shown.map((row) =>
        h("tr", {}, ...row.map((cell, c) => h("td", align(c), cellContent(cell, textOf[c]!)))),
      ),
    ),
  );
  const box = h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    table,
  );
  if (rows.length > mostRows) {
    const note = `${mostRows} of ${rows.length} rows are shown; the CSV has all.`;
    return h("div", {}, box, h("p", { class: "note" }, note));
  }
  return box;
}

function cellContent(cell: Cell, textOf: (value: number) => string): Child {
  if (cell === null) return "";
  return typeof cell === "number" ? textOf(cell) : nameText(cell);
}
