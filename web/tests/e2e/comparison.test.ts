// The comparison of methods: what it says, how it is sorted, and that its numbers are those of `milcci compare`.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillPage } from "../../script/fill_page.mjs";
import type { ComparisonData, MethodData } from "../../src/data/format";
import { smallComparison, smallReport } from "../fixture";
import { openBrowser, openPage } from "./browser";
import { downloadCsv, savedCsv, type Row } from "./csv";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});

const compared = fillPage(JSON.stringify({ ...smallReport(), comparison: smallComparison() }));

async function openComparison(html: string, hash = ""): Promise<{ page: Page; panel: Locator }> {
  const { page, faults } = await openPage(browser, html, { hash });
  const panel = page.locator("#comparison");
  await panel.scrollIntoViewIfNeeded();
  await panel.locator(".panel-body > *").first().waitFor();
  expect(faults).toEqual([]);
  return { page, panel };
}

const namesIn = (panel: Locator) => panel.locator("tbody th bdi").allTextContents();

describe("without a comparison", () => {
  it("says how to make one", async () => {
    const { page, panel } = await openComparison(fillPage(JSON.stringify(smallReport())));
    const text = await panel.innerText();
    expect(text).toContain("milcci compare TRIALS");
    expect(text).toContain("--comparison results.json");
    await page.context().close();
  });
});

describe("the table of methods", () => {
  it("says first that another method is better, and shows names as text", async () => {
    const { page, panel } = await openComparison(compared);
    expect(await panel.locator("p").first().innerText()).toMatch(
      /^In each of 3 repeats, <\/td><b>ica<\/b> predicts held-out channels better than our model/,
    );
    expect(await panel.innerText()).toContain(
      "A high R2 does not mean that the components are right",
    );
    expect(await panel.locator("b").count()).toBe(0);
    await page.context().close();
  });

  it("marks ours, what failed, and what had less", async () => {
    const { page, panel } = await openComparison(compared);
    const textOf = async (row: number) => panel.locator("tbody tr").nth(row).innerText();
    expect(await textOf(0)).toContain("1 of 2 components");
    expect(await textOf(0)).toContain("noise 0.1 added");
    expect(await textOf(0)).not.toContain("rank");
    expect(await textOf(2)).toContain("ours");
    expect(await textOf(2)).toContain("tuned: consistency 0.1 (first repeat)");
    expect(await textOf(2)).toContain("0.6000 ± 0.0100");
    expect(await textOf(2)).toContain("rank 2");
    expect(await textOf(5)).toMatch(/failed\s*NMF takes no negative data/);
    const notes = await panel.locator(".marks").allInnerTexts();
    expect(notes.join("\n")).toContain("slicetca_2: stopped before it converged (time limit).");
    await page.context().close();
  });

  it("is sorted by its headings, by mouse and by keyboard, and keeps the focus", async () => {
    const { page, panel } = await openComparison(compared);
    const heading = (name: string) => panel.getByRole("button", { name, exact: true });
    const sorted = () =>
      panel.locator("th[aria-sort]").evaluateAll((all) => all.map((one) => one.ariaSort));
    expect(await sorted()).toEqual(["descending"]);
    await heading("R2").click();
    expect((await namesIn(panel))[0]).toBe("</td><b>ica</b>");
    await heading("BIC").focus();
    await page.keyboard.press("Enter");
    expect((await namesIn(panel))[0]).toBe("milcci");
    expect(await sorted()).toEqual(["ascending"]);
    expect(await page.getByRole("status").textContent()).toContain("Sorted by BIC");
    await heading("method").click();
    await page.keyboard.press("Enter");
    expect((await namesIn(panel))[0]).toBe("svd");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("method");
    await page.context().close();
  });
});

