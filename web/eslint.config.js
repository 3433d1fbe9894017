import eslint from "@eslint/js";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig(
  { ignores: ["node_modules", "test-pages"] },
  eslint.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      globals: { console: "readonly", process: "readonly", URL: "readonly" },
      parserOptions: { projectService: true },
    },
    rules: {
      "@typescript-eslint/method-signature-style": "error",
      // Indices are checked where they come from; numbers in texts are formatted by hand.
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // Names of files, channels and options come from outside: text only.
      "no-restricted-properties": [
        "error",
        { property: "innerHTML", message: "Use textContent: names are text, not HTML." },
        { property: "outerHTML", message: "Use textContent: names are text, not HTML." },
        { property: "insertAdjacentHTML", message: "Use textContent: names are text, not HTML." },
      ],
    },
  },
  { files: ["**/*.mjs"], extends: [tseslint.configs.disableTypeChecked] },
  // Functions in it run in the page.
  { files: ["script/measure.mjs"], rules: { "no-undef": "off" } },
);
