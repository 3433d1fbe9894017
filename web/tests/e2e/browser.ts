// A browser, and a page in it that notes every error and every request.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { fillPage } from "../../script/fill_page.mjs";
import { deadReport, smallComparison, smallReport } from "../fixture";

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.MILCCI_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
}

/** Pages by name: small reports of the tests, and what the folder MILCCI_REPORTS holds, HTML as made by
 *  milcci or JSON to be put into the template. */
export function reportPages(): [string, string][] {
  const made = {
    "small report": smallReport(),
    "nothing found": deadReport(),
    "methods compared": { ...smallReport(), comparison: smallComparison() },
  };
  const pages = Object.entries(made).map(([name, report]): [string, string] => [
    name,
    fillPage(JSON.stringify(report)),
  ]);
  const folder = process.env.MILCCI_REPORTS;
  if (!folder) {
    console.log("MILCCI_REPORTS is not set: reports of real models are left out");
    return pages;
  }
  for (const name of readdirSync(folder).sort()) {
    const text = () => readFileSync(join(folder, name), "utf8");
    if (name.endsWith(".html")) pages.push([name, text()]);
    else if (name.endsWith(".json")) pages.push([name, fillPage(text())]);
  }
  return pages;
}

export interface Opened {
  page: Page;
  /** Errors of scripts, messages on the console, and requests beyond the page itself. */
  faults: string[];
}

/** Where pages are served from; no other address may be asked for. */
const address = "http://report.test/";

/** Opens a page from an address of its own, so that the hash works. */
export async function openPage(
  browser: Browser,
  html: string,
  { hash = "", ...options }: BrowserContextOptions & { hash?: string } = {},
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 1000 },
    acceptDownloads: true,
    ...options,
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  await page.route("**/*", async (route) => {
    const url = route.request().url();
    if (url.split("#")[0] === address) {
      await route.fulfill({ body: html, contentType: "text/html; charset=utf-8" });
    } else {
      faults.push(`request for ${url}`);
      await route.abort();
    }
  });
  await page.goto(address + hash);
  return { page, faults };
}

/** Scrolls through the page, so that every panel is drawn. */
export async function drawAll(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const section of document.querySelectorAll("section.panel")) {
      section.scrollIntoView();
      await new Promise((done) => setTimeout(done, 150));
    }
    scrollTo(0, 0);
    await new Promise((done) => setTimeout(done, 100));
  });
}

/** Attributes of figures that hold a place or a size that is no number; browsers leave such elements out without
 *  a word. */
export async function lostPlaces(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("svg, svg *")].flatMap((element) =>
      [...element.attributes]
        .filter(({ name }) => name !== "aria-label" && name !== "data-key")
        .filter(({ value }) => /NaN|Infinity|undefined/.test(value))
        .map(({ name, value }) => `${element.tagName} ${name}=${value}`),
    ),
  );
}

/** What a designer would object to: texts of figures that lie on each other or are cut off, notes beside their titles,
 *  menus beyond the screen, and marks of code as they stand in the source. */
export async function untidyPlaces(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    for (const picture of document.querySelectorAll(".stage svg")) {
      const whole = picture.getBoundingClientRect();
      const texts = [...picture.querySelectorAll("text")]
        .map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }))
        .filter(({ text, box }) => text.trim() !== "" && box.width > 0);
      const isCut = (box: DOMRect) =>
        box.left < whole.left - 1 ||
        box.right > whole.right + 1 ||
        box.top < whole.top - 2 ||
        box.bottom > whole.bottom + 2;
      texts.forEach(({ text, box }, i) => {
        if (isCut(box)) found.push(`cut off: ${text}`);
        for (const other of texts.slice(i + 1)) {
          const width = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
          const height = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
          if (width > 1 && height > 5) found.push(`on each other: ${text}, ${other.text}`);
        }
      });
    }
    for (const note of document.querySelectorAll("figcaption .note")) {
      const title = note.parentElement!.querySelector("h3")!.getBoundingClientRect();
      if (note.getBoundingClientRect().top < title.bottom - 2) {
        found.push(`beside its title: ${note.textContent}`);
      }
    }
    for (const menu of document.querySelectorAll<HTMLDetailsElement>(".menu")) {
      menu.open = true;
      const { left, right } = menu.querySelector("div")!.getBoundingClientRect();
      menu.open = false;
      if (left < 0 || right > innerWidth) {
        found.push(`beyond the screen: the menu of ${menu.closest("figure")!.textContent}`);
      }
    }
    for (const text of document.querySelectorAll("main p, main li")) {
      if (text.textContent.includes("`")) found.push(`code without its type: ${text.textContent}`);
    }
    return found;
  });
}
