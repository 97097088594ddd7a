import { expect, test } from "vitest";
import { checkPlan, type GateFacts, type GateReport } from "../../../src/plan/index.ts";
import type { Verimap } from "../../../src/schema/plan.ts";
import { verifies } from "../../verifies.ts";
import { aPlan, broken, planWith, subtaskOf, told } from "./a-plan.ts";

type Risk = "LOW" | "MEDIUM" | "HIGH";
const ambiguity = (assumption_risk: Risk, resolution = "decided", ambiguity_type = "SEMANTIC") =>
  ({
    ambiguity: "what",
    ambiguity_type,
    resolution,
    assumption_risk,
  }) as Verimap["ambiguities_resolved"][number];

/** The example with these ambiguities and exactly these points deducted. */
function scored(risks: Verimap["ambiguities_resolved"], ...points: number[]): Verimap {
  return planWith((plan) => {
    plan.ambiguities_resolved = risks;
    plan.confidence_deductions = points.map((lost) => ({ reason: "why", amount: -lost / 100 }));
    const left = Math.max(0, 100 - points.reduce((sum, lost) => sum + lost, 0));
    plan.confidence_score = left / 100;
    plan.handoff_ready = left >= 90;
  });
}
const outcome = ({ ready, points, violations }: GateReport) => ({
  ready,
  points,
  violations: violations.map(({ rule }) => rule),
});

verifies(["001-19", "001-51"], "two MEDIUM assumptions pass at exactly 90, three do not", () => {
  const medium = ambiguity("MEDIUM");
  expect(outcome(checkPlan(scored([], ...[])))).toEqual({
    ready: true,
    points: 100,
    violations: [],
  });
  expect(outcome(checkPlan(scored([medium, medium], 5, 5)))).toEqual({
    ready: true,
    points: 90,
    violations: [],
  });
  const three = checkPlan(scored([medium, medium, medium], 5, 5, 5));
  expect(outcome(three)).toEqual({ ready: false, points: 85, violations: [] });
});

verifies("001-20", "below 90 one more question is asked, about what costs most", () => {
  const plan = scored([ambiguity("MEDIUM"), ambiguity("HIGH")], 5, 15);
  expect(checkPlan(plan).questions).toEqual([
    expect.objectContaining({
      id: "BQ-9004",
      blocks: null,
      question: expect.stringContaining("HIGH-risk assumption: ambiguities_resolved[1]"),
    }),
  ]);
});

test("no answer lifts a plan above 90: only a plan that says more does", () => {
  const plan = scored([ambiguity("HIGH")], 15);
  const answers = [{ id: "BQ-9004", answer: "It is fine.", isDefault: false }];
  expect(checkPlan(plan, { answers })).toMatchObject({
    ready: false,
    points: 85,
    questions: [{ id: "BQ-9004" }],
  });
});

verifies("001-19", "every deduction has its amount", () => {
  const plan = planWith((one) => {
    one.ambiguities_resolved = [
      ambiguity("LOW", "", "SPECIFY"),
      ambiguity("HIGH"),
      ambiguity("MEDIUM"),
      ambiguity("LOW"),
    ];
    for (const at of [0, 1, 2, 3]) subtaskOf(one, at).verification_functions.python_assertions = [];
    subtaskOf(one, 0).verification_functions.natural_language_checks.push(
      "It must be good, hopefully 3.",
    );
    subtaskOf(one, 3).kingdom_collision_check.verification_status = "UNVERIFIED";
    one.cove_critique_summary = "2 gaps found and patched";
  });
  const report = checkPlan(plan);
  expect(report.deductions.map(({ points }) => points)).toEqual([
    20, 15, 5, 10, 10, 10, 10, 3, 8, 8,
  ]);
  expect(report.deductions.map(({ reason }) => reason.split(":")[0])).toEqual([
    "unresolved SPECIFY ambiguity",
    "HIGH-risk assumption",
    "MEDIUM-risk assumption",
    "CODE subtask without a Python assertion",
    "hedged check",
    "CONFIG subtask without a Python assertion",
    "INFRA subtask without a Python assertion",
    "UNVERIFIED collision check",
    "critique gap 1 of 2",
    "critique gap 2 of 2",
  ]);
  expect(report.points).toBe(1);
});

