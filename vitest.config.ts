import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Generous: these are guards against hanging, not promises about speed.
const HANG_GUARD_MS = 120_000;
/** What runs the built command line, or a whole work from its plan to its delivery: a third of all time. */
const WHOLE = ["test/e2e/**", "test/flow/{work,ci,deliver}/**"];

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/shared-folder.ts"],
    setupFiles: ["test/seeded-properties.ts"],
    // The long ones, whole works, and those that need a browser or real agents are asked for by name.
    exclude: [
      ...(process.env["SWORN_E2E"] ? [] : WHOLE),
      ...(process.env["SWORN_SOAK"] ? [] : ["test/soak/**"]),
      ...(process.env["SWORN_BROWSER"] ? [] : ["test/browser/**"]),
      ...(process.env["SWORN_AGENTS"] ? [] : ["test/agents/**"]),
    ],
    testTimeout: HANG_GUARD_MS,
    hookTimeout: HANG_GUARD_MS,
    pool: "forks",
    // Files share a process, and what it has loaded: loading all of it for each takes a third of the time.
    // Those with real agents have servers and settings of their own, and few files.
    isolate: process.env["SWORN_AGENTS"] !== undefined,
    // By default two cores get one worker; many tests wait for processes of their own.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
