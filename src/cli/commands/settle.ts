import { dirname } from "node:path";
import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { askForge, lookInBranch } from "../../flow/deliver/task/look-for-merge.ts";
import {
  type DeliveryEnd,
  type EndedReview,
  endReview,
} from "../../flow/deliver/task/move-delivered.ts";
import type { Place } from "../../flow/place.ts";
import { RUNTIME } from "../../flow/talk/bus.ts";
import { findReview } from "../../flow/vote/find-review.ts";
import type { Review } from "../../flow/vote/read-reviews.ts";
import { Repository } from "../../repo/index.ts";
import { Text } from "../../schema/index.ts";
import { refuse } from "../../view/index.ts";
import type { Answer, CommandIo } from "../io.ts";
import { personIn, reviewScope, sourceIn } from "../review-place.ts";
import { openRunPlace } from "../run-place.ts";
import { refusedAnswer } from "../talk-scope.ts";

export const Arguments = z.strictObject({
  ...reviewScope,
  completion: z.string().min(1),
  merged: z.boolean().default(false),
  rejected: z.boolean().default(false),
  ask: z.boolean().default(false),
  into: z.string().min(1).max(200).optional(),
  why: Text.optional(),
});
type Arguments = z.infer<typeof Arguments>;

export async function run(args: Arguments, io: CommandIo): Promise<Answer> {
  const said = saidIn(args);
  const place = await openRunPlace(io);
  const review = findReview({ place, task: args.task, trace: args.trace }, args.completion);
  if (review.phase === "DRAFT") return draftAnswer(review);
  const by = said === undefined ? RUNTIME : personIn(place, review.trace);
  const ended = await endReview(place, review, by, said ?? (await look(args, place, review, io)));
  return "kind" in ended ? refusedAnswer(ended) : answerOf(ended);
}

/** Where nobody agreed on anything, as in a session of one, a merge ends nothing. */
function draftAnswer({ completion_id: id }: Review): Answer {
  const reason = `${id} is in DRAFT: nobody was asked to vote on it, so there is no review to end; a merge needs no word here`;
  return refusedAnswer(refuse("ORDER_GUARD", reason));
}

/** What a person says; undefined where somebody else is to be asked. */
function saidIn({ merged, rejected, ask, into, why }: Arguments): DeliveryEnd | undefined {
  const ways = { "--merged": merged, "--rejected": rejected, "--ask": ask, "--into": into };
  const found = Object.entries(ways).flatMap(([name, value]) => (value ? [name] : []));
  if (found.length > 1) {
    throw new SwornError("INPUT_INVALID", `expected one of ${found.join(" and ")}, found both`);
  }
  if ((merged || rejected) !== (why !== undefined)) {
    const message = "--why goes with --merged or --rejected: what you say, and why";
    throw new SwornError("INPUT_INVALID", message);
  }
  return why === undefined ? undefined : { to: merged ? "merged" : "rejected", reason: why };
}

async function look(
  { ask, into }: Arguments,
  place: Place,
  review: Review,
  io: CommandIo,
): Promise<DeliveryEnd> {
  const { env, signal } = io;
  if (ask) {
    const onStep = (words: string) => void io.err(`sworn: ${words}\n`);
    return askForge({ place, root: dirname(place.store), env, signal, onStep }, review);
  }
  const { repository: folder } = await sourceIn(io);
  const repository = await Repository.open(folder, { env, signal });
  try {
    return await lookInBranch({ place, repository }, review, into ?? "HEAD");
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
