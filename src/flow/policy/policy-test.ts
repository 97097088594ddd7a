import { admit } from "../../admit/index.ts";
import { loadPolicies, type Policies, type PolicySource } from "../../policy/index.ts";
import type { AdmissionDecision } from "../../schema/admission.ts";
import { type CaseFrom, shippedCases, userCases } from "./policy-cases.ts";

/** How one case came out. */
export interface CaseOutcome {
  readonly name: string;
  readonly from: string;
  readonly expected: "allow" | "deny";
  readonly decision: "allow" | "deny";
  readonly rules: readonly string[];
  /** What differs from what was expected; undefined where nothing does. */
  readonly wrong: string | undefined;
}

/** How all of them came out. */
export interface PolicyTest {
  readonly digest: string;
  readonly policies: number;
  readonly outcomes: readonly CaseOutcome[];
  /** Policies that no case brings to forbid anything: nobody knows that they do. */
  readonly untested: readonly string[];
}

/**
 * Runs the cases of the shipped policies and a user's own against the policies in force. Policies of
 * the user forbid more, so shipped cases that expect a yes are judged by the shipped policies alone.
 */
export async function testPolicies(options: {
  readonly source: PolicySource | undefined;
  readonly cases: string | undefined;
}): Promise<PolicyTest> {
  const shipped = await loadPolicies();
  const inForce = options.source === undefined ? shipped : await loadPolicies(options.source);
  try {
    const own = options.cases ?? options.source?.folder;
    const outcomes = [
      ...(await outcomesOf(shippedCases(), shipped)),
      ...(own === undefined ? [] : await outcomesOf(userCases(own), inForce)),
    ];
    const seen = new Set(outcomes.flatMap(({ rules }) => rules));
    const untested = [...inForce.rules.values()].filter(
      ({ policy, effect, rule }) => effect === "forbid" && !seen.has(policy) && !seen.has(rule),
    );
    return {
      digest: inForce.digest,
      policies: inForce.rules.size + inForce.opaCount,
      outcomes,
      untested: untested.map(({ policy }) => policy),
    };
  } finally {
    await inForce.close();
  }
}

async function outcomesOf(cases: readonly CaseFrom[], policies: Policies): Promise<CaseOutcome[]> {
  const outcomes: CaseOutcome[] = [];
  for (const { from, case: one } of cases) {
    const now = Date.parse(one.at);
    const decided = await admit(one.facts, policies, one.exceptions, () => now);
    outcomes.push({
      name: one.name,
      from,
      expected: one.expect.decision,
      decision: decided.decision,
      rules: decided.reasons.flatMap(({ rule, policy }) =>
        rule === policy ? [rule] : [rule, policy],
      ),
      wrong: whatIsWrong(one.expect, decided),
    });
  }
  return outcomes;
}

function whatIsWrong(
  expect: { decision: string; rules: readonly string[] },
  { decision, reasons }: AdmissionDecision,
): string | undefined {
  const why = reasons.map(({ rule, message }) => `${rule}: ${message}`).join("; ");
  if (decision !== expect.decision) {
    return `expected ${expect.decision}, found ${decision}${why === "" ? "" : ` (${why})`}`;
  }
  const absent = expect.rules.filter(
    (wanted) => !reasons.some(({ rule, policy }) => rule === wanted || policy === wanted),
  );
  return absent.length === 0
    ? undefined
    : `expected ${absent.join(", ")} among the reasons (${why})`;
}
