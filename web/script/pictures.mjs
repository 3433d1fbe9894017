// Pictures of a report's panels for docs/, by the browser of the tests.
//
//     node script/pictures.mjs REPORT.html FOLDER
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [report, folder] = process.argv.slice(2);
if (!report || !folder) throw new Error("which report, and into which folder?");

const browser = await chromium.launch({
  executablePath: process.env.MILCCI_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
await page.goto(`${pathToFileURL(resolve(report)).href}#component=5`);
// Otherwise it would lie over what is scrolled under it.
await page.addStyleTag({ content: "header { position: static !important }" });
for (const id of ["summary", "components", "traces", "trials"]) {
  const panel = page.locator(`#${id}`);
  await panel.scrollIntoViewIfNeeded();
  await page.waitForTimeout(500); // drawn when it comes into view
  writeFileSync(join(folder, `report-${id}.png`), await panel.screenshot());
}
await browser.close();
