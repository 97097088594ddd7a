import { SwornError } from "../base/index.ts";
import { loadCedar } from "./cedar.ts";
import { CedarPolicies, type PolicyAnswer, type PolicyRequest } from "./cedar-policies.ts";
import { type CedarRule, userRules } from "./cedar-rule.ts";
import { rulesOfShipped } from "./known-rules.ts";
import { OpaPolicy } from "./opa-policy.ts";
import { digestOf, shippedFiles, userFiles } from "./policy-file.ts";

/** Where a user's own policies are, and which trees they must not come from. */
export interface PolicySource {
  readonly folder: string;
  readonly outside: readonly string[];
}

/** All policies that are in force: those that come with the package, and a user's own. */
export interface Policies {
  /** Stands for every byte of every policy and of the schema. */
  readonly digest: string;
  readonly rules: ReadonlyMap<string, CedarRule>;
  /** How many of them are precompiled OPA policies. */
  readonly opaCount: number;
  /** All must allow; whatever else happens is a deny. */
  decide(request: PolicyRequest): Promise<PolicyAnswer>;
  /** Ends what runs in the background. */
  close(): Promise<void>;
}

/**
 * Reads, checks and prepares policies, once.
 *
 * A user's policies can only refuse more: Cedar files may hold nothing but `forbid`, which wins over
 * every permit in Cedar, and an OPA policy is asked in addition to Cedar, never instead.
 *
 * @throws SwornError when anything about a policy is not in order; nothing is left out.
 */
export async function loadPolicies(source?: PolicySource): Promise<Policies> {
  const cedar = await loadCedar();
  const shipped = shippedFiles();
  const own = source === undefined ? [] : userFiles(source.folder, source.outside);
  const digest = digestOf(shipped, own);
  const known = rulesOfShipped(cedar, shipped);
  const rules = [
    ...known.rules,
    ...own.filter(({ kind }) => kind === "cedar").flatMap((file) => userRules(cedar, file)),
  ];
  // A user's policies were never held against the schema: then all are, together.
  const checked = rules.length === known.rules.length ? known.checked : undefined;
  const schema = shipped.find(({ kind }) => kind === "schema");
  if (!schema) throw new SwornError("NOT_FOUND", "the package lacks its policy schema");
  const cedarPolicies = new CedarPolicies(cedar, digest, schema, rules, checked);
  const opa = own.filter(({ kind }) => kind === "wasm").map((file) => new OpaPolicy(file));
  return {
    digest,
    rules: new Map(rules.map((rule) => [rule.policy, rule])),
    opaCount: opa.length,
    decide: async (request) => {
      const answer = cedarPolicies.decide(request);
      if (opa.length === 0) return answer;
      return together(answer, await Promise.all(opa.map((policy) => policy.decide(request))));
    },
    close: async () => {
      await Promise.all(opa.map((policy) => policy.close()));
    },
  };
}

/** One no is a no; a deny names who said it, an allow everybody. */
function together(cedar: PolicyAnswer, opa: readonly PolicyAnswer[]): PolicyAnswer {
  const all = [cedar, ...opa];
  const isAllowed = all.every(({ decision }) => decision === "allow");
  const decisive = isAllowed ? all : all.filter(({ decision }) => decision === "deny");
  return {
    decision: isAllowed ? "allow" : "deny",
    matched: decisive.flatMap(({ matched }) => matched),
    errors: all.flatMap(({ errors }) => errors),
  };
}
