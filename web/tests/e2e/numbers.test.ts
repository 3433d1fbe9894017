// The numbers on the page against those that `milcci export` writes: downloads, tables and the DOM.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawAll, openBrowser, openPage } from "./browser";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});

type Row = Record<string, string>;

/** Rows of a CSV file without line breaks in its cells. */
function rowsOf(text: string): Row[] {
  const lines = text.trimEnd().split(/\r?\n/);
  const cells = (line: string): string[] =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
      .slice(0, line.endsWith(",") ? undefined : -1)
      .map(([, cell]) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
  const names = cells(lines[0]);
  return lines.slice(1).map((line) => {
    const row = cells(line);
    return Object.fromEntries(names.map((name, i) => [name, row[i] ?? ""]));
  });
}

async function downloadCsv(page: Page, figure: string): Promise<Row[]> {
  const menu = page.locator(`${figure} .menu`).first();
  await menu.locator("summary").click();
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    menu.getByRole("button", { name: "CSV" }).click(),
  ]);
  await menu.locator("summary").click();
  return rowsOf(readFileSync(await saved.path(), "utf8"));
}

const folder = process.env.MILCCI_REPORTS ?? "";
const names = ["simulated", "dynamics", "elections", "nwb"].filter((name) =>
  existsSync(join(folder, "work", `${name}-tables`)),
);
if (names.length === 0) console.log("no tables in MILCCI_REPORTS: numbers are not compared");

const table = (name: string, of: string): Row[] =>
  rowsOf(readFileSync(join(folder, "work", `${name}-tables`, `${of}.csv`), "utf8"));

describe.each(names)("%s", (name) => {
  const html = readFileSync(join(folder, `${name}.html`), "utf8");

  it("has the memberships and standard errors of the model", async () => {
    const { page } = await openPage(browser, html);
    await drawAll(page);
    const expected = table(name, "memberships");
    const components = table(name, "components").filter(({ certainty }) => certainty !== "none");
    for (const { category, component } of components) {
      await page
        .locator("table.components")
        .getByRole("button", { name: `${category} ${component}`, exact: true })
        .click();
      await drawAll(page);
      const shown = new Map(
        (await downloadCsv(page, "#components figure")).map((row) => [
          `${row.channel}\n${row.option}`,
          row,
        ]),
      );
      const own = expected.filter(
        (row) => row.category === category && row.component === component,
      );
      const largest = Math.max(...own.map(({ membership }) => Math.abs(+membership)));
      const largestError = Math.max(...own.map(({ standard_error }) => +standard_error));
      for (const row of own) {
        const found = shown.get(`${row.channel}\n${row.option}`);
        if (!found) {
          expect(Math.abs(+row.membership)).toBe(0); // only members may be listed
          continue;
        }
        expect(Math.abs(+found.membership - +row.membership)).toBeLessThanOrEqual(largest / 32767);
        expect(+found.membership === 0).toBe(+row.membership === 0);
        if (row.standard_error === "") expect(found.standard_error).toBe("");
        else {
          const error = Math.abs(+found.standard_error - +row.standard_error);
          expect(error).toBeLessThanOrEqual(largestError / 32767);
        }
      }
    }
    await page.context().close();
  });

  it("tells share, stability and certainty as the model does", async () => {
    const { page } = await openPage(browser, html);
    await drawAll(page);
    for (const { category, component, explained, certainty } of table(name, "components")) {
      const row = page.locator("table.components tbody tr").filter({
        has: page.getByRole("button", { name: `${category} ${component}`, exact: true }),
      });
      const text = ((await row.textContent()) ?? "")
        .replaceAll("\u00a0", " ")
        .replaceAll("\u202f", " ");
      expect(text).toContain(certainty === "none" ? "dead" : certainty);
      expect(text).toContain(`${(100 * +explained).toFixed(1)} %`);
    }
    await page.context().close();
  });

  it("has the errors of every trial", async () => {
    const { page } = await openPage(browser, html);
    await drawAll(page);
    const shown = await downloadCsv(page, "#fit figure");
    const expected = table(name, "trials");
    expect(shown).toHaveLength(expected.length);
    expected.forEach(({ r2 }, m) => {
      expect(+shown[m].r2).toBeCloseTo(+r2, 9);
    });
    await page.context().close();
  });
});
