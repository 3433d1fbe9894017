// CSV files that the page saves, and those of milcci, as rows.
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";

/** The cell in a column; empty if there is none. */
export type Row = (column: string) => string;

/** Rows of a CSV file without line breaks in its cells. */
export function rowsOf(text: string): Row[] {
  const [header = "", ...lines] = text.trimEnd().split(/\r?\n/);
  const cellsOf = (line: string): string[] =>
    [...`${line},`.matchAll(/("(?:[^"]|"")*"|[^,]*),/g)].map(([, cell = ""]) =>
      cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
    );
  const names = cellsOf(header);
  return lines.map((line) => {
    const cells = cellsOf(line);
    return (column) => cells[names.indexOf(column)] ?? "";
  });
}

/** What a button saves. */
export async function savedCsv(page: Page, button: Locator): Promise<Row[]> {
  const [saved] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return rowsOf(readFileSync(await saved.path(), "utf8"));
}

/** What the first figure that matches has in its menu. */
export async function downloadCsv(page: Page, figure: Locator): Promise<Row[]> {
  const menu = figure.locator(".menu").first();
  await menu.locator("summary").click();
  const rows = await savedCsv(page, menu.getByRole("button", { name: "CSV" }));
  await menu.locator("summary").click();
  return rows;
}