verifies("001-19", "the score has a floor", () => {
  const many = Array.from({ length: 8 }, () => ambiguity("HIGH"));
  const plan = scored(many, ...many.map(() => 15));
  expect(outcome(checkPlan(plan))).toEqual({ ready: false, points: 0, violations: [] });
});

test("the plan's own list has to be the counted one, and both are shown", () => {
  const medium = ambiguity("MEDIUM");
  const kinder = scored([medium, medium], 5);
  expect(outcome(checkPlan(kinder)).violations).toEqual(["invariant-deductions"]);
  const [violation] = checkPlan(kinder).violations;
  expect(violation?.message).toBe(
    "the plan deducts [-0.05 why], the gate counts [-0.05 MEDIUM-risk assumption: ambiguities_resolved[0]; -0.05 MEDIUM-risk assumption: ambiguities_resolved[1]]: one entry for each, none added",
  );
  const lumped = scored([medium, medium], 10);
  expect(outcome(checkPlan(lumped)).violations).toEqual(["invariant-deductions"]);
  const stricter = scored([medium], 5, 3);
  expect(outcome(checkPlan(stricter)).violations).toEqual(["invariant-deductions"]);
});

test("amounts and scores are whole hundredths, whatever floating point makes of them", () => {
  const plan = scored([ambiguity("MEDIUM"), ambiguity("MEDIUM")], 5, 5);
  plan.confidence_score = 1 - 0.05 - 0.05;
  expect(plan.confidence_score).not.toBe(0.9);
  expect(checkPlan(plan).ready).toBe(true);
  plan.confidence_score = 0.899;
  expect(outcome(checkPlan(plan)).violations).toEqual(["invariant-sum"]);
  const half = scored([ambiguity("MEDIUM")], 4.5);
  expect(outcome(checkPlan(half)).violations).toContain("invariant-deductions");
  const nothing = scored([ambiguity("LOW")], 0);
  expect(outcome(checkPlan(nothing)).violations).toEqual([
    "invariant-deductions",
    "invariant-deductions",
  ]);
});

verifies(["001-50", "001-51"], "a plan is not ready with a question open or below 0.90", () => {
  expect(
    broken((plan) => {
      plan.blocking_questions = [
        { id: "BQ-01", question: "q", context: "c", default_assumed: "d", blocking: "ST-02" },
      ];
    }),
  ).toEqual(["invariant-questions handoff_ready"]);
  const low = scored([ambiguity("HIGH")], 15);
  low.handoff_ready = true;
  expect(outcome(checkPlan(low)).violations).toEqual(["invariant-score"]);
});

verifies("001-54", "a plan that is not ready says why", () => {
  const low = scored([ambiguity("HIGH")], 15);
  low.witness_debrief = " ";
  expect(outcome(checkPlan(low)).violations).toEqual(["invariant-debrief"]);
});

test("a plan with nothing open says that it is ready", () => {
  expect(
    broken((plan) => {
      plan.handoff_ready = false;
    }),
  ).toEqual(["invariant-ready handoff_ready"]);
});

verifies("001-23", "an open ambiguity is asked about, an assumption has its risk", () => {
  for (const open of ["", "TBD", "to be decided", "?", "unknown", "pending", " - "]) {
    expect(
      told("law-01", (plan) => plan.ambiguities_resolved.push(ambiguity("LOW", open, "SPECIFY"))),
    ).toEqual([expect.stringContaining("1 ambiguities are open and 0 questions are asked")]);
  }
  expect(
    told("law-01", (plan) => plan.ambiguities_resolved.push(ambiguity("LOW", "We assume 10."))),
  ).toEqual([expect.stringContaining("MEDIUM")]);
  expect(
    told("law-01", (plan) =>
      plan.ambiguities_resolved.push(ambiguity("LOW", "The operator said 10.")),
    ),
  ).toEqual([]);
});

