// The numbers on the page against those that `milcci export` writes: downloads, tables and the DOM.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawAll, openBrowser, openPage } from "./browser";
import { downloadCsv, rowsOf, type Row } from "./csv";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});

const folder = process.env.MILCCI_REPORTS ?? "";
const names = ["simulated", "dynamics", "elections", "nwb"].filter((name) =>
  existsSync(join(folder, "work", `${name}-tables`)),
);
if (names.length === 0) it.skip("no tables in MILCCI_REPORTS: numbers are not compared");

const table = (name: string, of: string): Row[] =>
  rowsOf(readFileSync(join(folder, "work", `${name}-tables`, `${of}.csv`), "utf8"));

describe.concurrent.each(names)("%s", (name) => {
  const html = readFileSync(join(folder, `${name}.html`), "utf8");

  it("has the memberships and standard errors of the model", async () => {
    const { page } = await openPage(browser, html);
    await drawAll(page);
    const expected = table(name, "memberships");
    const living = table(name, "components").filter((row) => row("certainty") !== "none");
    for (const of of living) {
      const title = `${of("category")} ${of("component")}`;
      const button = page
        .locator("table.components")
        .getByRole("button", { name: title, exact: true });
      await button.click();
      await drawAll(page);
      const place = (row: Row): string => `${row("channel")}\n${row("option")}`;
      const shown = new Map(
        (await downloadCsv(page, page.locator("#components figure"))).map((row) => [
          place(row),
          row,
        ]),
      );
      const own = expected.filter(
        (row) => row("category") === of("category") && row("component") === of("component"),
      );
      const step = (column: string): number =>
        Math.max(...own.map((row) => Math.abs(+row(column)))) / 32767;
      for (const row of own) {
        const found = shown.get(place(row));
        const membership = +row("membership");
        if (!found) {
          expect(membership).toBeCloseTo(0, 15); // only members may be listed
          continue;
        }
        expect(Math.abs(+found("membership") - membership)).toBeLessThanOrEqual(step("membership"));
        expect(+found("membership") === 0).toBe(membership === 0);
        expect(found("standard_error") === "").toBe(row("standard_error") === "");
        const error = Math.abs(+found("standard_error") - +row("standard_error"));
        expect(error).toBeLessThanOrEqual(step("standard_error"));
      }
    }
    await page.context().close();
  });

  it("tells share, stability and certainty as the model does", async () => {
    const { page } = await openPage(browser, html);
    await drawAll(page);
    for (const of of table(name, "components")) {
      const title = `${of("category")} ${of("component")}`;
      const row = page.locator("table.components tbody tr").filter({
        has: page.getByRole("button", { name: title, exact: true }),
      });
      const text = ((await row.textContent()) ?? "").replaceAll(/[\u00a0\u202f]/g, " ");
      expect(text).toContain(of("certainty") === "none" ? "dead" : of("certainty"));
      expect(text).toContain(`${(100 * +of("explained")).toFixed(1)} %`);
    }
    await page.context().close();
  });

  it("has the errors of every trial", async () => {
    const { page } = await openPage(browser, html);
    await drawAll(page);
    const shown = await downloadCsv(page, page.locator("#fit figure"));
    const expected = table(name, "trials");
    expect(shown).toHaveLength(expected.length);
    expected.forEach((row, m) => {
      expect(+(shown[m]?.("r2") ?? "")).toBeCloseTo(+row("r2"), 9);
    });
    await page.context().close();
  });
});
