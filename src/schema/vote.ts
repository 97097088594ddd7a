import * as z from "zod";
import { Digest, Name, Text } from "./id.ts";

const VOTE_ITEMS_MAX = 100;

/** What a reviewer says of a finished piece of work: good, good with repairs named, or not good. */
export const VOTES = ["green", "yellow", "red"] as const;
export const Vote = z.enum(VOTES);
export type Vote = z.infer<typeof Vote>;

/** What is done about a doubt, by whom and until when. */
export const Mitigation = z.strictObject({
  action: Text.max(4_096),
  owner: Text.max(256),
  deadline: Text.max(256),
});
export type Mitigation = z.infer<typeof Mitigation>;

/** Where a voter looked: a line of a file, an artifact, a message; with what stands there. */
export const Anchor = z.strictObject({
  place: Text.max(4_096),
  /** The text at that place, word for word. */
  text: Text.optional(),
  /** The hash of the file's or the artifact's bytes. */
  digest: Digest.optional(),
});
export type Anchor = z.infer<typeof Anchor>;

/** Work is said to be complete. All that is said of it is in a document that comes with the entry. */
export const CompletionProposed = z.strictObject({
  completion_id: Name,
  /** What is proposed, by an address that always means the same bytes. */
  artifact: Text.max(4_096),
  /** The hash of those bytes; red votes are about it, in whatever words it is proposed. */
  subject: Digest,
  /** The hash of the document; votes are bound to it. */
  digest: Digest,
  /** Who made it: none of them votes. */
  authors: z
    .array(z.strictObject({ agent: Name, family: Text.max(64).optional() }))
    .min(1)
    .max(VOTE_ITEMS_MAX),
  /** What the definition of done still lacks. While there is any, it is a draft. */
  undone: z.array(Name).max(VOTE_ITEMS_MAX),
  /** What it lacks on somebody's decision. */
  deferred: z
    .array(z.strictObject({ item: Name, decision_id: Name }))
    .max(VOTE_ITEMS_MAX)
    .optional(),
  /** The beat by which the votes are needed. */
  due_beat: z.int().min(0).optional(),
  revises: Name.optional(),
});

export const VoteCast = z.strictObject({
  completion_id: Name,
  digest: Digest,
  vote: Vote,
  /** What the voter looked at. */
  focus: z.array(Text.max(4_096)).min(1).max(VOTE_ITEMS_MAX),
  rationale: Text,
  anchors: z.array(Anchor).min(1).max(VOTE_ITEMS_MAX),
  mitigations: z.array(Mitigation).min(1).max(VOTE_ITEMS_MAX).optional(),
  /** How a red vote could become another one. */
  fix: Text.optional(),
  /** The voter voted on this digest before; this vote takes the place of that one. */
  replaces: z.literal(true).optional(),
  /** Which family of models the voter is from, where it is a model. */
  family: Text.max(64).optional(),
  /** The program that decided, where no mind did. */
  check: Name.optional(),
});

/** Where the review of a completion can be moved. */
export const REVIEW_MOVES = [
  "converge",
  "disagreement",
  "consensus",
  "submitted",
  "merged",
  "rejected",
] as const;

export const ReviewMoved = z.strictObject({
  completion_id: Name,
  digest: Digest,
  to: z.enum(REVIEW_MOVES),
  reason: Text,
  /** The decision that it rests on. */
  decision_id: Name.optional(),
  /** The owner is absent: a domain and a quality reviewer decide, on a recorded decision. */
  by_duo: z.literal(true).optional(),
});
