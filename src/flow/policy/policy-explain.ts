import { admit } from "../../admit/index.ts";
import type { Clock } from "../../base/index.ts";
import { loadPolicies, type PolicySource } from "../../policy/index.ts";
import { AdmissionCase, type AdmissionDecision } from "../../schema/admission.ts";
import { readCaseFile } from "./policy-cases.ts";

/** A policy that decided, with what it says. */
export interface MatchedPolicy {
  readonly policy: string;
  readonly file: string;
  readonly effect: "permit" | "forbid";
  readonly why: string;
  readonly isWaivable: boolean;
  readonly text: string;
}

/** A decision about facts in a file, and the policies behind it. */
export interface Explanation {
  readonly decision: AdmissionDecision;
  readonly matched: readonly MatchedPolicy[];
  /** How many policies were asked. */
  readonly asked: number;
}

/**
 * Decides about the facts in a file as it would be decided in earnest, and creates nothing. The file
 * holds facts, or a case with facts in it, whose exceptions and time then count.
 */
export async function explainFacts(
  path: string,
  source: PolicySource | undefined,
  clock: Clock,
): Promise<Explanation> {
  const document = readCaseFile(path);
  const asCase = AdmissionCase.safeParse(document);
  const policies = await loadPolicies(source);
  try {
    const decision = asCase.success
      ? await admit(asCase.data.facts, policies, asCase.data.exceptions, () =>
          Date.parse(asCase.data.at),
        )
      : await admit(document, policies, [], clock);
    const matched = decision.matched.map((policy) => {
      const rule = policies.rules.get(policy);
      if (rule === undefined) return opaPolicy(policy, decision.decision);
      const { file, effect, why, isWaivable, text } = rule;
      return { policy, file, effect, why, isWaivable, text };
    });
    return { decision, matched, asked: policies.rules.size + policies.opaCount };
  } finally {
    await policies.close();
  }
}

function opaPolicy(policy: string, decision: "allow" | "deny"): MatchedPolicy {
  const effect = decision === "allow" ? "permit" : "forbid";
  const why = "a precompiled policy of this user";
  return { policy, file: policy.replace(/^user\//, ""), effect, why, isWaivable: false, text: "" };
}
