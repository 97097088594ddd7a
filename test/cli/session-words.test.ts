import { expect, test } from "vitest";
import { sessionAnswer } from "../../src/cli/session-words.ts";
import type { SessionReport } from "../../src/schema/session-report.ts";

const WORK = "01j8z5v4n2k3m4p5q6r7s8t9vx";
const delivery = { sink: "pr", where: "a pull request", trace: null, packet: null };

/** The last line that a session ends with, from as much of a report as it takes. */
function lastOf(more: object): string | undefined {
  const report = {
    ...{ session: "01", trace: "trace_01", reasons: [], unproven: [], proven: [], votes: [] },
    ...{ proposals: [], shared: [], agreed: "gates", rounds: 0, works: [{ work: WORK }] },
    ...more,
  } as unknown as SessionReport;
  return sessionAnswer({ report, folder: "f" }).words?.split("\n").at(-1);
}

test.each([
  ["rehearsed", { delivery }, `Next: sworn deliver ${WORK} --to pr --send`],
  ["delivered", { delivery: { ...delivery, where: "branch b" } }, "Next: git merge b"],
  ["waits", { delivery: null }, "Next: sworn resume"],
  [
    "failed",
    { delivery: null },
    "Next: read the report, put right what it names, and run it again with sworn run",
  ],
])("a session that is %s says what to type next", (status, more, next) => {
  expect(lastOf({ status, ...more })).toBe(next);
});

test("one that needs its settings changed first is not simply gone on with", () => {
  const reasons = ["worker and critic are one; change sworn.yaml, then sworn resume"];
  expect(lastOf({ status: "waits", delivery: null, reasons })).toBe(
    "Next: sworn resume # once sworn.yaml is changed",
  );
});

test("one that was called off leaves nothing to type", () => {
  expect(lastOf({ status: "aborted", delivery: null })).toBe("verify: sworn verify trace_01");
});
