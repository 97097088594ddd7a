import { expect, test } from "vitest";
import { renderSessionReport } from "../../../src/flow/session/render-report.ts";
import type { SessionReport } from "../../../src/schema/session-report.ts";

const REPORT: SessionReport = {
  ...{
    version: 1,
    session: "s",
    trace: `trace_${"0".repeat(26)}`,
    asked: "A page",
    profile: "team",
  },
  ...{ state: "executing", status: "waits", reasons: ["ST-01 is unproven"], start: "0".repeat(40) },
  ...{ rounds: 0, seats: [], shared: [], leader: null, planning: null, proposals: [], works: [] },
  ...{ claims: [], challenges: [], audits: [], done: [], votes: [], decisions: [], agreed: "no" },
  ...{ proven: [], unproven: [], delivery: null, verify: ["sworn verify latest"] },
};
const openIn = (report: Partial<SessionReport>) =>
  /## Not proven\n\n(.*)\n/.exec(renderSessionReport({ ...REPORT, ...report }))?.[1];

test("a session that is not at its end leaves nothing proven that nobody came to look at", () => {
  for (const status of ["waits", "open", "failed", "aborted"] as const) {
    expect(openIn({ status })).toBe("- all that was asked: it did not come to its end");
  }
  expect(openIn({ unproven: ["tests: unknown"] })).toBe("- tests: unknown");
  expect(openIn({ status: "delivered" })).toBe("- nothing is left open");
  expect(renderSessionReport(REPORT)).toContain("## Proven\n\n- nothing\n");
});
