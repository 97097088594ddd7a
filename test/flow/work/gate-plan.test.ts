import { expect, test } from "vitest";
import { gateWord } from "../../../src/flow/work/gate-plan.ts";
import { checkPlan } from "../../../src/plan/index.ts";
import type { Profile } from "../../../src/schema/index.ts";
import type { Verimap } from "../../../src/schema/plan.ts";
import { aPlan, planWith } from "../../plan/gate/a-plan.ts";

const gatePlan = (plan: unknown, profile: Profile) => gateWord(checkPlan(plan), profile);

/** The example, waiting for an answer about ST-04. */
const waiting = (more: (plan: Verimap) => void = () => {}) =>
  planWith((plan) => {
    plan.handoff_ready = false;
    plan.blocking_questions = [
      { id: "BQ-01", question: "q", context: "c", default_assumed: "d", blocking: "ST-04" },
    ];
    more(plan);
  });

test("work begins with what no question names, and in strict with nothing", () => {
  expect(gatePlan(aPlan(), "strict").kind).toBe("open");
  expect(gatePlan(waiting(), "team")).toMatchObject({
    kind: "open",
    gated: { held: new Set(["ST-04"]) },
  });
  expect(gatePlan(waiting(), "strict").kind).toBe("blocked");
  expect(gatePlan({}, "solo").kind).toBe("invalid");
});

test("with too few points nothing begins, whichever subtask the question names", () => {
  const low = waiting((plan) => {
    plan.ambiguities_resolved.push({
      ambiguity: "a",
      ambiguity_type: "SEMANTIC",
      resolution: "b",
      assumption_risk: "HIGH",
    });
    plan.confidence_deductions.push({ reason: "HIGH", amount: -0.15 });
    plan.confidence_score = 0.8;
  });
  expect(gatePlan(low, "solo")).toMatchObject({
    kind: "blocked",
    report: { points: 80, violations: [] },
  });
});
