// Builds the page into one file, web/template.html: script and style stand inside it, nothing is loaded.
import { writeFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

const placeholders = ["__MILCCI_REPORT__", "__MILCCI_TITLE__", "__MILCCI_TEXT__"];

/** Puts the only script and the only style sheet into the page, and checks what milcci relies on. */
function oneFile(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_, bundle) {
      const outputs = Object.values(bundle);
      const page = outputs.find((output) => output.fileName.endsWith(".html"));
      const script = outputs.find((output) => output.type === "chunk");
      const style = outputs.find((output) => output.fileName.endsWith(".css"));
      if (page?.type !== "asset" || !script || style?.type !== "asset" || outputs.length !== 3) {
        throw new Error("expected one page, one script and one style sheet");
      }
      const code = script.code.trim().replaceAll("</script", "<\\/script");
      const html = String(page.source)
        .replace(
          /<link rel="stylesheet"[^>]*>/,
          () => `<style>${String(style.source).trim()}</style>`,
        )
        .replace(
          /<script type="module"[^>]*><\/script>/,
          () => `<script type="module">${code}</script>`,
        );
      for (const placeholder of placeholders) {
        if (html.split(placeholder).length !== 2) throw new Error(`${placeholder} must occur once`);
      }
      writeFileSync(new URL("template.html", import.meta.url), html);
    },
  };
}

export default defineConfig({
  plugins: [oneFile()],
  build: {
    write: false,
    target: "es2020",
    modulePreload: false,
    reportCompressedSize: false,
  },
});
