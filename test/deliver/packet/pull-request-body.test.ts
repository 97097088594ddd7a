import { expect, test } from "vitest";
import { pullRequestBody } from "../../../src/deliver/packet/index.ts";
import { WorkReport } from "../../../src/schema/work.ts";

const COMMIT = "a".repeat(40);
const ADDRESS = `ucxl://any:any@shop:01abc/git:${COMMIT}`;

function bodyOf(more: Partial<WorkReport>) {
  const report = WorkReport.parse({
    ...{ version: 1, work: "01abc", trace: "trace_x", contract_digest: "0".repeat(64) },
    ...{ task: "Round totals", profile: "solo", status: "completed", start: COMMIT },
    ...{ commit: COMMIT, subtasks: [], questions: [], conflicts: [], gates: [], unproven: [] },
    ...more,
  });
  return pullRequestBody(report, null, {
    artifact: ADDRESS,
    commit: COMMIT,
    digest: "0".repeat(64),
  });
}

test("how to verify can be copied as it stands, also behind what was cut", () => {
  for (const unproven of [
    [],
    Array.from({ length: 5_000 }, (_, at) => `gap ${at} ${"of many ".repeat(200)}`),
  ]) {
    const { body } = bodyOf({ unproven });
    expect(body.length).toBeLessThan(65_536);
    expect(body).toContain(`\`${ADDRESS}\``);
    expect(body).toContain("`sworn verify 01abc.packet.tar`");
    expect(body).toContain("`sworn verify --rerun 01abc.packet.tar`");
    expect(body.includes("… cut")).toBe(unproven.length > 0);
  }
});

test("a weakened test is told of before the checks that passed", () => {
  const one = { execution: "st-01.1", proofs: [], against: [], notes: [], flaws: [] };
  const tries = [{ ...one, status: "proven" as const, weakened: ["a test demands less"] }];
  const subtask = { id: "ST-01", name: "Do it", status: "proven" as const, tries, unproven: [] };
  const { body } = bodyOf({ subtasks: [subtask] });
  expect(body.split("\n").slice(2, 5)).toEqual([
    "- 1 test was weakened: ST-01: a test demands less",
    "",
    "## Checks that the runtime made",
  ]);
  const failed = bodyOf({ subtasks: [{ ...subtask, status: "failed" }] });
  expect(failed.body).not.toContain("weakened");
});

test("what others wrote calls nobody, closes nothing and brings no markup", () => {
  const said = "fixes #12 for @somebody <img src=x>";
  const { body, title } = bodyOf({ task: said, unproven: [said] });
  for (const text of [body.slice(0, body.indexOf("## How to verify")), title]) {
    expect(text).not.toMatch(/#12|@somebody|<img/);
  }
});
