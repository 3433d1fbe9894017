// What reports cost in the browser: bytes, first paint, heap after all panels were drawn, the redraw of what is in view
// when another component is selected, and that of the heat map of all trials alone. A median of five.
//
//     node script/measure.mjs REPORT.html ...
import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const times = 5;

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/**
 * @param {import("playwright-core").Browser} browser
 * @param {string} report
 */
async function measureOnce(browser, report) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
  await page.goto(pathToFileURL(resolve(report)).href);
  await page.waitForSelector("section.panel");
  const firstPaint = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
  );
  const ready = await page.evaluate(() => performance.now());
  await page.evaluate(async () => {
    for (const section of document.querySelectorAll("section.panel")) {
      section.scrollIntoView();
      await new Promise((done) => setTimeout(done, 200));
    }
    document.querySelector("#traces")?.scrollIntoView();
    await new Promise((done) => setTimeout(done, 300));
  });
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const redraw = await page.evaluate(async () => {
    const select = /** @type {HTMLSelectElement} */ (document.querySelector("header select"));
    const began = performance.now();
    select.selectedIndex = select.options.length - 1;
    select.dispatchEvent(new Event("change", { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return performance.now() - began;
  });
  // A figure draws itself again when its width has changed, and no other does.
  const heatMap = await page.evaluate(async () => {
    const map = document.querySelector("#traces .heat-map");
    const stage = /** @type {HTMLElement | null | undefined} */ (map?.parentElement);
    if (!stage) return NaN;
    const began = performance.now();
    stage.style.width = `${stage.clientWidth - 40}px`;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const seconds = performance.now() - began;
    return stage.contains(map) ? NaN : seconds;
  });
  await page.close();
  return { firstPaint, ready, heap: usedSize / 1e6, redraw, heatMap };
}

const browser = await chromium.launch({
  executablePath: process.env.MILCCI_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
console.log(
  "| report | MB | first paint, ms | heap, MB | another component, ms | heat map, ms |\n|---|---|---|---|---|---|",
);
for (const report of process.argv.slice(2)) {
  /** @type {Awaited<ReturnType<typeof measureOnce>>[]} */
  const runs = [];
  for (let i = 0; i < times; ++i) runs.push(await measureOnce(browser, report));
  const of = (/** @type {"firstPaint" | "heap" | "redraw" | "heatMap"} */ key) =>
    median(runs.map((run) => run[key])).toFixed(0);
  const size = (statSync(report).size / 1e6).toFixed(2);
  console.log(
    `| ${basename(report, ".html")} | ${size} | ${of("firstPaint")} | ${of("heap")} | ${of("redraw")} | ${of("heatMap")} |`,
  );
}
await browser.close();
