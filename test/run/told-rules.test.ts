import { expect, test } from "vitest";
import { toldRules } from "../../src/run/index.ts";
import { Limits } from "../../src/schema/execution.ts";
import { verifies } from "../verifies.ts";

verifies("004-50", "an agent is told the rules of its run before it works in one", () => {
  const told = toldRules({ limits: Limits.parse({}), pull: [] });
  expect(told).toContain("Uploads are forbidden.");
  expect(told).toContain("Results go to /workspace/output");
  expect(told).toContain("it has to be asked for before the run");
  expect(told).toMatch(
    /Publishing is the runtime's work: once the results were validated and .* signed/,
  );
});

test("what is told is what this run has", () => {
  const limits = Limits.parse({
    memory_bytes: 512 * (1 << 20),
    output_bytes: 1_000,
    output_files: 7,
    step_seconds: 42,
    pids: 9,
  });
  const told = toldRules({ limits, pull: ["npm", "git"] });
  expect(told).toContain("512 MiB of memory, 2 processors, 9 processes");
  expect(told).toContain("at most 1000 bytes in\n  7 files, each of at most 1024 MiB");
  expect(told).toContain("42 seconds for one command and 3600 for all");
  expect(told).toContain("This run has one for: npm, git.");
  expect(toldRules({ limits, pull: [] })).toContain("This run has none");
  expect(told).toContain("/workspace/input and cannot be changed. /workspace/data is");
});
