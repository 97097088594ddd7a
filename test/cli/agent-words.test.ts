import { expect, test } from "vitest";
import { deedWords, doubtWords } from "../../src/cli/agent-words.ts";
import type { AgentOutcome } from "../../src/flow/agent/run-agent.ts";
import type { RunInfo } from "../../src/schema/run-info.ts";

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

test("what a run said that is not so, and what nothing shows, is counted apart", () => {
  const saying = (...verdicts: readonly string[]) =>
    doubtWords({ said: verdicts.map((verdict) => ({ verdict })) } as unknown as RunInfo);
  expect(saying("CONFIRMED")).toBe("");
  expect(saying("UNVERIFIED", "CONFIRMED")).toBe("1 claim not shown");
  expect(saying("HALLUCINATED", "UNVERIFIED", "INACCURATE", "UNVERIFIED")).toBe(
    "2 claims refuted, 2 claims not shown",
  );
});
