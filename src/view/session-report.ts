import { canonicalize, sha256Hex } from "../base/index.ts";
import { CompletionDocument } from "../schema/completion.ts";
import type { Entry } from "../schema/index.ts";
import type { WorkReport } from "../schema/work.ts";
import { standingClaims } from "./finalizing.ts";
import { apply } from "./fold.ts";
import { emptySession } from "./session.ts";

/** The commit that a session proposed as complete, and the digest of what it says of it. */
export interface ProposedCommit {
  readonly commit: string;
  readonly document: string;
}

/** The last completion of a record that was not revised, where it is a commit. */
export function proposedCommit(entries: readonly Entry[]): ProposedCommit | undefined {
  const { completions } = folded(entries);
  const last = entries.findLast(
    (entry): entry is Entry<"completion_proposed"> =>
      entry.type === "completion_proposed" &&
      completions.get(entry.body.completion_id)?.revisedBy === undefined,
  );
  const commit = /^git:([0-9a-f]{40,64})$/.exec(last?.body.artifact ?? "")?.[1];
  return last === undefined || commit === undefined
    ? undefined
    : { commit, document: last.body.digest };
}

/** The commit that the proposed one is compared with, as its document says. */
export function startIn(document: unknown): string | undefined {
  const parsed = CompletionDocument.safeParse(document);
  const { lineage = "" } = parsed.data?.provenance ?? {};
  return /^from ([0-9a-f]{40,64})$/.exec(lineage)?.[1];
}

/** What a session was to do, in one spelling: everything that was proposed in it, in its order. */
export function sessionContract(entries: readonly Entry[]): string {
  const proposals = entries.flatMap(({ type, body }) =>
    type === "proposal_created" ? [body] : [],
  );
  return `${canonicalize({ proposals })}\n`;
}

/**
 * The report of a session that was not worked on by a plan with proofs, from its record alone. What was
 * claimed in it was audited and not checked again by the runtime, so that all of it counts as unproven.
 * Who makes a packet and who verifies it both ask here.
 */
export function sessionReport(
  entries: readonly Entry[],
  about: { readonly trace: string; readonly start: string; readonly commit: string },
): WorkReport {
  const session = folded(entries);
  const [first] = entries;
  const opened = first?.type === "session_initialized" ? first.body : undefined;
  const final = entries.findLast(({ type }) => type === "final_statement_signed");
  const unproven = standingClaims(session).map(([id, { seq }]) => claimWords(id, entries[seq]));
  return {
    version: 1,
    work: about.trace.replace(/^trace_/, "").toLowerCase(),
    trace: about.trace,
    contract_digest: sha256Hex(sessionContract(entries)),
    task: opened?.objective ?? "",
    profile: opened?.profile ?? "",
    status: unproven.length === 0 ? "completed" : "completed-with-gaps",
    reason: final?.type === "final_statement_signed" ? final.body.final_verdict_text : "",
    start: about.start,
    commit: about.commit,
    ...{ subtasks: [], questions: [], conflicts: [], gates: [], unproven },
  };
}

function claimWords(id: string, entry: Entry | undefined): string {
  const words = entry !== undefined && "claim_text" in entry.body ? entry.body.claim_text : "";
  return `${id}, claimed by ${entry?.actor.agent}: ${words}`;
}

function folded(entries: readonly Entry[]) {
  const session = emptySession();
  for (const entry of entries) apply(session, entry);
  return session;
}
