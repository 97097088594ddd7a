import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { type EndedReview, endReview } from "../../flow/deliver/task/move-delivered.ts";
import { findReview } from "../../flow/vote/find-review.ts";
import { Repository } from "../../repo/index.ts";
import { Text } from "../../schema/index.ts";
import type { Answer, Io } from "../io.ts";
import { personIn, reviewScope, sourceIn } from "../review-place.ts";
import { openRunPlace } from "../run-place.ts";
import { refusedAnswer } from "../talk-scope.ts";

export const Arguments = z.strictObject({
  ...reviewScope,
  completion: z.string().min(1),
  merged: z.boolean().default(false),
  rejected: z.boolean().default(false),
  into: z.string().min(1).max(200).default("HEAD"),
  why: Text.optional(),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const { merged, rejected, into, why } = args;
  if (merged && rejected) {
    throw new SwornError("INPUT_INVALID", "expected --merged or --rejected, found both");
  }
  const said = merged ? "merged" : rejected ? "rejected" : undefined;
  if ((said === undefined) !== (why === undefined)) {
    const message = "--why goes with --merged or --rejected: what you say, and why";
    throw new SwornError("INPUT_INVALID", message);
  }
  const place = await openRunPlace(io);
  const review = findReview({ place, task: args.task, trace: args.trace }, args.completion);
  const { repository: folder, env, signal } = await sourceIn(io);
  const repository = await Repository.open(folder, { env, signal });
  try {
    const person = personIn(place, review.trace);
    const ended = await endReview(place, repository, review, person, { said, why, into });
    return "kind" in ended ? refusedAnswer(ended) : answerOf(ended);
  } finally {
    repository.close();
  }
}

function answerOf(ended: EndedReview): Answer {
  const { completion_id, moved, reason } = ended;
  const words =
    moved === null
      ? `${completion_id} stays where it is: ${reason}; say --merged or --rejected where you know more`
      : `${completion_id}: ${moved}. ${reason}`;
  return { exit: 0, json: ended, words };
}
