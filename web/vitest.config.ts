import { defineConfig } from "vitest/config";

// A browser test waits for panels to be drawn, on machines that may be busy; meanwhile others run.
export default defineConfig({
  test: { testTimeout: 180_000, hookTimeout: 60_000, maxConcurrency: 4 },
});
