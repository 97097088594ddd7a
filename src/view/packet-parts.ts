import type { Entry, EventType } from "../schema/index.ts";
import type { WorkReport } from "../schema/work.ts";
import type { ProofOutcome } from "../schema/work-proof.ts";

const DECISIONS: readonly EventType[] = ["decision_recorded", "exception_recorded"];
const VOTING: readonly EventType[] = [
  "completion_proposed",
  "vote_cast",
  "decision_recorded",
  "review_moved",
];

/** A check that the runtime made, and what it was made for. */
export interface ShownProof extends ProofOutcome {
  readonly subtask: string;
  readonly execution: string;
}

/**
 * Every check of the tries that count, in the order of the plan. Who makes a packet and who verifies
 * it both ask here, so that the list in a packet cannot say more than the report in it.
 */
export function shownProofs({ subtasks }: Pick<WorkReport, "subtasks">): ShownProof[] {
  return subtasks.flatMap(({ id, tries }) => {
    const shown = tries.find(({ status }) => status === "proven") ?? tries.at(-1);
    return (shown?.proofs ?? []).map((one) => ({
      subtask: id,
      execution: shown?.execution ?? "",
      ...one,
    }));
  });
}

/** The checks by what came of them, each in words that name it once. */
export function testTally(proofs: readonly ShownProof[]) {
  const named = (verdict: ShownProof["verdict"]) =>
    proofs.flatMap((one, at) => (one.verdict === verdict ? [nameOf(one, at)] : []));
  const [passed, failed, unproven] = [named("pass"), named("fail"), named("unproven")];
  // Where nothing was checked, nothing passed.
  const isOpen = unproven.length > 0 || passed.length === 0;
  const result = failed.length > 0 ? "FAILED" : isOpen ? "WARNED" : "PASSED";
  return { result, passed, failed, unproven } as const;
}

function nameOf({ subtask, proof }: ShownProof, at: number): string {
  return `${subtask}/${at + 1}/${proof.kind}`;
}

/** The decisions of a record, as its entries say them. */
export function decisionsIn(entries: Iterable<Entry>): Entry[] {
  return [...entries].filter(({ type }) => DECISIONS.includes(type));
}

/** What was proposed in a record, voted, and decided about it, as its entries say it. */
export function votesIn(entries: Iterable<Entry>): Entry[] {
  return [...entries].filter(({ type }) => VOTING.includes(type));
}
