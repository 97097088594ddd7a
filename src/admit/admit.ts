import { type Clock, messageOf } from "../base/index.ts";
import type { Policies, PolicyAnswer, PolicyRequest } from "../policy/index.ts";
import { type AdmissionDecision, AdmissionFacts, PolicyException } from "../schema/admission.ts";
import { reasonsOf } from "./reasons.ts";
import { requestOf } from "./request-of.ts";
import { nothingWaived, type Unusable, waivedBy } from "./waived.ts";

/** What is wrong with a shape is listed up to here; more would only be longer. */
const ISSUES_MAX = 20;
const EXCEPTIONS_MAX = 1_000;

/**
 * Decides whether a task may be created, or whether its run counts as done. The answer depends on
 * the arguments alone. It never throws: what cannot be judged is denied, with the reason.
 *
 * @param facts Parsed here, strictly: a member that is missing or unknown denies.
 * @param exceptions From the record, never from the tree that the task works on.
 */
export async function admit(
  facts: unknown,
  policies: Policies,
  exceptions: readonly unknown[],
  clock: Clock,
): Promise<AdmissionDecision> {
  try {
    return await decide(facts, policies, exceptions, clock);
  } catch (error) {
    // Fail closed: whatever went wrong, nothing was permitted.
    return deniedFor(policies, [`the decision failed: ${messageOf(error)}`]);
  }
}

async function decide(
  given: unknown,
  policies: Policies,
  exceptions: readonly unknown[],
  clock: Clock,
): Promise<AdmissionDecision> {
  const facts = AdmissionFacts.safeParse(given);
  if (!facts.success) return deniedFor(policies, issuesOf("facts", facts.error.issues));
  if (exceptions.length === 0) {
    const request = requestOf(facts.data, nothingWaived());
    return toDecision(policies, request, await policies.decide(request), []);
  }
  const asked = PolicyException.array().max(EXCEPTIONS_MAX).safeParse(exceptions);
  if (!asked.success) return deniedFor(policies, issuesOf("exceptions", asked.error.issues));
  const { waived, usable, unusable } = waivedBy(asked.data, facts.data, policies.rules, clock);
  const request = requestOf(facts.data, waived);
  const without = await policies.decide(requestOf(facts.data, nothingWaived()));
  const answer = usable.length === 0 ? without : await policies.decide(request);
  const decision = toDecision(policies, request, answer, unusable);
  // An exception was used where its rule would have denied, and does not any more.
  const broken = without.matched.filter((policy) => !answer.matched.includes(policy));
  const used = usable.filter(({ rule }) => broken.includes(rule));
  return { ...decision, exceptions: used.map(({ id, rule }) => ({ id, rule })) };
}

function toDecision(
  policies: Policies,
  request: PolicyRequest,
  { decision, matched, errors }: PolicyAnswer,
  unusable: readonly Unusable[],
): AdmissionDecision {
  const isAllowed = decision === "allow" && errors.length === 0;
  return {
    decision: isAllowed ? "allow" : "deny",
    policy_digest: policies.digest,
    matched: [...matched],
    reasons: isAllowed ? [] : reasonsOf(policies.rules, request, matched, errors, unusable),
    errors: [...errors],
    exceptions: [],
  };
}

/** The rule that denies what could not be judged. */
function deniedFor(policies: Policies, errors: string[]): AdmissionDecision {
  const message = `it cannot be judged: ${errors.join("; ")}`;
  return {
    decision: "deny",
    policy_digest: policies.digest,
    matched: [],
    reasons: [{ rule: "A.1", policy: "A.1", message }],
    errors,
    exceptions: [],
  };
}

function issuesOf(
  what: string,
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): string[] {
  return issues
    .slice(0, ISSUES_MAX)
    .map(({ path, message }) => `${[what, ...path].map(String).join(".")}: ${message}`);
}
