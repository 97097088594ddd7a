import { expect, test } from "vitest";
import { sameLines } from "../../src/flow/review/same-lines.ts";
import type { MergedFinding } from "../../src/verify/team/index.ts";

function said(by: string, id: string, line: number, more: Partial<MergedFinding> = {}) {
  const citation = { file: "a.js", line, end_line: line + 2 };
  const merged: MergedFinding = {
    finding: { id, title: id, priority: "P1", citations: [citation] },
    verdict: "CONFIRMED",
    reason: "",
    identity: `${by}-${id}`,
    by,
    also_by: [],
    sayings: [],
    ...more,
  };
  return merged;
}

const named = (...findings: MergedFinding[]) => Object.fromEntries(sameLines(findings));

test("two reviewers at one line name each other", () => {
  expect(named(said("security", "SEC-001", 8), said("ann", "S1", 10))).toEqual({
    "security-SEC-001": ["ann S1"],
    "ann-S1": ["security SEC-001"],
  });
});

test("other lines, other files and one's own findings are no company", () => {
  expect(named(said("security", "SEC-001", 8), said("ann", "S1", 11))).toEqual({});
  expect(named(said("security", "SEC-001", 8), said("security", "SEC-002", 8))).toEqual({});
  const elsewhere = { found: { file: "b.js", line: 8 } };
  expect(named(said("security", "SEC-001", 8), said("ann", "S1", 8, elsewhere))).toEqual({});
});

test("the true place counts and not the cited one", () => {
  const moved = said("ann", "S1", 90, { found: { file: "a.js", line: 8 } });
  expect(named(said("security", "SEC-001", 8), moved)).toMatchObject({
    "ann-S1": ["security SEC-001"],
  });
});

test("who floods a line is named a bounded number of times", () => {
  const flood = Array.from({ length: 5_000 }, (_, n) => said(`agent-${n}`, "S1", 8));
  for (const others of sameLines(flood).values()) expect(others.length).toBeLessThanOrEqual(10);
});
