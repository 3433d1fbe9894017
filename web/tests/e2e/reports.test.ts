// Every report: no error, no request, nothing that a reader with a keyboard, a screen reader, a small or a
// large screen would miss.
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawAll, lostPlaces, openBrowser, openPage, reportPages, untidyPlaces } from "./browser";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run(document);
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
  });
}

describe.concurrent.each(reportPages())("%s", (_, html) => {
  it.each(["light", "dark"] as const)("draws every panel and is accessible, %s", async (scheme) => {
    const { page, faults } = await openPage(browser, html, { colorScheme: scheme });
    await drawAll(page);
    expect(await page.locator("section.panel").count()).toBeGreaterThan(2);
    expect(await page.getByText("could not be drawn").count()).toBe(0);
    for (const body of await page.locator(".panel-body").all()) {
      expect(await body.evaluate((element) => element.childElementCount)).toBeGreaterThan(0);
    }
    expect(await lostPlaces(page)).toEqual([]);
    expect(await violations(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each([360, 3840])("fits a screen of %i pixels", async (width) => {
    const { page, faults } = await openPage(browser, html, { viewport: { width, height: 900 } });
    await drawAll(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each([390, 1440])("is tidy at %i pixels", async (width) => {
    const { page } = await openPage(browser, html, { viewport: { width, height: 900 } });
    await drawAll(page);
    expect(await untidyPlaces(page)).toEqual([]);
    await page.context().close();
  });

  it("prints within the paper", async () => {
    const { page } = await openPage(browser, html, { viewport: { width: 680, height: 900 } });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    const cut = await page.evaluate(() => {
      const isCut = (element: Element, frame: Element) =>
        element.getBoundingClientRect().right > frame.getBoundingClientRect().right + 1;
      const drawn = [...document.querySelectorAll(".stage svg, .stage canvas")];
      const tables = [...document.querySelectorAll(".scroll table")];
      return [
        ...drawn.filter((one) => isCut(one, one.closest(".stage")!)),
        ...tables.filter((one) => isCut(one, document.querySelector("main")!)),
      ].map((one) => one.getAttribute("aria-label") ?? one.textContent);
    });
    expect(cut).toEqual([]);
    await page.context().close();
  });

  it("shows every component", async () => {
    const { page, faults } = await openPage(browser, html);
    const names = await page.locator("table.components tbody button").allTextContents();
    for (const name of names) {
      await page.locator("table.components").getByRole("button", { name, exact: true }).click();
      await drawAll(page);
      expect(await page.locator("#components .lead strong").textContent()).toBe(name);
    }
    expect(await page.getByText("could not be drawn").count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
