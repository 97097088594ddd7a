import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Generous: these are guards against hanging, not promises about speed.
const HANG_GUARD_MS = 120_000;

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/seeded-properties.ts"],
    // The long ones and those that need a browser or real agents are asked for by name.
    exclude: [
      ...(process.env["SWORN_SOAK"] ? [] : ["test/soak/**"]),
      ...(process.env["SWORN_BROWSER"] ? [] : ["test/browser/**"]),
      ...(process.env["SWORN_AGENTS"] ? [] : ["test/agents/**"]),
    ],
    testTimeout: HANG_GUARD_MS,
    hookTimeout: HANG_GUARD_MS,
    pool: "forks",
    // By default two cores get one worker; many tests wait for processes of their own.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
