import type { Clock } from "../base/index.ts";
import type { CedarRule } from "../policy/index.ts";
import type { AdmissionFacts, PolicyException } from "../schema/admission.ts";

/** What exceptions allow, in the form that policies see: whole rules, and names for one rule each. */
export type Waived = {
  readonly rules: string[];
  readonly foreign_mounts: string[];
  readonly writable_mounts: string[];
  readonly remote_mounts: string[];
  readonly vulnerabilities: string[];
  readonly licences: string[];
  readonly missing_sidecars: string[];
  readonly unreviewed_flags: string[];
  readonly secret_files: string[];
};

/** An exception that counts for nothing, and why. */
export interface Unusable {
  readonly exception: PolicyException;
  readonly why: string;
}

/** No exception at all. */
export function nothingWaived(): Waived {
  return {
    rules: [],
    foreign_mounts: [],
    writable_mounts: [],
    remote_mounts: [],
    vulnerabilities: [],
    licences: [],
    missing_sidecars: [],
    unreviewed_flags: [],
    secret_files: [],
  };
}

/** Sorts exceptions into those that count for these facts, now, and those that do not. */
export function waivedBy(
  exceptions: readonly PolicyException[],
  facts: AdmissionFacts,
  rules: ReadonlyMap<string, CedarRule>,
  clock: Clock,
): { waived: Waived; usable: PolicyException[]; unusable: Unusable[] } {
  const waived = nothingWaived();
  const usable: PolicyException[] = [];
  const unusable: Unusable[] = [];
  for (const exception of exceptions) {
    const rule = rules.get(exception.rule);
    const why = whyUnusable(exception, facts, rule, clock);
    if (why !== undefined) {
      unusable.push({ exception, why });
      continue;
    }
    usable.push(exception);
    const set = rule?.names;
    if (set === undefined) waived.rules.push(exception.rule);
    else waived[set as keyof Waived].push(...exception.scope.names);
  }
  return { waived, usable, unusable };
}

/** What an exception is held against. */
export type Asking = Pick<AdmissionFacts, "task" | "requester">;

/** Why an exception counts for nothing; undefined where it counts. */
export function whyUnusable(
  exception: PolicyException,
  facts: Asking,
  rule: CedarRule | undefined,
  clock: Clock,
): string | undefined {
  if (rule === undefined) return `there is no rule ${exception.rule}`;
  if (!rule.isWaivable) return `rule ${exception.rule} has no exceptions`;
  if (!exception.scope.tasks.includes(facts.task)) return `it is not for the task ${facts.task}`;
  if (!(clock() < Date.parse(exception.expires_at))) return `it expired at ${exception.expires_at}`;
  return whyNotApproved(exception, facts) ?? whyIncomplete(exception, facts, rule);
}

/** Nobody gives themselves leave: not whoever asked for it, nor whoever runs the task or owns it. */
function whyNotApproved(
  { approver, requester, owner }: PolicyException,
  facts: Asking,
): string | undefined {
  if (approver === requester) return `${approver} asked for it and approved it`;
  if (approver === facts.requester) return `${approver} approved it and asks for the task`;
  if (approver === owner) return `${approver} approved it and owns it`;
  return undefined;
}

function whyIncomplete(
  { scope, secret_review, requester }: PolicyException,
  facts: Asking,
  { names, needs, rule }: CedarRule,
): string | undefined {
  if (names !== undefined && scope.names.length === 0) {
    return `it names nothing; rule ${rule} takes exceptions for named things only`;
  }
  if (needs !== "secret_review") return undefined;
  if (secret_review === null) return `rule ${rule} also needs a review for secrets`;
  const isOwn = secret_review === requester || secret_review === facts.requester;
  return isOwn ? `${secret_review} reviewed their own request` : undefined;
}
