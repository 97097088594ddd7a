import type { PolicyJson } from "@cedar-policy/cedar-wasm/nodejs";
import { decodeUtf8, SwornError } from "../base/index.ts";
import type { Cedar } from "./cedar.ts";
import type { PolicyFile } from "./policy-file.ts";

/** One Cedar policy and what its annotations say about it. */
export interface CedarRule {
  /** Unique: the rule itself for shipped policies, `user/<file>#<number>` for others. */
  readonly policy: string;
  readonly rule: string;
  /** The file it stands in. */
  readonly file: string;
  readonly effect: "permit" | "forbid";
  readonly why: string;
  readonly fix: string;
  /** Which attribute of the context shows what was wrong: `run.network`. */
  readonly shows: string | undefined;
  /** Exceptions name single things, and these go into that set of `waived`. */
  readonly names: string | undefined;
  /** What an exception needs besides: `secret_review`. */
  readonly needs: string | undefined;
  /** Whether the policy asks for exceptions at all; one that does not cannot be broken by any. */
  readonly isWaivable: boolean;
  readonly text: string;
}

/** @throws SwornError `INPUT_INVALID` when a file of ours is not as it must be. */
export function shippedRules(cedar: Cedar, file: PolicyFile): CedarRule[] {
  return policiesIn(cedar, file).map(({ text, json }) => {
    const rule = toRule(file, text, json, json.annotations?.["rule"] ?? "");
    if (rule.rule === "" || rule.why === "" || rule.fix === "") {
      throw new SwornError("INPUT_INVALID", `${file.name}: a policy lacks @rule, @why or @fix`);
    }
    return rule;
  });
}

/**
 * The policies of a user's file. They can only forbid: a permit is refused, so that the answer to
 * any facts is a yes of the shipped policies, or a no.
 *
 * @throws SwornError `INPUT_INVALID` on a permit, a template, or what is not Cedar.
 */
export function userRules(cedar: Cedar, file: PolicyFile): CedarRule[] {
  return policiesIn(cedar, file).map(({ text, json }, index) => {
    const policy = `user/${file.name}#${index + 1}`;
    if (json.effect !== "forbid") {
      throw new SwornError(
        "INPUT_INVALID",
        `${policy} is a permit; expected forbid: your policies can refuse more, never allow more`,
      );
    }
    return toRule(file, text, json, policy);
  });
}

function policiesIn(cedar: Cedar, file: PolicyFile) {
  const parts = cedar.policySetTextToParts(decodeUtf8(file.bytes));
  if (parts.type !== "success") throw notCedar(file, parts.errors);
  if (parts.policy_templates.length > 0) {
    throw new SwornError("INPUT_INVALID", `${file.name} has a template; expected whole policies`);
  }
  if (parts.policies.length === 0) {
    throw new SwornError("INPUT_INVALID", `${file.name} has no policy in it`);
  }
  return parts.policies.map((text) => {
    const answer = cedar.policyToJson(text);
    if (answer.type !== "success") throw notCedar(file, answer.errors);
    return { text, json: answer.json };
  });
}

function toRule({ name }: PolicyFile, text: string, json: PolicyJson, policy: string): CedarRule {
  const annotations = json.annotations ?? {};
  return {
    policy,
    rule: annotations["rule"] ?? policy,
    file: name,
    effect: json.effect,
    why: annotations["why"] ?? "a policy of this user forbids it",
    fix: annotations["fix"] ?? "ask whoever wrote that policy",
    shows: annotations["shows"],
    names: annotations["names"],
    needs: annotations["needs"],
    isWaivable: JSON.stringify(json.conditions).includes('"attr":"waived"'),
    text,
  };
}

function notCedar(file: PolicyFile, errors: readonly { message: string }[]): SwornError {
  const what = errors.map(({ message }) => message).join("; ");
  return new SwornError("INPUT_INVALID", `${file.name} is not Cedar: ${what}`);
}
