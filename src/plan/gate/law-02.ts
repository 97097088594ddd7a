import type { SubtaskType } from "../../schema/plan.ts";
import type { WorkProof } from "../../schema/work-proof.ts";
import type { Violation } from "./gate-report.ts";
import type { ReadSubtask } from "./read-subtask.ts";
import { findTestNames } from "./test-names.ts";

type Check = (read: ReadSubtask) => Violation[];

/** LAW 02: which checks a subtask of each type has to have. */
export function checkLaw02(read: ReadSubtask): Violation[] {
  return [...BY_TYPE[read.subtask.type].flatMap((check) => check(read)), ...hasWords(read)];
}

const needsTest: Check = (read) => {
  const path = `${read.path}.instruction`;
  const message = `${read.subtask.id} is CODE and names no test: write its name with brackets, as in test_limit_blocks_11th_message()`;
  return read.tests.length > 0 ? [] : [{ rule: "law-02-test", path, message }];
};

/** A made-up test is worse than none: it looks like a check. */
const hasNoTest: Check = ({ subtask, path: at, proofs = [], worded }) => {
  const { id, type } = subtask;
  const said = [{ text: subtask.instruction, path: `${at}.instruction` }, ...worded];
  const inText = said.flatMap(({ text, path }) =>
    findTestNames(text).map(({ name }) => ({ name, path })),
  );
  const typed = proofs.flatMap((proof, index) =>
    proof.kind === "test" ? [{ name: proof.name, path: `${at}.proofs[${index}]` }] : [],
  );
  const named =
    "test" in subtask && subtask.test ? [{ name: subtask.test.name, path: `${at}.test` }] : [];
  return [...inText, ...typed, ...named].map(({ name, path }) => ({
    rule: "law-02-invented-test",
    path,
    message: `${id} is ${type} and names the test ${name}: take it out, or make the work CODE; a test that checks nothing only looks like a check`,
  }));
};

const needsAssertion: Check = ({ subtask, path: at, assertions }) => {
  const path = `${at}.verification_functions.python_assertions`;
  const message = `${subtask.id} is ${subtask.type} and has no assertion: write one, as in assert result["count"] >= 0`;
  return assertions.length > 0 ? [] : [{ rule: "law-02-assertion", path, message }];
};

const needsState = needsFixed(
  "state",
  ["json", "pattern", "command"],
  "law-02-state",
  "File X exists at path Y with field Z = value W",
);
const needsHealth = needsFixed(
  "health",
  ["http", "command"],
  "law-02-health",
  "Service X responds to GET /health with status 200",
);
const needsSections = needsFixed(
  "sections",
  ["sections"],
  "law-02-sections",
  "Document docs/x.md contains sections A, B, C in order",
);

function needsFixed(
  kind: "state" | "health" | "sections",
  kinds: readonly WorkProof["kind"][],
  rule: Violation["rule"],
  sentence: string,
): Check {
  return (read) => {
    const { subtask, proofs = [] } = read;
    const isProven = proofs.some((proof) => kinds.includes(proof.kind));
    const message = `${subtask.id} is ${subtask.type} and lacks the check "${sentence}"`;
    return isProven || fixedOf(read).includes(kind)
      ? []
      : [{ rule, path: wordsPath(read), message }];
  };
}

/** Which of the fixed sentences a subtask has; a file of which no field is named has no state yet. */
function fixedOf({ worded, stated }: ReadSubtask): string[] {
  return [...worded, ...stated].flatMap(({ fixed }) => {
    // What is wrong with a sentence is said where it is turned into a proof.
    if (fixed === undefined) return [];
    const isBare = "proofs" in fixed && fixed.proofs.every((proof) => proof.kind === "file");
    return isBare ? [] : [fixed.kind];
  });
}

const needsBehaviour: Check = (read) => {
  const isThere = read.worded.some(({ behaviour }) => typeof behaviour === "object");
  const message = `${read.subtask.id} is CONFIG and has no check of the form GIVEN … WHEN … THEN …`;
  return isThere ? [] : [{ rule: "law-02-behaviour", path: wordsPath(read), message }];
};

const needsCompleteness: Check = (read) => {
  const isThere = read.worded.some(({ fixed }) => fixed === undefined) || isJudged(read);
  const message = `${read.subtask.id} is DOCS and nothing but its sections is checked: say what each reader must find in it`;
  return isThere ? [] : [{ rule: "law-02-completeness", path: wordsPath(read), message }];
};

/** TOOL 05 wants both kinds; LAW 02 says for which types an assertion may be missing. */
const hasWords: Check = (read) => {
  const message = `${read.subtask.id} has no check in words: write GIVEN … WHEN … THEN …`;
  return read.worded.length > 0 || isJudged(read)
    ? []
    : [{ rule: "tool-05-check", path: wordsPath(read), message }];
};

function isJudged({ proofs = [] }: ReadSubtask): boolean {
  return proofs.some(({ kind }) => kind === "judge");
}

function wordsPath({ path }: ReadSubtask): string {
  return `${path}.verification_functions.natural_language_checks`;
}

const BY_TYPE: Readonly<Record<SubtaskType, readonly Check[]>> = {
  CODE: [needsTest, needsAssertion],
  CONFIG: [hasNoTest, needsState, needsBehaviour],
  INFRA: [hasNoTest, needsHealth, needsAssertion],
  DOCS: [hasNoTest, needsSections, needsCompleteness],
};
