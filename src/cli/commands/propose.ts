import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { proposeCommit } from "../../flow/vote/propose-commit.ts";
import { DoneItem, type JudgedItem } from "../../schema/completion.ts";
import { Name, RiskClass } from "../../schema/index.ts";
import { WholeNumber } from "../arguments.ts";
import type { Answer, Io } from "../io.ts";
import { reviewScope, sourceIn, traceIn } from "../review-place.ts";
import { openRunPlace } from "../run-place.ts";
import { table } from "../table.ts";
import { refusedAnswer } from "../talk-scope.ts";

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
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = await openRunPlace(io);
  const proposed = await proposeCommit({
    place,
    trace: await traceIn(place, args),
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
  });
  if ("kind" in proposed) return refusedAnswer(proposed);
  const { completion_id, phase, done } = proposed;
  const head =
    phase === "REVIEW"
      ? `${completion_id} is up for review: sworn vote ${completion_id} green|yellow|red`
      : `${completion_id} is a draft: what is not done keeps reviewers from voting`;
  return { exit: 0, json: proposed, words: [head, rowsOf(done)].join("\n") };
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
