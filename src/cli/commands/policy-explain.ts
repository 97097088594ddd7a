import { resolve } from "node:path";
import * as z from "zod";
import { systemClock } from "../../base/index.ts";
import { type Explanation, explainFacts } from "../../flow/policy/policy-explain.ts";
import { policySource } from "../../flow/policy/policy-source.ts";
import { openPlace } from "../config.ts";
import type { Answer, CommandIo } from "../io.ts";

export const Arguments = z.strictObject({
  facts: z.string().min(1),
  policies: z.string().min(1).optional(),
});

export async function run(args: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  // Nothing is admitted here, so a tree may hold the policies that are tried.
  const source = args.policies
    ? { folder: resolve(io.cwd, args.policies), outside: [] }
    : policySource(openPlace(io).state, []);
  const explained = await explainFacts(resolve(io.cwd, args.facts), source, systemClock);
  const isAllowed = explained.decision.decision === "allow";
  return {
    exit: isAllowed ? 0 : 3,
    json: { ...explained.decision, policies: explained.matched },
    words: (isAllowed ? allowedWords(explained) : deniedWords(explained)).join("\n"),
  };
}

function allowedWords({ decision, matched, asked }: Explanation): string[] {
  return [
    `allowed: ${matched.map(({ policy, file }) => `${policy} (${file})`).join(", ")} permits it, ` +
      `and none of the other ${asked - matched.length} policies forbids it`,
    ...decision.exceptions.map(({ id, rule }) => `  only because of exception ${id} from ${rule}`),
    `policies ${decision.policy_digest}`,
  ];
}

function deniedWords({ decision, matched }: Explanation): string[] {
  const sources = new Map(matched.map((one) => [one.policy, one]));
  return [
    "denied:",
    ...decision.reasons.flatMap(({ rule, policy, message }) => {
      const from = sources.get(policy);
      return [`  ${rule}: ${message}`, ...(from === undefined ? [] : [sourceWords(from)])];
    }),
    `policies ${decision.policy_digest}`,
  ];
}

function sourceWords({ policy, file, isWaivable }: Explanation["matched"][number]): string {
  const exceptions = isWaivable ? "exceptions are possible" : "it has no exceptions";
  return `    policy ${policy} in ${file}; ${exceptions}`;
}
