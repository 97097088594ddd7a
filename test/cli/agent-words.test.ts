import { expect, test } from "vitest";
import { chainExit, deedWords, doubtWords, earlierWords } from "../../src/cli/agent-words.ts";
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

test("of tokens that nobody told of nothing is said", () => {
  const use = { turns: 2, inputTokens: 0, outputTokens: 0, microUsd: undefined } as const;
  const counts = { toolCalls: 0, toolCallsBy: "told" } as const;
  const told = { ...use, ...counts, inputTokens: 12 };
  const outcome = { saved: saved([]), said: [], info: undefined } as unknown as AgentOutcome;
  expect(deedWords({ ...outcome, use: { ...use, ...counts } })).toMatch(
    /\n2 turns, it tells of no tokens$/,
  );
  expect(deedWords({ ...outcome, use: told })).toMatch(/, 12 tokens in and 0 out as it says$/);
});

/** A run of a chain that changed these files and said this. */
const ran = (id: string, paths: readonly string[], verdict: string) =>
  ({
    info: { run_id: id, status: "completed" },
    saved: { changed: paths.map((path) => ({ path, how: "added" })) },
    ...{ said: [{ verdict }], troubles: [] },
  }) as unknown as AgentOutcome;

test("what the runs before the last one did and made up is said in the end", () => {
  const earlier = [ran("1-1", ["a.txt"], "HALLUCINATED"), ran("1-2", ["a.txt", "b"], "CONFIRMED")];
  expect(earlierWords(earlier)).toEqual([
    "the runs before it changed a.txt, b",
    "run 1-1 said what is not so: sworn agents show 1-1",
  ]);
  expect(earlierWords([])).toEqual([]);
});

test("a chain that never said that it is done is not, however well its last run ended", () => {
  const exitsOf = (rounds: number, verdict = "CONFIRMED") =>
    (["done", "rounds", "stagnation"] as const).map((end) => {
      const last = ran("1-1", [], verdict);
      return chainExit({ end, last, runs: [last] }, rounds);
    });
  expect(exitsOf(3)).toEqual([0, 1, 1]);
  expect(exitsOf(1)).toEqual([0, 0, 0]);
  expect(exitsOf(3, "HALLUCINATED")).toEqual([4, 4, 4]);
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
