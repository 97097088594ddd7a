import { defineConfig } from "vitest/config";

// Generous: these are guards against hanging, not promises about speed.
const HANG_GUARD_MS = 120_000;

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: process.env["SWORN_SOAK"] ? [] : ["test/soak/**"],
    testTimeout: HANG_GUARD_MS,
    hookTimeout: HANG_GUARD_MS,
    pool: "forks",
  },
});
