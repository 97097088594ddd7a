import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { propose } from "../../flow/vote/propose.ts";
import { requirementIds } from "../../scan/requirement/index.ts";
import { DoneItem, type JudgedItem } from "../../schema/completion.ts";
import { Name, RiskClass } from "../../schema/index.ts";
import type { Refusal } from "../../view/index.ts";
import { WholeNumber } from "../arguments.ts";
import type { Answer, Io } from "../io.ts";
import { assertOneScope, reviewScope, sourceIn } from "../review-place.ts";
import { openRunPlace } from "../run-place.ts";
import { table } from "../table.ts";
import { refusedAnswer } from "../talk-scope.ts";

const RequirementId = z
  .string()
  .refine(
    (text) => requirementIds(text)[0] === text,
    "expected a requirement such as PROJ-CAT-000",
  );
const words = z.array(z.string().min(1)).default([]);

export const Arguments = z.strictObject({
  ...reviewScope,
  commit: z.string().min(1).default("HEAD"),
  base: z.string().min(1).optional(),
  why: z.string().default(""),
  risk: words,
  "risk-class": RiskClass.optional(),
  rollback: z.string().default(""),
  scope: words,
  defer: words,
  beats: WholeNumber.pipe(z.int().min(1).max(1_000)).optional(),
  requirement: z.array(RequirementId).max(100).default([]),
  docs: z.string().min(1).optional(),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = await openRunPlace(io);
  assertOneScope(args);
  const proposed = await propose({
    place,
    task: args.task,
    trace: args.trace === undefined ? undefined : place.find(args.trace),
    ...(await sourceIn(io)),
    commit: args.commit,
    base: args.base,
    scope: args.scope,
    why: args.why,
    risks: args.risk,
    riskClass: args["risk-class"],
    rollback: args.rollback,
    dueBeats: args.beats,
    deferred: new Map(args.defer.map(deferralOf)),
    requirements: args.requirement,
    docs: args.docs,
    onStep: (step) => io.err(`sworn: ${step}\n`),
  });
  if ("kind" in proposed) return refused(proposed, args.defer.length > 0);
  const { completion_id, phase, done } = proposed;
  const head =
    phase === "REVIEW"
      ? `${completion_id} is up for review: sworn vote ${completion_id} green, or yellow, or red`
      : `${completion_id} is a draft: what is not done keeps reviewers from voting`;
  return { exit: 0, json: proposed, words: [head, rowsOf(done)].join("\n") };
}

/** Who proposes something does not let it wait: it is said how somebody else does. */
function refused(refusal: Refusal, isDeferred: boolean): Answer {
  const answer = refusedAnswer(refusal);
  const isUndecided = isDeferred && ["ORDER_GUARD", "INDEPENDENCE_GUARD"].includes(refusal.rule);
  const how =
    "What may wait is decided by somebody who did not make it: sworn decide 'It can wait' --context 'why' --id <decision>, with the same --task or --trace.";
  return isUndecided ? { ...answer, words: `${answer.words}\n${how}` } : answer;
}

function rowsOf(done: readonly JudgedItem[]): string {
  return table(
    ["ITEM", "STATE", "WHY"],
    done.map(({ item, state, reason }) => [item, state, reason]),
  );
}

function deferralOf(written: string): [DoneItem, string] {
  const [name, decision, ...rest] = written.split("=");
  const item = DoneItem.safeParse(name);
  const id = Name.safeParse(decision);
  if (item.success && id.success && rest.length === 0) return [item.data, id.data];
  throw new SwornError(
    "INPUT_INVALID",
    `--defer: expected an item and a decision such as docs=d1, found "${written.slice(0, 200)}"; items are ${DoneItem.options.join(", ")}`,
  );
}
