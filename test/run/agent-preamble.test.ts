import { expect } from "vitest";
import { agentPreamble } from "../../src/run/index.ts";
import { Limits } from "../../src/schema/execution.ts";
import { verifies } from "../verifies.ts";

const told = (more: Partial<Parameters<typeof agentPreamble>[0]> = {}) =>
  agentPreamble({
    limits: Limits.parse({ step_seconds: 77 }),
    hasTooling: false,
    isRoot: false,
    ...more,
  });

verifies(
  ["003-12", "003-13"],
  "a prompt opens with where the run folder is, as text, and where output.md goes, by its whole path",
  () => {
    expect(told().split("\n").slice(0, 2)).toEqual([
      "JRUN_RUN_FOLDER=/workspace/output",
      "Write output.md to /workspace/output/output.md",
    ]);
  },
);

verifies(
  ["003-2", "003-4", "003-14"],
  "an agent is told to do one task in one place and to exit, and where its own files belong",
  () => {
    const text = told();
    expect(text).toContain("You have one task");
    expect(text).toContain("and exit. You have 77 seconds.");
    expect(text).toContain("Stay in the module or folder that the task is about.");
    expect(text).toMatch(/temporary files of your own belong into \/workspace\/output, not into/);
  },
);

verifies(
  ["003-10", "003-25"],
  "an agent is told to report progress on standard error and to give absolute paths",
  () => {
    expect(told()).toContain("Report progress on standard error. Give absolute paths.");
  },
);

verifies(
  ["003-5", "003-6"],
  "an agent that can speak is told to read first; who leads also reads what concerns the project",
  () => {
    expect(told()).not.toContain("sworn bus read");
    expect(told({ hasTooling: true })).toContain("Begin with `sworn state` and `sworn bus read`");
    expect(told({ hasTooling: true })).not.toContain("--project");
    const lead = told({ hasTooling: true, isRoot: true });
    expect(lead).toContain("`sworn bus read --project` and `sworn fact ls --project`");
  },
);

verifies(
  ["003-42", "003-43"],
  "no line asks an agent to set a variable or names one of the runner's",
  () => {
    const [, ...rest] = told({ hasTooling: true, isRoot: true }).split("\n");
    expect(rest.join("\n")).not.toMatch(/JRUN_|\bexport\b|\benv(ironment)?\b/i);
  },
);
