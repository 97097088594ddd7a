import { expect, test } from "vitest";
import { WorkflowState } from "../../src/schema/contract.ts";
import {
  checkTeam,
  completionDocument,
  completionSteps,
  type Delivery,
  endWorkflow,
  hasEnded,
  NOT_LOOKED,
  outcomeOf,
  startWorkflow,
  waitForFiles,
} from "../../src/verify/contract/index.ts";
import { verifies } from "../verifies.ts";
import { CONTRACT, file, REPORT } from "./contract-delivered.ts";

const MISSING: Delivery = { kind: "missing" };
const judge = (forge: Delivery, ward: Delivery, uncovered: { file: string; why: string }[] = []) =>
  checkTeam({
    contract: CONTRACT,
    waiting: NOT_LOOKED,
    deliver: ({ name }) => (name === "forge" ? forge : ward),
    uncovered,
  });

verifies("000-30", "a team whose files are all in order is complete", () => {
  expect(judge(file(REPORT), file(REPORT))).toMatchObject({
    kind: "checked",
    outcome: "completed",
    rows: [],
    gaps: [],
  });
});

verifies(["000-34", "000-35"], "who is missing, what is partial and which files nobody had", () => {
  const uncovered = [{ file: "lib/a.ts", why: "over the budget" }];
  const checked = judge(
    MISSING,
    file({ ...REPORT, sections: REPORT.sections.slice(1) }),
    uncovered,
  );
  expect(checked).toMatchObject({
    kind: "checked",
    outcome: "completed_with_gaps",
    rows: [
      {
        teammate: "forge",
        status: "Missing (no file)",
        impact: "Backend code review: nothing was delivered",
      },
      {
        teammate: "ward",
        status: "Partial (no P1 (Critical) section)",
        impact: "Security review: may be incomplete",
      },
    ],
    gaps: [
      { who: "forge", what: "Backend code review: nothing was delivered", why: "no file" },
      { who: "ward", what: "Security review: may be incomplete", why: "no P1 (Critical) section" },
      { what: "lib/a.ts", why: "over the budget" },
    ],
  });
});

test("complete files with an uncovered file among those asked for are not a whole", () => {
  const uncovered = [{ file: "lib/a.ts", why: "no agent's scope" }];
  expect(judge(file(REPORT), file(REPORT), uncovered)).toMatchObject({
    outcome: "completed_with_gaps",
  });
});

verifies(["000-31", "000-30"], "with no file at all nothing is judged, and never as empty", () => {
  expect(judge(MISSING, MISSING)).toStrictEqual({
    kind: "wait",
    seconds: 60,
    waiting: { looks: 1 },
  });
  // A stub and a file that cannot be read are no deliverables either.
  expect(judge(file(REPORT, "stub"), { kind: "unreadable", why: "EIO" }).kind).toBe("wait");
  const last = checkTeam({
    contract: CONTRACT,
    waiting: { looks: 2 },
    deliver: () => MISSING,
    uncovered: [],
  });
  expect(last).toMatchObject({
    kind: "abort",
    reason: expect.stringContaining("none of the 2 expected files"),
  });
});

verifies("000-32", "three looks, 60 seconds apart, and then it ends", () => {
  const answers: string[] = [];
  let waiting = NOT_LOOKED;
  for (let look = 1; look <= 3; look++) {
    const answer = waitForFiles(waiting, 4, 0);
    answers.push(answer.kind === "wait" ? `wait ${answer.seconds}` : answer.kind);
    if (answer.kind === "wait") waiting = answer.waiting;
  }
  expect(answers).toEqual(["wait 60", "wait 60", "abort"]);
  expect(waitForFiles(waiting, 4, 1)).toEqual({ kind: "proceed" });
});

test("all missing is failed, some missing or partial is completed with gaps", () => {
  const of = (...all: ("complete" | "partial" | "missing")[]) =>
    outcomeOf(
      all.map((status) => ({ status })),
      0,
    );
  expect(of("missing", "missing")).toBe("failed");
  expect(of("complete", "missing")).toBe("completed_with_gaps");
  expect(of("partial", "partial")).toBe("completed_with_gaps");
  expect(of("complete", "complete")).toBe("completed");
  expect(outcomeOf([{ status: "complete" }], 1)).toBe("completed_with_gaps");
});

