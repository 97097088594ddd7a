import { expect, test } from "vitest";
import { checkPlan } from "../../../src/plan/index.ts";
import { aPlan, broken, planWith, subtaskOf } from "./a-plan.ts";

test("the example is ready, with its one assumption counted", () => {
  const report = checkPlan(aPlan());
  expect(report).toMatchObject({
    form: "verimap",
    ready: true,
    points: 95,
    violations: [],
    questions: [],
    notes: [],
  });
  expect(report.deductions).toEqual([
    { reason: "MEDIUM-risk assumption: ambiguities_resolved[0]", points: 5 },
  ]);
});

test("a plan of our own form with the same proofs is ready, too", () => {
  const lowered = checkPlan(aPlan()).plan;
  const report = checkPlan(lowered);
  expect(report).toMatchObject({ form: "plan", ready: true, points: 95, violations: [] });
  expect(report.plan).toEqual(lowered);
});

test("everything that is wrong is reported at once, each with its place", () => {
  const found = broken((plan) => {
    subtaskOf(plan, 0).verification_functions.python_assertions = ["assert True"];
    subtaskOf(plan, 1).context_required = { "ST-01": ["speed"] };
    plan.deacon_required = false;
    plan.assembly_order = ["ST-02", "ST-01", "ST-03", "ST-04"];
    plan.confidence_score = 0.96;
  });
  expect(found).toEqual([
    "tool-05 subtasks[0].verification_functions.python_assertions[0]",
    "law-04 subtasks[1].context_required.ST-01[0]",
    "assembly-order assembly_order[0]",
    "invariant-monitor deacon_required",
    "invariant-sum confidence_score",
  ]);
});

test("where the shape is broken, whole subtasks are judged all the same", () => {
  const value = planWith((plan) => {
    subtaskOf(plan, 0).verification_functions.natural_language_checks = [
      "GIVEN a WHEN b THEN it should work",
    ];
  });
  const { deacon_required: _, ...rest } = value;
  const report = checkPlan({ ...rest, colour: "red" });
  expect(report).toMatchObject({ ready: false, points: 0 });
  expect(report.plan).toBeUndefined();
  expect(report.violations.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
    "shape deacon_required",
    "shape colour",
    "law-03 subtasks[0].verification_functions.natural_language_checks[0]",
  ]);
});

test.each([undefined, null, 7, "plan", [], {}, { subtasks: 3 }, { subtasks: [null, 1] }])(
  "a value that is no plan is refused and nothing is thrown: %j",
  (value) => {
    const report = checkPlan(value);
    expect(report.ready).toBe(false);
    expect(report.violations.length).toBeGreaterThan(0);
  },
);

test("a broken shape is told by what is expected there, kinds of proofs and names included", () => {
  const lowered = checkPlan(aPlan()).plan;
  const [first] = lowered?.subtasks ?? [];
  const odd = {
    ...lowered,
    subtasks: [{ ...first, proofs: [{ kind: "hope" }], context_required: { one: [] } }],
  };
  const told = checkPlan(odd).violations.map(({ path, message }) => `${path}: ${message}`);
  expect(told).toContainEqual(
    expect.stringMatching(
      /^subtasks\[0\]\.proofs\[0\]\.kind: expected one of python, test, .*, judge, found "hope"$/,
    ),
  );
  expect(told).toContainEqual(
    'subtasks[0].context_required.one: expected "ST-" and two digits or more as the name here, found "one"',
  );
});
