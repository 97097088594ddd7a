import type { Parent } from "../schema/index.ts";
import { link } from "./planning.ts";
import { firstRefusal, type Refusal, refuse } from "./refusal.ts";
import type { CompletionView, Event, Session, SubjectView, VoteView } from "./session.ts";

export function checkCompletion(
  session: Session,
  event: Event<"completion_proposed">,
): Refusal | undefined {
  const { artifacts } = event;
  const { completion_id, revises, digest, deferred = [] } = event.body;
  const old = session.completions.get(revises ?? "");
  const makers = new Set(makersOf(event));
  const isAuthor = (agent: string) => makers.has(agent) || old?.authors.has(agent) === true;
  return firstRefusal(
    session.completions.has(completion_id) &&
      refuse("IDENTITY_GUARD", `completion ${completion_id} exists already`),
    revises !== undefined &&
      (old === undefined || old.revisedBy !== undefined) &&
      refuse("ORDER_GUARD", `there is no completion ${revises} that could be revised`),
    !artifacts.some(({ hash }) => hash === digest) &&
      refuse("EVIDENCE_GUARD", "the document of the proposal is not stored with the entry"),
    ...deferred.map(
      ({ decision_id }) =>
        () =>
          decidedByAnother(session, decision_id, isAuthor),
    ),
  );
}

/**
 * Who made what is proposed. Whoever handed the work on still may not judge it; the runtime only
 * writes down what others made.
 */
function makersOf({ body, actor }: Event<"completion_proposed">): string[] {
  const named = body.authors.map(({ agent }) => agent);
  return actor.role === "runtime" ? named : [actor.agent, ...named];
}

/** A decision that lets something pass is not for those who want it to pass. */
function decidedByAnother(
  { decisions }: Session,
  id: string,
  isAuthor: (agent: string) => boolean,
): Refusal | undefined {
  const decision = decisions.get(id);
  if (!decision) return refuse("ORDER_GUARD", `there is no decision ${id}`);
  return isAuthor(decision.agent)
    ? refuse("INDEPENDENCE_GUARD", `${decision.agent} decided ${id} about its own work`)
    : undefined;
}

export function applyCompletion(session: Session, event: Event<"completion_proposed">): void {
  const { completion_id, revises, subject, digest, undone } = event.body;
  const old = session.completions.get(revises ?? "");
  // One list for the whole line of revisions: a copy for each would cost its square.
  const authors = old?.authors ?? new Set();
  for (const agent of makersOf(event)) authors.add(agent);
  if (old) {
    old.revisedBy = completion_id;
    subjectOf(session, old.subject).completions.delete(revises ?? "");
    judgeSubject(session, old.subject);
  }
  session.completions.set(completion_id, {
    seq: event.seq,
    subject,
    digest,
    authors,
    phase: undone.length > 0 ? "DRAFT" : "REVIEW",
    isConverged: false,
    votes: new Map(),
  });
  subjectOf(session, subject).completions.add(completion_id);
  judgeSubject(session, subject);
}

function subjectOf({ subjects }: Session, digest: string): SubjectView {
  const known = subjects.get(digest) ?? { reds: new Set(), completions: new Set() };
  subjects.set(digest, known);
  return known;
}

/** Keeps the subjects that block a session, so that asking for them costs nothing. */
function judgeSubject(session: Session, digest: string): void {
  const { reds, completions } = subjectOf(session, digest);
  if (reds.size > 0 && completions.size > 0) session.redSubjects.add(digest);
  else session.redSubjects.delete(digest);
}

export function completionLinks(
  session: Session,
  { body }: Event<"completion_proposed">,
): Parent[] {
  return link("revises", session.completions.get(body.revises ?? ""));
}

/** The proposal that a vote or a move is about: the latest of its line, with this very digest. */
export function checkCurrent(
  { completions }: Session,
  { completion_id, digest }: { completion_id: string; digest: string },
): Refusal | undefined {
  const completion = completions.get(completion_id);
  if (!completion) return refuse("ORDER_GUARD", `there is no completion ${completion_id}`);
  return firstRefusal(
    completion.revisedBy !== undefined &&
      refuse("ORDER_GUARD", `${completion_id} was revised by ${completion.revisedBy}: it is stale`),
    completion.digest !== digest &&
      refuse("ORDER_GUARD", `${completion_id} has the digest ${completion.digest}, not ${digest}`),
  );
}

export function checkVote(session: Session, event: Event<"vote_cast">): Refusal | undefined {
  const { body, actor } = event;
  const completion = session.completions.get(body.completion_id);
  const isMaker = session.authors.has(actor.agent) || completion?.authors.has(actor.agent);
  const hasVoted = completion?.votes.has(actor.agent) ?? false;
  return firstRefusal(
    () => checkCurrent(session, body),
    completion?.phase !== "REVIEW" &&
      refuse("ORDER_GUARD", `${body.completion_id} is in ${completion?.phase}, not in REVIEW`),
    isMaker === true &&
      refuse("INDEPENDENCE_GUARD", `${actor.agent} took part in what is voted on`),
    (body.check !== undefined) !== (actor.role === "runtime") &&
      refuse("ROLE_GUARD", "the runtime votes by a check that it names, and nobody else does"),
    body.vote === "yellow" &&
      body.mitigations === undefined &&
      refuse("EVIDENCE_GUARD", "a yellow vote says what is done about it, by whom and until when"),
    body.vote === "red" &&
      body.fix === undefined &&
      refuse("EVIDENCE_GUARD", "a red vote says how it could be fixed"),
    hasVoted &&
      body.replaces === undefined &&
      refuse("IDENTITY_GUARD", `${actor.agent} has voted on this: say that the vote replaces it`),
    !hasVoted &&
      body.replaces !== undefined &&
      refuse("ORDER_GUARD", `${actor.agent} has no vote on this that could be replaced`),
  );
}

export function applyVote(session: Session, { seq, body, actor }: Event<"vote_cast">): void {
  const completion = session.completions.get(body.completion_id);
  if (!completion) return;
  completion.votes.set(actor.agent, { seq, vote: body.vote, role: actor.role });
  const { reds } = subjectOf(session, completion.subject);
  if (body.vote === "red") reds.add(actor.agent);
  else reds.delete(actor.agent);
  judgeSubject(session, completion.subject);
}

export function voteLinks(session: Session, { body, actor }: Event<"vote_cast">): Parent[] {
  const completion = session.completions.get(body.completion_id);
  return [
    ...link("reviews", completion),
    ...link("supersedes", completion?.votes.get(actor.agent)),
  ];
}

/** The votes that count: of those who have had no part in the work, by now. */
export function countedVotes(session: Session, completion: CompletionView): VoteView[] {
  return [...completion.votes]
    .filter(([agent]) => !session.authors.has(agent) && !completion.authors.has(agent))
    .map(([, vote]) => vote);
}

export function decisionBehind(
  session: Session,
  id: string | undefined,
  completion: CompletionView | undefined,
): Refusal | undefined {
  return id === undefined
    ? undefined
    : decidedByAnother(session, id, (agent) => completion?.authors.has(agent) === true);
}
