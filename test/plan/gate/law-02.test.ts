import { expect, test } from "vitest";
import { checkPlan } from "../../../src/plan/index.ts";
import { verifies } from "../../verifies.ts";
import { aPlan, broken, planWith, subtaskOf, told } from "./a-plan.ts";

const CHECKS = "verification_functions.natural_language_checks";

verifies(["001-24", "001-25"], "a CODE subtask that names no test is refused", () => {
  const found = broken((plan) => {
    subtaskOf(plan, 0).instruction = "Write allow(sender, now) in src/limit.py.";
  });
  expect(found).toEqual(["law-02-test subtasks[0].instruction"]);
});

verifies("001-57", "a CODE subtask without an assertion is refused, and it costs", () => {
  const found = broken((plan) => {
    subtaskOf(plan, 0).verification_functions.python_assertions = [];
  });
  expect(found).toEqual([
    "law-02-assertion subtasks[0].verification_functions.python_assertions",
    "invariant-deductions confidence_deductions",
    "invariant-score handoff_ready",
  ]);
});

test("a test may be named by a title in quotes, in the instruction or in a check", () => {
  const titled = broken((plan) => {
    subtaskOf(plan, 0).instruction = 'Make the test "refuses the 11th message" pass.';
  });
  expect(titled).toEqual([]);
  const inCheck = broken((plan) => {
    subtaskOf(plan, 0).instruction = "Write allow(sender, now).";
    subtaskOf(plan, 0).verification_functions.natural_language_checks = [
      "GIVEN the sources WHEN the tests run THEN test_limit_blocks_11th() passes",
    ];
  });
  expect(inCheck).toEqual([]);
});

verifies(["001-24", "001-25"], "CONFIG, INFRA and DOCS may not name a test", () => {
  for (const at of [1, 2, 3]) {
    const found = broken((plan) => {
      const subtask = subtaskOf(plan, at);
      subtask.instruction += " Then test_limits_file_exists() passes.";
    });
    expect(found).toEqual([`law-02-invented-test subtasks[${at}].instruction`]);
  }
  const messages = told("law-02-invented-test", (plan) => {
    subtaskOf(plan, 1).verification_functions.natural_language_checks.push(
      'GIVEN the file WHEN it is read THEN the test "has all limits" passes',
    );
  });
  expect(messages).toEqual([expect.stringContaining("names the test has all limits")]);
});

verifies(
  "001-74",
  "where no test can be, an invented one is refused and an absent one is not",
  () => {
    const plan = planWith((one) => {
      subtaskOf(one, 1).instruction += " Then test_limits_file_exists() passes.";
    });
    const proofsOf = (of: typeof plan) => checkPlan(of).plan?.subtasks[1]?.proofs;
    expect(checkPlan(aPlan())).toMatchObject({ ready: true, violations: [] });
    expect(checkPlan(plan)).toMatchObject({
      ready: false,
      violations: [{ rule: "law-02-invented-test" }],
    });
    expect(proofsOf(plan)).toEqual(proofsOf(aPlan()));
  },
);

verifies("001-24", "CONFIG needs a field's value in a file, and a GIVEN/WHEN/THEN", () => {
  const stateless = broken((plan) => {
    subtaskOf(plan, 1).verification_functions.natural_language_checks.shift();
  });
  expect(stateless).toEqual([`law-02-state subtasks[1].${CHECKS}`]);
  const bare = broken((plan) => {
    subtaskOf(plan, 1).verification_functions.natural_language_checks[0] =
      "File limits.json exists at path config/limits.json.";
  });
  expect(bare).toEqual([`law-02-state subtasks[1].${CHECKS}`]);
  const still = broken((plan) => {
    subtaskOf(plan, 1).verification_functions.natural_language_checks.pop();
  });
  expect(still).toEqual([`law-02-behaviour subtasks[1].${CHECKS}`]);
});

verifies("001-24", "INFRA needs a service's answer and an assertion", () => {
  const found = broken((plan) => {
    const { verification_functions: checks } = subtaskOf(plan, 2);
    checks.natural_language_checks = ["GIVEN the service WHEN it runs THEN it answers 200"];
    checks.python_assertions = [];
  });
  expect(found).toEqual([
    `law-02-health subtasks[2].${CHECKS}`,
    "law-02-assertion subtasks[2].verification_functions.python_assertions",
    "invariant-deductions confidence_deductions",
    "invariant-score handoff_ready",
  ]);
});

verifies("001-24", "DOCS needs its sections in order, and a check of completeness", () => {
  const unordered = broken((plan) => {
    subtaskOf(plan, 3).verification_functions.natural_language_checks.shift();
  });
  expect(unordered).toEqual([`law-02-sections subtasks[3].${CHECKS}`]);
  const bare = broken((plan) => {
    subtaskOf(plan, 3).verification_functions.natural_language_checks.pop();
  });
  expect(bare).toEqual([`law-02-completeness subtasks[3].${CHECKS}`]);
});

test("every subtask has a check in words", () => {
  const found = broken((plan) => {
    subtaskOf(plan, 0).verification_functions.natural_language_checks = [];
  });
  expect(found).toEqual([`tool-05-check subtasks[0].${CHECKS}`]);
});