verifies(["000-58", "000-59"], "a workflow ends once, and stays as it ended", () => {
  const state = startWorkflow("2026-02-11T10:30:00Z", ["forge.md", "ward.md"]);
  expect(WorkflowState.parse(state)).toStrictEqual({
    status: "active",
    started: "2026-02-11T10:30:00Z",
    expected_files: ["forge.md", "ward.md"],
    gaps: [],
  });
  const ends = ["completed", "completed_with_gaps", "failed", "cancelled"] as const;
  for (const end of ends) {
    const gaps = end === "completed" ? [] : ["forge: missing"];
    const changed = endWorkflow(state, end, gaps);
    if (changed.kind !== "changed") throw new Error(changed.reason);
    expect(changed.state).toStrictEqual({ ...state, status: end, gaps });
    for (const next of ends) {
      expect(endWorkflow(changed.state, next, gaps)).toStrictEqual({
        kind: "refused",
        reason: `the workflow ended as ${end}; it cannot become ${next}`,
      });
    }
  }
});

test("an end that the gaps contradict is refused", () => {
  const state = startWorkflow("2026-02-11T10:30:00Z", []);
  expect(endWorkflow(state, "completed", ["a gap"]).kind).toBe("refused");
  expect(endWorkflow({ ...state, gaps: ["a gap"] }, "completed", []).kind).toBe("refused");
  expect(endWorkflow(state, "completed_with_gaps", []).kind).toBe("refused");
});

verifies("000-63", "the steps after the agents follow one order, by what the contract has", () => {
  expect(completionSteps(CONTRACT)).toEqual([
    "look-for-files",
    "check-files",
    "bind-parts",
    "second-look",
    "write-completion",
  ]);
  const { aggregator: _, ...unbound } = CONTRACT;
  expect(completionSteps({ ...unbound, verification: { enabled: false } })).toEqual([
    "look-for-files",
    "check-files",
    "write-completion",
  ]);
  const off = { ...CONTRACT.verification, enabled: false };
  expect(completionSteps({ ...CONTRACT, verification: off })).not.toContain("second-look");
});

verifies("000-63", "completion.json has the format's fields, and its sums are computed", () => {
  const text = completionDocument({
    workflow: "rune-review",
    identifier: "142",
    completedAt: "2026-02-11T11:00:00Z",
    parts: [
      { name: "forge", status: "complete", p1: 1, p2: 2, p3: 4, confidence: 57 },
      { name: "ward", status: "timeout", p1: 0, p2: 0, p3: 0, confidence: null },
    ],
    binding: { path: "tmp/reviews/142/TOME.md", total: 2, beforeMerging: 3 },
  });
  expect(JSON.parse(text)).toStrictEqual({
    workflow: "rune-review",
    identifier: "142",
    completed_at: "2026-02-11T11:00:00Z",
    tarnished: {
      forge: { status: "complete", findings: 7, p1: 1, p2: 2, p3: 4, confidence: 0.57 },
      ward: { status: "timeout", findings: 0, p1: 0, p2: 0, p3: 0, confidence: null },
    },
    aggregation: {
      tome_path: "tmp/reviews/142/TOME.md",
      total_findings: 2,
      pre_dedup_total: 3,
      dedup_removed: 1,
    },
  });
  expect(text.endsWith("}\n")).toBe(true);
});

test("a run that merged nothing has removed nothing, and one that gained is our bug", () => {
  const run = { workflow: "rune-plan", identifier: "1", completedAt: "x", parts: [] };
  const bound = (total: number, beforeMerging: number) =>
    completionDocument({ ...run, binding: { path: "TOME.md", total, beforeMerging } });
  expect(JSON.parse(bound(3, 3))).toMatchObject({ aggregation: { dedup_removed: 0 } });
  expect(() => bound(4, 3)).toThrow(/invariant/);
  expect(JSON.parse(completionDocument(run))).not.toHaveProperty("aggregation");
});

test("what the runtime saw outranks the task list, that the Seal, and that the file", () => {
  const all = { runtime: "running", taskList: "completed", seal: true, file: true } as const;
  expect(hasEnded(all)).toEqual({
    ended: false,
    by: "runtime",
    contradicted: ["task-list", "seal", "file"],
  });
  expect(hasEnded({ ...all, runtime: "failed" })).toMatchObject({ ended: false, by: "runtime" });
  expect(hasEnded({ ...all, runtime: "ended" })).toEqual({
    ended: true,
    by: "runtime",
    contradicted: [],
  });
  expect(hasEnded({ taskList: "open", seal: true, file: true })).toEqual({
    ended: false,
    by: "task-list",
    contradicted: ["seal", "file"],
  });
  expect(hasEnded({ taskList: "completed", seal: false, file: true })).toEqual({
    ended: true,
    by: "task-list",
    contradicted: ["seal"],
  });
  expect(hasEnded({ seal: true, file: false })).toMatchObject({ ended: true, by: "seal" });
  expect(hasEnded({ file: true })).toMatchObject({ ended: true, by: "file" });
  expect(hasEnded({})).toEqual({ ended: false, by: "nobody", contradicted: [] });
});
