import * as z from "zod";
import { findReview, reviewsIn } from "../../flow/vote/find-review.ts";
import type { Answer, Io } from "../io.ts";
import { reviewScope } from "../review-place.ts";
import { reviewWords } from "../review-words.ts";
import { openRunPlace } from "../run-place.ts";

export const Arguments = z.strictObject({
  ...reviewScope,
  completion: z.string().min(1).optional(),
  review: z.literal(true),
});

const NOTHING =
  'nothing is proposed as complete; "sworn propose" proposes a commit, or a work by its id';

/** Reads only. Completions that were revised are shown when they are asked for. */
export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = await openRunPlace(io);
  const scope = { place, task: args.task, trace: args.trace };
  const reviews =
    args.completion === undefined
      ? reviewsIn(scope).filter(({ revised_by }) => revised_by === null)
      : [findReview(scope, args.completion)];
  const words = reviews.map((review) => reviewWords(review).join("\n"));
  return {
    exit: 0,
    json: { reviews },
    words: words.length === 0 ? NOTHING : words.join("\n\n"),
  };
}
