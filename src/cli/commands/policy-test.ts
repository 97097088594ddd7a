import { resolve } from "node:path";
import * as z from "zod";
import { counted } from "../../base/index.ts";
import { policySource } from "../../flow/policy/policy-source.ts";
import { type CaseOutcome, type PolicyTest, testPolicies } from "../../flow/policy/policy-test.ts";
import { openPlace } from "../config.ts";
import type { Answer, CommandIo } from "../io.ts";
import { table } from "../table.ts";

export const Arguments = z.strictObject({
  cases: z.string().min(1).optional(),
  policies: z.string().min(1).optional(),
});

export async function run(args: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  // Nothing is admitted here, so a tree may hold the policies that are tested.
  const source = args.policies
    ? { folder: resolve(io.cwd, args.policies), outside: [] }
    : policySource(openPlace(io).state, []);
  const cases = args.cases === undefined ? undefined : resolve(io.cwd, args.cases);
  const outcome = await testPolicies({ source, cases });
  const failed = outcome.outcomes.filter(({ wrong }) => wrong !== undefined);
  const isGood = failed.length === 0 && outcome.untested.length === 0;
  return {
    exit: isGood ? 0 : 4,
    json: {
      status: isGood ? "pass" : "fail",
      policy_digest: outcome.digest,
      policies: outcome.policies,
      cases: outcome.outcomes.map(({ wrong, ...rest }) => ({ ...rest, wrong: wrong ?? null })),
      untested: outcome.untested,
    },
    words: words(outcome, failed).join("\n"),
  };
}

function words({ digest, policies, outcomes, untested }: PolicyTest, failed: CaseOutcome[]) {
  const rows = outcomes.map(({ name, from, decision, rules, wrong }) => [
    wrong === undefined ? "ok" : "WRONG",
    decision,
    rules.join(" "),
    name,
    from,
  ]);
  return [
    table(["", "DECISION", "RULES", "CASE", "FROM"], rows),
    "",
    ...failed.map(({ name, wrong }) => `WRONG: ${name}: ${wrong}`),
    ...untested.map((policy) => `UNTESTED: no case shows that ${policy} forbids anything`),
    `${outcomes.length - failed.length} of ${counted(outcomes.length, "case")} as expected; ` +
      `${counted(policies, "policy")}, digest ${digest}`,
  ];
}
