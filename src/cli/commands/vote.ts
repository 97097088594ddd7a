import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import type { Place } from "../../flow/place.ts";
import { type Cast, castVote } from "../../flow/vote/cast-vote.ts";
import { voteByChecks } from "../../flow/vote/checks-vote.ts";
import { findReview } from "../../flow/vote/find-review.ts";
import type { Review } from "../../flow/vote/read-reviews.ts";
import { missingInVote, mitigationOf } from "../../inside/index.ts";
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
  colour: Vote.optional(),
  checks: z.boolean().default(false),
  scope: words.default([]),
  why: Text.optional(),
  evidence: words.default([]),
  mitigation: words.default([]),
  fix: Text.optional(),
});
type Given = z.infer<typeof Arguments>;

/** The voter is whoever sits here, or the runtime by its checks; no option says otherwise. */
export async function run(args: Given, io: Io): Promise<Answer> {
  const place = await openRunPlace(io);
  const review = findReview({ place, task: args.task, trace: args.trace }, args.completion);
  return args.checks ? byChecks(args, io, place, review) : byPerson(args, io, place, review);
}

async function byPerson(args: Given, io: Io, place: Place, review: Review): Promise<Answer> {
  const { trace, completion_id, body } = review;
  const { colour, why, evidence } = ballotIn(args);
  const booth = { place, trace, author: personIn(place, trace), source: await sourceIn(io) };
  const cast = await castVote(booth, completion_id, {
    vote: colour,
    focus: args.scope.length > 0 ? args.scope : [body.artifact],
    rationale: why,
    evidence,
    mitigations: args.mitigation.map(readMitigation),
    fix: args.fix,
  });
  if (!("kind" in cast)) return voted(place, review, cast, `Voted ${colour}`);
  const answer = refusedAnswer(cast);
  const missing = missingInVote(colour, args.mitigation, args.fix);
  return missing === undefined ? answer : { ...answer, words: `${answer.words}\n${missing}` };
}

async function byChecks(args: Given, io: Io, place: Place, review: Review): Promise<Answer> {
  if (args.colour !== undefined) {
    throw new SwornError("INPUT_INVALID", "expected a colour or --checks, found both");
  }
  const onStep = (step: string) => io.err(`sworn: ${step}\n`);
  const cast = await voteByChecks({ place, source: await sourceIn(io), onStep }, review);
  if ("kind" in cast) return refusedAnswer(cast);
  return voted(place, review, cast, "The checks voted");
}

function voted(place: Place, { trace, completion_id }: Review, cast: Cast, said: string): Answer {
  const review = findReview({ place, trace }, completion_id);
  const whose = review.votes.some(({ seq, body }) => seq === cast.seq && body.check)
    ? "their"
    : "your";
  const instead = cast.replaced ? `, in place of ${whose} earlier vote` : "";
  const head = `${said} on ${completion_id}${instead}.`;
  return { exit: 0, json: { ...cast, review }, words: [head, ...reviewWords(review)].join("\n") };
}

/** @throws SwornError `INPUT_INVALID`, naming what is missing of a person's vote. */
function ballotIn({ colour, why, evidence }: Given) {
  const missing = [
    ...(colour === undefined ? ["green, yellow or red"] : []),
    ...(why === undefined ? ["--why"] : []),
    ...(evidence.length === 0 ? ["--evidence"] : []),
  ];
  if (colour !== undefined && why !== undefined && missing.length === 0) {
    return { colour, why, evidence };
  }
  const example = "sworn vote k1 green --why 'Tests cover it' --evidence src/login.ts:12";
  throw new SwornError("INPUT_INVALID", `missing: ${missing.join(", ")}; such as ${example}`);
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
