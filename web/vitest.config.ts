import { defineConfig } from "vitest/config";

// A browser test waits for panels to be drawn, on machines that may be busy.
export default defineConfig({ test: { testTimeout: 180_000, hookTimeout: 60_000 } });
