import { SwornError } from "../../base/index.ts";
import type { VerbAnswer, VerbArgs } from "../../schema/tooling.ts";
import type { Refusal } from "../../view/index.ts";
import type { CheckSource } from "../check/check.ts";
import type { Place } from "../place.ts";
import { Bus } from "../talk/bus.ts";
import { enrolAgent } from "../talk/join.ts";
import { castVote } from "../vote/cast-vote.ts";
import { findReview } from "../vote/find-review.ts";
import { modelFamily } from "../vote/model-family.ts";
import { type Review, votesOf } from "../vote/read-reviews.ts";
import type { Speaker } from "./speaker.ts";

/** Votes on what a task proposes as complete, by whoever speaks: nothing that is said changes who. */
export class VoteVerbs {
  readonly #place: Place;
  readonly #source: CheckSource;

  constructor(place: Place, source: CheckSource) {
    this.#place = place;
    this.#source = source;
  }

  async vote(
    args: VerbArgs<"review.vote">,
    speaker: Speaker,
  ): Promise<VerbAnswer<"review.vote"> | Refusal> {
    const { agent, role, run, task } = speaker;
    const review = this.#review(args.artifact, speaker);
    const on = Bus.open({ place: this.#place, task });
    try {
      const isKnown = role === "operator" || role === "runtime";
      const refusal = isKnown ? undefined : await enrolAgent(on, agent, [role]);
      if (refusal) return refusal;
    } finally {
      on.close();
    }
    const booth = {
      ...{ place: this.#place, trace: review.trace, source: this.#source },
      author: { agent, role, run },
    };
    const cast = await castVote(booth, review.completion_id, {
      vote: args.vote,
      focus: args.scope.length > 0 ? args.scope : [review.body.artifact],
      rationale: args.rationale,
      evidence: args.evidence_refs,
      mitigations: args.mitigations,
      fix: args.fix,
      family:
        task === undefined || run === undefined ? undefined : modelFamily(this.#place, task, run),
    });
    if ("kind" in cast) return cast;
    const { phase } = this.#review(review.completion_id, speaker);
    return { artifact: review.completion_id, phase };
  }

  async status(
    { artifact }: VerbArgs<"review.status">,
    speaker: Speaker,
  ): Promise<VerbAnswer<"review.status">> {
    const review = this.#review(artifact, speaker);
    return { phase: review.phase, votes: votesOf(review), blockers: [...review.blockers] };
  }

  /** Only what the speaker's own task proposes can be meant. */
  #review(wanted: string, { task }: Speaker): Review {
    if (task === undefined) {
      throw new SwornError(
        "INPUT_INVALID",
        "no task is being worked on here: name one with --task",
      );
    }
    return findReview({ place: this.#place, task }, wanted);
  }
}
