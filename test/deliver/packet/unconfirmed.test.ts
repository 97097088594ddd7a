import { expect, test } from "vitest";
import { unconfirmed } from "../../../src/deliver/packet/unconfirmed.ts";
import { CompletionDocument, DONE_ITEMS } from "../../../src/schema/completion.ts";
import { WorkReport } from "../../../src/schema/work.ts";

const COMMIT = "a".repeat(40);
const REFUTED = 'its worker said "All tests pass.": no test was run';

function reportOf(notes: readonly string[], unproven: readonly string[] = []): WorkReport {
  const tried = { execution: "e", status: "proven", proofs: [], against: [], flaws: [], notes };
  return WorkReport.parse({
    ...{ version: 1, work: "01abc", trace: "trace_x", contract_digest: "0".repeat(64) },
    ...{ task: "Round totals", profile: "solo", status: "completed", start: COMMIT },
    ...{ commit: COMMIT, questions: [], conflicts: [], gates: [], unproven },
    subtasks: [{ id: "ST-01", name: "One", status: "proven", tries: [tried], unproven: [] }],
  });
}

function completionOf(open: Partial<Record<string, object>>): CompletionDocument {
  return CompletionDocument.parse({
    ...{ v: 1, completion_id: "done-1", artifact: `git:${COMMIT}`, subject: "0".repeat(64) },
    ...{ scope: ["all"], snapshot: { at: "2030-01-02T03:04:05.678Z", build: COMMIT } },
    ...{ links: { spec: [], decisions: [] }, diff: null, tests: null, performance: [] },
    ...{ security: [], compliance: [], docs: [], rollback: null, open_yellows: [] },
    provenance: { addresses: [], lineage: `from ${COMMIT}` },
    evidence: { context: [], results: [], data: [], keys: null },
    ...{ outputs: [], request: { seats: ["domain"], due_beat: null } },
    done: DONE_ITEMS.map((item) => ({ item, state: "done", reason: "shown", ...open[item] })),
  });
}

test("what a worker said that was not so, and what done lacks, is no less open than what the report says", () => {
  const completion = completionOf({
    tests: { state: "not-done", reason: "coverage of the change was not measured" },
    docs: { state: "deferred", reason: "written next week", decision_id: "d-1" },
  });
  expect(
    unconfirmed(reportOf(["a note", REFUTED], ["ST-01 was not reviewed"]), completion),
  ).toEqual([
    "ST-01 was not reviewed",
    `ST-01: ${REFUTED}`,
    "tests: coverage of the change was not measured",
    "docs: written next week (put off by the decision d-1)",
  ]);
});

test("only what was proposed with all that done asks for leaves nothing open", () => {
  expect(unconfirmed(reportOf([]), completionOf({}))).toEqual([]);
  expect(unconfirmed(reportOf([]), null)).toEqual([
    "the definition of done was not worked out: this was not proposed as complete",
  ]);
});
