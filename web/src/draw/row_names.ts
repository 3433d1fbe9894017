// Names at the left of rows, each with a quiet note beside it.
import { boldWidth, label, svg, textWidth, wrapText } from "./svg";

export interface NamedRow {
  name: string;
  /** Stands in a quiet colour beside the name, such as the channel's group. */
  note?: string;
  /** Stands in a quiet colour below the name, in as many lines as it needs. */
  detail?: string;
  isSelected?: boolean;
}

/** A detail may make names so much wider, but no more. */
const detailWidth = 150;
const lineHeight = 14;

/** Room for the names of all rows, in a figure that is so wide. */
export function nameWidth(rows: readonly NamedRow[], width: number): number {
  const widest = Math.max(
    0,
    ...rows.map(({ name, note }) => boldWidth(name) + (note ? textWidth(note) + 12 : 0)),
    ...rows.map(({ detail }) => Math.min(detailWidth, detail ? textWidth(detail) : 0)),
  );
  return Math.ceil(Math.min(0.45 * width, widest + 14));
}

function detailLines({ detail }: NamedRow, left: number): string[] {
  return detail ? wrapText(detail, left - 8) : [];
}

/** Height of the tallest name with its detail. */
export function nameHeight(rows: readonly NamedRow[], left: number): number {
  return lineHeight * (1 + Math.max(0, ...rows.map((row) => detailLines(row, left).length)));
}

export function rowName(row: NamedRow, left: number, middle: number): SVGElement {
  const { name, note, isSelected } = row;
  const lines = detailLines(row, left);
  const y = middle - (lines.length * lineHeight) / 2;
  const weight = isSelected ? "bold" : "normal";
  const group = svg("g");
  const room = left - 18 - Math.min(boldWidth(name), 0.55 * left);
  const noteWidth = note ? Math.min(textWidth(note), room) : 0;
  if (note) {
    group.append(label(note, 0, y, { fill: "var(--quiet)", width: noteWidth + 1 }));
  }
  const width = left - 8 - (note ? noteWidth + 10 : 0);
  group.append(label(name, left - 8, y, { anchor: "end", width, weight }));
  lines.forEach((line, i) => {
    const below = { anchor: "end", width: left - 8, fill: "var(--quiet)" };
    group.append(label(line, left - 8, y + (i + 1) * lineHeight, below));
  });
  return group;
}
