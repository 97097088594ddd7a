import { expect, test } from "vitest";
import { deedWords } from "../../src/cli/agent-words.ts";
import type { AgentOutcome } from "../../src/flow/agent/run-agent.ts";

const saved = (ignored: readonly string[]) => ({
  ...{ commit: "c", changed: [], ignored, nested: [], isUntouched: false },
});

function wordsOf(ignored: readonly string[], notes: readonly string[] = []): string {
  const outcome: AgentOutcome = {
    ...{ trace: "trace_x", refused: undefined, info: undefined, saved: saved(ignored) },
    ...{ said: [], use: undefined, troubles: [], isDone: false, notes },
  };
  return deedWords(outcome);
}

test("what git ignores goes with the run's tree, and is said to", () => {
  expect(wordsOf(["build/", "a\u001b[2J"])).toContain(
    "\nnot kept, because git ignores it: build/, a [2J",
  );
  const many = Array.from({ length: 9 }, (_, at) => `${at}/`);
  expect(wordsOf(many)).toMatch(/git ignores it: 0\/, 1\/, 2\/, 3\/, 4\/ and 4 more$/);
  expect(wordsOf([])).not.toContain("ignores");
});

test("what is to be known of its tests is told of a run that says nothing", () => {
  expect(wordsOf([], ["tests: none was run"])).toMatch(/\ntests: none was run$/);
});
