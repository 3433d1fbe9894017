// Tables: what a figure shows, as rows. They are shown behind the figure and downloaded as CSV.

export type Cell = string | number | null;

export interface Table {
  header: readonly string[];
  rows: readonly (readonly Cell[])[];
}

/** RFC 4180: CRLF, quotes where needed. Numbers are written so that they read back to the same bits. */
export function toCsv({ header, rows }: Table): string {
  return [header, ...rows].map((row) => row.map(cellText).join(",") + "\r\n").join("");
}

function cellText(cell: Cell): string {
  if (cell === null || (typeof cell === "number" && Number.isNaN(cell))) return "";
  const text = String(cell);
  // A space at the end of a name would not survive some readers without quotes.
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
