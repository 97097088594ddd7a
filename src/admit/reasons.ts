import type { CedarRule, PolicyRequest } from "../policy/index.ts";
import type { AdmissionDecision } from "../schema/admission.ts";
import type { Unusable } from "./waived.ts";

const SHOWN_MAX = 10;
const SHOWN_CHARS_MAX = 500;
type Reason = AdmissionDecision["reasons"][number];

/** Why it is a no: each rule that was broken, what was found, what helps, and which exceptions did not count. */
export function reasonsOf(
  rules: ReadonlyMap<string, CedarRule>,
  request: PolicyRequest,
  matched: readonly string[],
  errors: readonly string[],
  unusable: readonly Unusable[],
): Reason[] {
  if (errors.length > 0) return [cannotJudge(errors)];
  const reasons = matched.map((policy) => reasonOf(rules.get(policy), policy, request, unusable));
  return reasons.length > 0 ? reasons : [reasonOf(rules.get("A.1"), "A.1", request, unusable)];
}

function cannotJudge(errors: readonly string[]): Reason {
  return { rule: "A.1", policy: "A.1", message: `it cannot be judged: ${errors.join("; ")}` };
}

function reasonOf(
  rule: CedarRule | undefined,
  policy: string,
  request: PolicyRequest,
  unusable: readonly Unusable[],
): Reason {
  if (rule === undefined) {
    return { rule: policy, policy, message: `${policy} did not answer true or {"allow": true}` };
  }
  const { why, fix, shows } = rule;
  const found = shows === undefined ? "" : ` (found: ${shownAt(request.context, shows)})`;
  const refused = unusable
    .filter(({ exception }) => exception.rule === rule.rule)
    .map(({ exception, why }) => `; exception ${exception.id} does not count: ${why}`);
  return { rule: rule.rule, policy, message: `${why}${found}; ${fix}${refused.join("")}` };
}

function shownAt(context: unknown, path: string): string {
  const value = path
    .split(".")
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], context);
  // Beside "60 minutes", 5000 could be anything.
  const unit = path.endsWith("_seconds") ? " seconds" : "";
  return cut(wordsOf(value) + unit, SHOWN_CHARS_MAX);
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) {
    const more = value.length > SHOWN_MAX ? `, and ${value.length - SHOWN_MAX} more` : "";
    return value.slice(0, SHOWN_MAX).join(", ") + more;
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1)}…`.toWellFormed();
}