test("gaps are counted from the recorded round, else from the summary", () => {
  const gaps = (summary: string, facts: GateFacts = {}) => {
    const report = checkPlan(
      planWith((plan) => {
        plan.cove_critique_summary = summary;
      }),
      facts,
    );
    const law06 = report.violations.filter(({ rule }) => rule === "law-06").length;
    return [report.deductions.filter(({ points }) => points === 8).length, law06];
  };
  expect(gaps("2 gaps found and patched")).toEqual([2, 0]);
  expect(gaps("One gap was found.")).toEqual([1, 0]);
  expect(gaps("No gaps.")).toEqual([0, 0]);
  expect(gaps("Everything was looked at.")).toEqual([0, 1]);
  expect(gaps("0 gaps found and patched", { critiqueGaps: 3 })).toEqual([3, 1]);
  expect(gaps("3 gaps found and patched", { critiqueGaps: 3 })).toEqual([3, 0]);
});

/** The example, blocked by a question about ST-02. */
function blocked(more: (plan: Verimap) => void = () => {}): Verimap {
  return planWith((plan) => {
    plan.handoff_ready = false;
    plan.blocking_questions = [
      {
        id: "BQ-01",
        question: "Which limit?",
        context: "c",
        default_assumed: "10",
        blocking: "ST-02",
      },
    ];
    more(plan);
  });
}

verifies("001-17", "a plan that waits lists the questions that have to be answered", () => {
  expect(checkPlan(blocked())).toMatchObject({
    ready: false,
    points: 95,
    violations: [],
    questions: [
      { id: "BQ-01", question: "Which limit?", default: "10", blocks: "ST-02", by: "plan" },
    ],
  });
});

test("an answer opens the gate, and a default that was taken costs an assumption", () => {
  const answered = checkPlan(blocked(), {
    answers: [{ id: "BQ-01", answer: "10", isDefault: false }],
  });
  expect(answered).toMatchObject({ ready: true, points: 95, questions: [] });
  const expired = checkPlan(blocked(), {
    answers: [{ id: "BQ-01", answer: "10", isDefault: true }],
  });
  expect(expired).toMatchObject({ ready: true, points: 90, questions: [] });
  expect(expired.deductions[1]?.reason).toContain("MEDIUM-risk assumption: nobody answered BQ-01");
});

test("a default about who owns a system costs a HIGH assumption", () => {
  const plan = blocked((one) => {
    subtaskOf(one, 1).kingdom_collision_check.verification_status = "UNVERIFIED";
    one.confidence_deductions.push({ reason: "UNVERIFIED", amount: -0.03 });
    one.confidence_score = 0.92;
  });
  expect(checkPlan(plan)).toMatchObject({ points: 92, violations: [] });
  const expired = checkPlan(plan, { answers: [{ id: "BQ-01", answer: "10", isDefault: true }] });
  expect(expired).toMatchObject({ ready: false, points: 77 });
});

test("a person's answer decides the ambiguity that its question quotes; a default does not", () => {
  const plan = blocked((one) => {
    one.ambiguities_resolved = [
      { ...ambiguity("LOW", "", "SPECIFY"), ambiguity: "which limit holds" },
    ];
    one.confidence_deductions = [{ reason: "open", amount: -0.2 }];
    one.confidence_score = 0.8;
    const [question] = one.blocking_questions;
    if (question) question.context = "It is open which limit holds.";
  });
  expect(checkPlan(plan)).toMatchObject({ points: 80, violations: [] });
  const said = { id: "BQ-01", answer: "10" };
  expect(checkPlan(plan, { answers: [{ ...said, isDefault: false }] })).toMatchObject({
    ready: true,
    points: 100,
  });
  expect(checkPlan(plan, { answers: [{ ...said, isDefault: true }] }).points).toBe(75);
});

test("what the gate says does not depend on when or how often it is asked", () => {
  expect(JSON.stringify(checkPlan(aPlan()))).toBe(JSON.stringify(checkPlan(aPlan())));
});
