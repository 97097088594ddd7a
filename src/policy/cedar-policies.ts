import { decodeUtf8, messageOf, SwornError } from "../base/index.ts";
import type { Cedar, CedarSchema } from "./cedar.ts";
import type { CedarRule } from "./cedar-rule.ts";
import type { PolicyFile } from "./policy-file.ts";

/** What is asked of policies; the context is checked against the schema before any of them is. */
export interface PolicyRequest {
  readonly requester: string;
  readonly moment: "start" | "complete";
  readonly task: string;
  readonly context: Context;
}
type Context = Parameters<Cedar["statefulIsAuthorized"]>[0]["context"];

/** What policies answer. Errors are never left out: an allow comes without any. */
export interface PolicyAnswer {
  readonly decision: "allow" | "deny";
  /** The policies that decided: permits for an allow, forbids for a deny. */
  readonly matched: readonly string[];
  readonly errors: readonly string[];
}

/** Cedar policies that were parsed once and checked against their schema. */
export class CedarPolicies {
  readonly #cedar: Cedar;
  readonly #digest: string;
  readonly #permits: ReadonlySet<string>;
  #broken: string | undefined;

  /**
   * @param checked The same schema in the form that is read quickly, where these very rules are
   * known to fit it.
   * @throws SwornError `INPUT_INVALID` when a policy does not fit the schema, or can never apply: a
   * rule that silently never fires is worse than none.
   */
  constructor(
    cedar: Cedar,
    digest: string,
    schema: PolicyFile,
    rules: readonly CedarRule[],
    checked?: CedarSchema,
  ) {
    this.#cedar = cedar;
    this.#digest = digest;
    const permits = rules.filter(({ effect }) => effect === "permit");
    this.#permits = new Set(permits.map(({ policy }) => policy));
    if (new Set(rules.map(({ policy }) => policy)).size !== rules.length) {
      throw new SwornError("INPUT_INVALID", "two policies have the same name");
    }
    const policies = {
      staticPolicies: Object.fromEntries(rules.map(({ policy, text }) => [policy, text])),
    };
    const text = decodeUtf8(schema.bytes);
    if (checked === undefined) assertFit(cedar, text, policies);
    prepare(cedar, digest, checked ?? text, policies);
  }

  decide(request: PolicyRequest): PolicyAnswer {
    if (this.#broken !== undefined) return denied(this.#broken);
    try {
      return this.#answerTo(request);
    } catch (error) {
      // Fail closed: after a trap nobody knows what state the machine code is in.
      this.#broken = `Cedar failed: ${messageOf(error)}`;
      return denied(this.#broken);
    }
  }

  #answerTo({ requester, moment, task, context }: PolicyRequest): PolicyAnswer {
    const answer = this.#cedar.statefulIsAuthorized({
      principal: { type: "Sworn::Requester", id: requester },
      action: { type: "Sworn::Action", id: moment },
      resource: { type: "Sworn::Task", id: task },
      context,
      preparsedSchemaName: this.#digest,
      // Without it Cedar allows when a forbid meets an attribute that is not there.
      validateRequest: true,
      preparsedPolicySetId: this.#digest,
      entities: [],
    });
    const errors = answer.warnings.map(({ message }) => message);
    if (answer.type !== "success") {
      return denied(...errors, ...answer.errors.map(({ message }) => message));
    }
    const { decision, diagnostics } = answer.response;
    errors.push(
      ...diagnostics.errors.map(({ policyId, error }) => `${policyId}: ${error.message}`),
    );
    const matched = diagnostics.reason.toSorted();
    const isAllowed =
      decision === "allow" &&
      errors.length === 0 &&
      matched.length > 0 &&
      matched.every((policy) => this.#permits.has(policy));
    return { decision: isAllowed ? "allow" : "deny", matched, errors };
  }
}

function denied(...errors: string[]): PolicyAnswer {
  return { decision: "deny", matched: [], errors };
}

type PolicyTexts = { readonly staticPolicies: Record<string, string> };

/** A rule that does not fit the schema, or that can never apply, is found before it is relied on. */
function assertFit(cedar: Cedar, schema: string, policies: PolicyTexts): void {
  const checked = cedar.validate({ schema, policies, validationSettings: { mode: "strict" } });
  if (checked.type !== "success") throw unfit(checked.errors);
  const found = [...checked.validationErrors, ...checked.validationWarnings];
  if (found.length > 0) throw unfit(found.map(({ policyId, error }) => namely(policyId, error)));
  if (checked.otherWarnings.length > 0) throw unfit(checked.otherWarnings);
}

/** Cedar keeps what it parsed under a name; the digest of all files is one that nothing else has. */
function prepare(cedar: Cedar, digest: string, schema: CedarSchema, policies: PolicyTexts): void {
  for (const answer of [
    cedar.preparseSchema(digest, schema),
    cedar.preparsePolicySet(digest, policies),
  ]) {
    if (answer.type !== "success") throw unfit(answer.errors);
  }
}

function namely(policy: string, { message }: { message: string }): { message: string } {
  return { message: message.includes(policy) ? message : `${policy}: ${message}` };
}

function unfit(errors: readonly { message: string }[]): SwornError {
  const what = errors.map(({ message }) => message).join("; ");
  return new SwornError("INPUT_INVALID", `the policies do not fit their schema: ${what}`);
}
