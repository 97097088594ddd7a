import type { Entry } from "../schema/index.ts";
import type { Agreement } from "../schema/task-packet.ts";
import { apply } from "./fold.ts";
import { emptySession } from "./session.ts";
import { countVotes } from "./vote-table.ts";
import { countedVotes } from "./voting.ts";

/** The phases in which a completion was agreed on. */
const AGREED: readonly string[] = ["CONSENSUS", "SUBMITTED", "MERGED"];

/**
 * The agreement of the last completion about a commit that was agreed on; null when there is none. The
 * entries have to be verified ones: here they are folded and not judged again.
 */
export function agreementIn(
  entries: readonly Entry[],
  trace: string,
  commit: string,
): Agreement | null {
  const session = emptySession();
  for (const entry of entries) apply(session, entry);
  const found = entries.findLast((entry): entry is Entry<"completion_proposed"> => {
    if (entry.type !== "completion_proposed") return false;
    if (!isAboutCommit(entry.body.artifact, commit)) return false;
    const completion = session.completions.get(entry.body.completion_id);
    return completion?.revisedBy === undefined && AGREED.includes(completion?.phase ?? "");
  });
  const completion = session.completions.get(found?.body.completion_id ?? "");
  if (found === undefined || completion === undefined) return null;
  const votes = countedVotes(session, completion);
  const counts = countVotes(votes);
  return {
    trace,
    completion_id: found.body.completion_id,
    digest: found.body.digest,
    phase: completion.phase,
    ...counts,
    reviewers: votes.map(({ seq, role, vote }) => ({
      agent: entries[seq]?.actor.agent ?? "",
      role,
      vote,
    })),
  };
}

/** Whether an address names this commit, and no other that begins alike. */
export function isAboutCommit(artifact: string, commit: string): boolean {
  return artifact.split(/[/@#?]/).some((part) => part === `git:${commit}`);
}
