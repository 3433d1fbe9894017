// Names at the left of rows, each with a quiet note beside it.
import { boldWidth, label, svg, textWidth } from "./svg";

export interface NamedRow {
  name: string;
  /** Stands in a quiet colour beside the name, such as the channel's group. */
  note?: string;
  isSelected?: boolean;
}

/** Room for the names of all rows, in a figure that is so wide. */
export function nameWidth(rows: readonly NamedRow[], width: number): number {
  const widest = Math.max(
    0,
    ...rows.map(({ name, note }) => boldWidth(name) + (note ? textWidth(note) + 12 : 0)),
  );
  return Math.ceil(Math.min(0.45 * width, widest + 14));
}

export function rowName({ name, note, isSelected }: NamedRow, left: number, y: number): SVGElement {
  const weight = isSelected ? "bold" : "normal";
  const group = svg("g");
  const room = left - 18 - Math.min(boldWidth(name), 0.55 * left);
  const noteWidth = note ? Math.min(textWidth(note), room) : 0;
  if (note) {
    group.append(label(note, 0, y, { fill: "var(--quiet)", width: noteWidth + 1 }));
  }
  const width = left - 8 - (note ? noteWidth + 10 : 0);
  group.append(label(name, left - 8, y, { anchor: "end", width, weight }));
  return group;
}