describe("the figures of methods", () => {
  it("say that errors and distances are of the first repeat", async () => {
    const { page, panel } = await openComparison(compared);
    for (const title of ["Relative error of the trials", "Distances between components"]) {
      const note = panel.locator("figure", { hasText: title }).locator(".note");
      expect(await note.innerText()).toContain("Of the first of 3 repeats.");
    }
    await page.context().close();
  });

  it("are read out by the arrow keys", async () => {
    const { page, panel } = await openComparison(compared);
    await panel.locator("svg[role=application]").first().focus();
    for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    const said = await page.getByRole("status").textContent();
    expect(said).toContain("co-smoothing R2: 0.7000");
    expect(said).toContain("rank 1");
    await page.context().close();
  });

  it("show the names of methods whole, also on a small screen", async () => {
    const context = { viewport: { width: 390, height: 900 } };
    const { page, faults } = await openPage(browser, compared, context);
    const panel = page.locator("#comparison");
    await panel.scrollIntoViewIfNeeded();
    await panel.locator("svg[role=application]").first().waitFor();
    const texts = await panel.locator("svg[role=application] text").allTextContents();
    expect(texts.filter((text) => text.includes("…"))).toEqual([]);
    expect(texts.join(" ")).toContain("1 of 2 components,");
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("show a score far below the others as an arrow with its value", async () => {
    const { page, panel } = await openComparison(compared);
    const labels = await panel
      .locator("svg[role=application]")
      .first()
      .locator("text")
      .allTextContents();
    expect(labels).toContain("-109");
    // The axis is that of the others, from 0.59 to 0.91.
    const marks = labels.map(Number).filter((mark) => Math.abs(mark) < 10);
    expect(marks.length).toBeGreaterThan(1);
    expect(Math.min(...marks)).toBeGreaterThanOrEqual(0.5);
    await page.context().close();
  });

  it("show the selected trial", async () => {
    const { page, panel } = await openComparison(compared, "#trial=2");
    const errors = panel.locator("figure", { hasText: "Relative error of the trials" });
    expect(await errors.innerText()).toContain("trial 2, which is selected");
    await errors.locator("svg[role=application]").focus();
    for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    expect(await page.getByRole("status").textContent()).toContain("trial 2: 20.0");
    await page.context().close();
  });
});

const folder = process.env.MILCCI_REPORTS ?? "";
const results = join(folder, "work", "simulated-results.json");

describe.skipIf(!existsSync(results))("numbers of milcci compare", () => {
  const told = existsSync(results)
    ? (JSON.parse(readFileSync(results, "utf8")) as ComparisonData)
    : smallComparison();
  const number = (text: string) => (text === "" ? null : Number(text));
  const of = (rows: readonly Row[], { name, n_components, added_noise }: MethodData) =>
    rows.filter(
      (row) =>
        row("method") === name &&
        Number(row("n_components")) === n_components &&
        Number(row("added_noise")) === added_noise,
    );

  it("are in the table and in its CSV", async () => {
    const { page, panel } = await openComparison(
      readFileSync(join(folder, "simulated.html"), "utf8"),
    );
    const rows = await savedCsv(page, panel.getByRole("button", { name: "Download CSV" }));
    expect(rows).toHaveLength(told.methods.length);
    for (const method of told.methods) {
      const [row] = of(rows, method);
      for (const [score, spread] of Object.entries(method.spread)) {
        for (const [part, value] of Object.entries(spread)) {
          expect(number(row!(`${score}_${part}`))).toBe(value);
        }
      }
      const shown = panel.locator("tbody tr").filter({
        has: page.locator("bdi").getByText(method.name, { exact: true }),
      });
      const text = await shown.innerText();
      if (method.failed !== null) expect(text).toContain(method.failed);
      for (const key of ["r2", "cosmoothing_r2", "component_correlation"] as const) {
        const spread = method.spread[key];
        if (spread) expect(text).toContain(`${spread.mean!.toFixed(4)} ± ${spread.sd!.toFixed(4)}`);
      }
    }
    await page.context().close();
  });

  it("are in the figures", async () => {
    const { page, panel } = await openComparison(
      readFileSync(join(folder, "simulated.html"), "utf8"),
    );
    const figure = (title: string) => panel.locator("figure", { hasText: title });
    const errors = await downloadCsv(page, figure("Relative error of the trials"));
    const distances = await downloadCsv(page, figure("Distances between components"));
    const predictions = await downloadCsv(page, figure("Prediction of held-out channels"));
    for (const method of told.methods) {
      expect(of(errors, method).map((row) => number(row("relative_error")))).toEqual(
        method.trial_errors,
      );
      const predicted = of(predictions, method).map((row) => number(row("mean")));
      const spread = method.spread.cosmoothing_r2;
      expect(predicted).toEqual(spread ? [spread.mean] : []);
      for (const row of of(distances, method)) {
        const { quantiles, mean } = method.distances[row("pairs") as keyof MethodData["distances"]];
        expect(number(row("mean"))).toBe(mean);
        expect(number(row("q50"))).toBe(quantiles[2] ?? null);
      }
    }
    await page.context().close();
  });
});
