import { expect, test } from "vitest";
import { claimStep } from "../../../src/flow/session/claim-steps.ts";
import type { OpenSession } from "../../../src/flow/session/open-session.ts";
import type { EventRequest } from "../../../src/schema/index.ts";
import type { WorkReport } from "../../../src/schema/work.ts";
import { emptySession } from "../../../src/view/index.ts";

/** What is claimed of a work with so many proven subtasks, the whole of it last. */
async function claimsOf(subtasks: number, report: Pick<WorkReport, "unproven">) {
  const recorded: EventRequest[] = [];
  const known = Array.from({ length: subtasks }, (_, at) => ({
    ...{ id: `ST-${String(at + 1).padStart(2, "0")}`, name: "a page", status: "proven", tries: [] },
  }));
  await claimStep({
    round: 0,
    workReport: { ...report, branch: "work", commit: "1", subtasks: known },
    record: {
      session: emptySession(),
      record: async (requests: readonly EventRequest[]) => void recorded.push(...requests),
    },
  } as unknown as OpenSession);
  return recorded.flatMap(({ type, body }) => (type === "claim_issued" ? [body] : []));
}

test("more than are claimed one by one are counted in the claim of the whole", async () => {
  const claims = await claimsOf(903, { unproven: [] });
  expect(claims).toHaveLength(901);
  expect(claims.at(-1)?.claim_text).toBe(
    "The branch work at 1 holds it, and passed the exit gates. 3 more subtasks are proven and have no claim of their own.",
  );
});

test("a work with gaps is claimed with what nobody has shown, and not as if it were certain", async () => {
  const whole = (await claimsOf(1, { unproven: [] })).at(-1);
  expect(whole?.claim_text).toBe("The branch work at 1 holds it, and passed the exit gates.");
  expect(whole?.confidence).toBe(100);
  const gapped = (await claimsOf(1, { unproven: ["mechanical: no tests"] })).at(-1);
  expect(gapped?.claim_text).toBe(
    "The branch work at 1 holds it; no exit gate stopped it, and this is not shown: mechanical: no tests.",
  );
  expect(gapped?.confidence).toBe(50);
});
