// Puts a report's JSON into the built template, as `milcci report` does, to try the page.
//
//     npm run dev:page -- FILE.json OUT.html
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const template = fileURLToPath(new URL("../template.html", import.meta.url));

/** @param {string} text */
function asText(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/**
 * The whole page of a report.
 * @param {string} json
 * @returns {string}
 */
export function fillPage(json) {
  const report = /** @type {import("../src/data/format").ReportData} */ (JSON.parse(json));
  /** @type {Record<string, string>} */
  const escapes = { "<": "\\u003c", ">": "\\u003e", "&": "\\u0026" };
  const safe = json.replace(/[<>&]/g, (c) => escapes[c] ?? c);
  // Functions, because "$&" in a replacement text has a meaning.
  return readFileSync(template, "utf8")
    .replace("__MILCCI_TITLE__", () => asText(report.title))
    .replace("__MILCCI_TEXT__", () => asText(report.words.headline.join("\n")))
    .replace("__MILCCI_REPORT__", () => safe);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [source, target] = process.argv.slice(2);
  if (!source || !target) {
    console.error("usage: npm run dev:page -- FILE.json OUT.html");
    process.exit(2);
  }
  writeFileSync(target, fillPage(readFileSync(source, "utf8")));
}
