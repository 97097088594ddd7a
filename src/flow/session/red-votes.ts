import type { Entry } from "../../schema/index.ts";
import { readTrace } from "../trace/look.ts";
import type { OpenSession } from "./open-session.ts";
import { seatsOf } from "./seats.ts";

type VoteBody = Extract<Entry, { type: "vote_cast" }>["body"];

/** Who sits behind a name of the record, for people: a voter's seat says nothing of who that is. */
export function voterName({ begin }: OpenSession, agent: string): string {
  const by = seatsOf(begin.seats).find((seat) => seat.agent === agent)?.by ?? null;
  return by === null ? agent : `${agent} (${by})`;
}

/** What a voter who is not content said, with what it asks for and where it looked. */
export function againstWords(who: string, body: VoteBody): string {
  const { vote, rationale, fix, mitigations = [], anchors } = body;
  const asked = fix ?? mitigations.map(({ action }) => action).join("; ");
  const looked = anchors.map(({ place }) => place).join(", ");
  return `${who} voted ${vote}: ${rationale}; it asks for: ${asked} (looked at ${looked})`;
}

/** The red votes that still stand against what is proposed, each by its voter's last word on those files. */
export function redVotes(on: OpenSession): Map<string, VoteBody> {
  const { session, trace } = on.record;
  const found = new Map<string, VoteBody>();
  if (session.redSubjects.size === 0) return found;
  for (const { type, actor, body } of readTrace(on.place, trace)) {
    if (type !== "vote_cast" || body.vote !== "red") continue;
    const subject = session.completions.get(body.completion_id)?.subject ?? "";
    const isStanding = session.subjects.get(subject)?.reds.has(actor.agent) === true;
    if (session.redSubjects.has(subject) && isStanding) found.set(actor.agent, body);
  }
  return found;
}

export function redReasons(on: OpenSession): string[] {
  return [...redVotes(on)].map(
    ([agent, body]) => `a red vote stands: ${againstWords(voterName(on, agent), body)}`,
  );
}
