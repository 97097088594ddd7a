import { expect } from "vitest";
import { checkDeliverable } from "../../src/verify/contract/index.ts";
import {
  mergeFindings,
  selfReviewHealth,
  spotCheckPlan,
  support,
  vouchersOf,
} from "../../src/verify/team/index.ts";
import { verifies } from "../verifies.ts";
import { file, NONCE, REPORT, WARD } from "./contract-delivered.ts";
import { checked, many, reviewer } from "./team-reviewers.ts";

verifies(
  "000-46",
  "layer 0 and 1: what is not quoted or not looked at again shows in the file",
  () => {
    const bare = REPORT.findings.map((one) => ({ ...one, citations: [{ file: "a.py" }] }));
    const unquoted = checkDeliverable(WARD, file({ ...REPORT, findings: bare }), NONCE);
    expect(unquoted.reasons).toEqual([
      "the Seal says all evidence is verified, 3 findings quote nothing",
    ]);
    const unlogged = { reviewer: "ward", log: [], serious: 2, editsSeen: null };
    expect(selfReviewHealth(unlogged).health).toBe("rotted");
  },
);

verifies(
  "000-46",
  "layer 2 looks at P1 findings again, layer 3 counts who else says the same",
  () => {
    const anna = reviewer("anna", many(4, { priority: "P1" }), { filesRead: 5 });
    expect(spotCheckPlan(anna, { inlineFailed: false }).findings).toHaveLength(4);
    const team = [reviewer("anna", [checked("a")]), reviewer("bert", [checked("a")])];
    const [finding] = mergeFindings(team).findings;
    expect(finding && support(finding, vouchersOf(team))).toBe("second-reviewer");
  },
);
