import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { castVote } from "../../flow/vote/cast-vote.ts";
import { findReview } from "../../flow/vote/find-review.ts";
import { mitigationOf } from "../../inside/index.ts";
import { Text } from "../../schema/index.ts";
import { Vote } from "../../schema/vote.ts";
import type { Answer, Io } from "../io.ts";
import { personIn, reviewScope, sourceIn } from "../review-place.ts";
import { reviewWords } from "../review-words.ts";
import { openRunPlace } from "../run-place.ts";
import { refusedAnswer } from "../talk-scope.ts";

const words = z.array(z.string().min(1).max(4_096)).max(100);

export const Arguments = z.strictObject({
  ...reviewScope,
  completion: z.string().min(1),
  colour: Vote,
  scope: words.default([]),
  why: Text,
  evidence: words.min(1),
  mitigation: words.default([]),
  fix: Text.optional(),
});

/** The voter is whoever sits here; no option says otherwise. */
export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = await openRunPlace(io);
  const scope = { place, task: args.task, trace: args.trace };
  const { trace, completion_id, body } = findReview(scope, args.completion);
  const booth = { place, trace, author: personIn(place, trace), source: await sourceIn(io) };
  const cast = await castVote(booth, completion_id, {
    vote: args.colour,
    focus: args.scope.length > 0 ? args.scope : [body.artifact],
    rationale: args.why,
    evidence: args.evidence,
    mitigations: args.mitigation.map(readMitigation),
    fix: args.fix,
  });
  if ("kind" in cast) return refusedAnswer(cast);
  const review = findReview({ place, trace }, completion_id);
  const said = `Voted ${args.colour} on ${completion_id}${cast.replaced ? ", in place of your earlier vote" : ""}.`;
  return { exit: 0, json: { ...cast, review }, words: [said, ...reviewWords(review)].join("\n") };
}

function readMitigation(written: string) {
  const read = mitigationOf(written);
  if (read !== undefined) return read;
  const found = `found "${written.slice(0, 200)}"`;
  throw new SwornError(
    "INPUT_INVALID",
    `--mitigation: expected "action; owner; deadline", ${found}`,
  );
}
