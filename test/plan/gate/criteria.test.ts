import { expect, test } from "vitest";
import { readBehaviour } from "../../../src/plan/gate/given-when-then.ts";
import { findHedges, HEDGES } from "../../../src/plan/gate/hedges.ts";
import { vagueOutcome } from "../../../src/plan/gate/vague-outcome.ts";
import { verifies } from "../../verifies.ts";
import { broken, subtaskOf } from "./a-plan.ts";

/** The first check of the first subtask, replaced. */
const withCheck = (text: string): string[] =>
  broken((plan) => {
    subtaskOf(plan, 0).verification_functions.natural_language_checks[0] = text;
  });
const AT = "subtasks[0].verification_functions.natural_language_checks[0]";

verifies(["001-26", "001-52"], "the four phrases are refused, and each costs", () => {
  for (const phrase of ["should work", "appears correct", "seems functional", "feels right"]) {
    expect(withCheck(`GIVEN a room WHEN 1 message comes THEN it ${phrase} in 60 seconds`)).toEqual([
      `law-03 ${AT}`,
      "invariant-deductions confidence_deductions",
      "invariant-score handoff_ready",
    ]);
  }
});

verifies(["001-18", "001-22"], "one vague criterion is enough to refuse the plan", () => {
  expect(withCheck("GIVEN a room WHEN it is used THEN it is fast")).toEqual([`tool-04-then ${AT}`]);
  expect(withCheck("Make sure it works")).toEqual([
    `law-03 ${AT}`,
    `tool-04-then ${AT}`,
    `unprovable ${AT}`,
    "invariant-deductions confidence_deductions",
    "invariant-score handoff_ready",
  ]);
});

test.each([
  "it Should  Work",
  "it should\nwork",
  "it should just work",
  "it sho\u200buld work",
  "it **should** work",
  "it should-work",
  'it should "work"',
  "it `should` work",
  "it sh\u043euld w\u043erk",
  "everything appears to be correct",
  "it seems fully functional",
  "it looks good",
  "it works as expected",
  "it works properly",
  "it is probably 3",
  "it is fast enough",
  "it appears right",
  "it is sort of blue",
  "it is blue if possible",
  "it is done in most cases",
])("is a hedge: %s", (text) => {
  expect(findHedges(text)).not.toEqual([]);
});

test.each([
  'the label reads "should work"',
  "the label reads `should work`",
  "the label reads 'should work' in red",
  "the label reads “seems functional”",
  "the answer should be 200",
  "the workers hold 3 jobs",
  "the seam is 3 mm wide",
  "the user's and the agent's names are shown",
  "the network appears in the list",
  "an expected value of 3 is returned",
  "the value is as high as 3",
  "the button appears right of the label",
  "the sort of the list is ascending",
  "the kind of error is shown",
])("is no hedge: %s", (text) => {
  expect(findHedges(text)).toEqual([]);
});

test("a criterion that is nothing but a quotation hides no hedge", () => {
  expect(findHedges('"it should work"')).toEqual(["should work"]);
});

test("every entry of the list is found by its own name", () => {
  for (const { phrase } of HEDGES) expect(findHedges(`it ${phrase}`), phrase).toContain(phrase);
});

verifies("001-33", "GIVEN, WHEN and THEN are there, in order, with something in each", () => {
  for (const [text, why] of [
    ["WHEN 1 message comes THEN it is shown", "it does not begin with GIVEN"],
    ["GIVEN a room THEN 1 message is shown", "it has no WHEN"],
    ["GIVEN a room WHEN 1 message comes", "it has no THEN"],
    ["GIVEN a room THEN 1 message is shown WHEN it comes", "its THEN comes before its WHEN"],
    ["GIVEN WHEN 1 message comes THEN it is shown", "nothing stands after its GIVEN"],
    ["GIVEN a room WHEN 1 message comes THEN", "nothing stands after its THEN"],
    ["GIVEN [state] WHEN [action] THEN [outcome]", "the place after its GIVEN was not filled in"],
  ] as const) {
    expect(readBehaviour(text)).toBe(why);
    expect(withCheck(text)).toEqual([`tool-04 ${AT}`]);
  }
});

test("the three words may be written small, with colons, over lines", () => {
  expect(readBehaviour("Given: a room,\nwhen: 1 message comes,\nthen: it is shown")).toEqual({
    state: "a room",
    action: "1 message comes",
    outcome: "it is shown",
  });
  expect(readBehaviour("The error names the sender")).toBeUndefined();
});

verifies("001-33", "an outcome that only a reader of the code could judge is refused", () => {
  for (const then of [
    "the implementation uses a list",
    "the code is well-structured",
    "it is refactored",
    "a private field holds the count",
  ]) {
    expect(vagueOutcome(then), then).toContain("reading the implementation");
  }
  expect(withCheck("GIVEN a WHEN b THEN it is stored internally as a list")).toEqual([
    `tool-04-then ${AT}`,
  ]);
});

test.each([
  "the code is 404",
  "the exit code is 1",
  "the search is fast: under 150 ms at p95 over 10000 documents",
  'the page says "works"',
  "the message is refused and the sender is named",
  "the file is empty",
  "git status is clean",
  "the file is readable by its owner alone",
  "the request is handled by the second worker",
])("is definite: %s", (then) => {
  expect(vagueOutcome(then)).toBeUndefined();
});

test("a plain sentence is judged when it demands something, and refused otherwise", () => {
  expect(withCheck("The refusal must name the sender, not only say that there was one.")).toEqual(
    [],
  );
  expect(withCheck("The refusal is friendly to people")).toEqual([
    `tool-04-then ${AT}`,
    `unprovable ${AT}`,
  ]);
});

test("hostile texts are judged in a moment", () => {
  const began = performance.now();
  for (const piece of ["“", "'", "`", '"', "«", "should ", "GIVEN ", "as ", "[", "a 'b"]) {
    withCheck(`GIVEN a WHEN b THEN ${piece.repeat(60_000 / piece.length)}`);
  }
  expect(performance.now() - began).toBeLessThan(5_000);
});
