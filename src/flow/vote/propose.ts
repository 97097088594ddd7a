import { type Refusal, refuse } from "../../view/index.ts";
import type { DoneFacts } from "../../vote/index.ts";
import { isWorkId } from "../deliver/task/delivered-work.ts";
import { ensureTalkTrace } from "../talk/talk-trace.ts";
import { type MeasuredChange, measureChange, together } from "./measure/measure-change.ts";
import { type CommitRequest, findChange, proposeCommit } from "./propose-commit.ts";
import type { Proposed } from "./propose-completion.ts";
import { readRecordedWork } from "./recorded-work.ts";
import { workFacts } from "./work-facts.ts";

/** What is proposed as complete, and what somebody says of it. */
export interface Proposal
  extends Omit<CommitRequest, "trace" | "facts" | "lcov" | "authors" | "said">,
    Pick<MeasuredChange, "requirements" | "docs" | "onStep"> {
  /** A task, or a session by its trace; neither stands for the work's own task, or the project. */
  readonly task?: string | undefined;
  readonly trace?: string | undefined;
}

/** A completion, and the trace that its votes go into. */
export type ProposedIn = Proposed & { readonly trace: string; readonly task: string | null };

/**
 * Proposes a commit, or the branch of a work, as complete: measures what can be measured, takes from
 * a work's record what is in there, and begins the task where nobody spoke of it.
 *
 * @throws SwornError when there is no such commit or work, or what recording throws.
 */
export async function propose(proposal: Proposal): Promise<ProposedIn | Refusal> {
  const work = isWorkId(proposal.commit) ? await ofWork(proposal) : undefined;
  if (work !== undefined && "kind" in work) return work;
  const { facts: recorded, task: own, ...about } = work ?? {};
  const asked = { ...proposal, ...about };
  const task = proposal.task ?? (proposal.trace === undefined ? own : undefined);
  const trace = proposal.trace ?? (await ensureTalkTrace({ place: proposal.place, task }));
  const { base: before, head: after } = await findChange(asked);
  const range = { before, after, trace, task };
  const { facts, lcov, said } = await measureChange({ ...asked, ...range });
  const known = recorded === undefined ? facts : withRecorded(facts, recorded);
  const proposed = await proposeCommit({ ...asked, trace, facts: known, lcov, said });
  return "kind" in proposed ? proposed : { ...proposed, trace, task: task ?? null };
}

type OfWork = Pick<CommitRequest, "commit" | "base" | "why" | "risks" | "rollback" | "authors"> & {
  readonly facts: DoneFacts;
  readonly task: string;
};

async function ofWork(proposal: Proposal): Promise<OfWork | Refusal> {
  const { place, commit: id, why, risks, rollback } = proposal;
  const { report, worker, task } = await readRecordedWork(place, id);
  if (report.commit === undefined) {
    return refuse("ORDER_GUARD", `work ${id} is ${report.status} and has no branch to propose`);
  }
  return {
    commit: report.commit,
    base: report.start,
    why: why === "" ? report.task : why,
    risks: risks.length > 0 ? risks : report.unproven.map((one) => one.slice(0, 2_000)),
    rollback: rollback === "" ? "It is on a branch of its own: do not merge it." : rollback,
    authors: [{ agent: worker }],
    facts: workFacts(report),
    // A work whose plan was judged on no board is talked about under its own name.
    task: task ?? `work-${id}`,
  };
}

/** What was measured just now counts before what stands in the record of the work. */
function withRecorded(measured: DoneFacts, recorded: DoneFacts): DoneFacts {
  const { spec, budgets } = recorded;
  return {
    ...together([recorded, measured]),
    // The plan is what was asked for; requirements that a line names are no more than that.
    spec,
    budgets: {
      overrun: measured.budgets?.overrun ?? [],
      measured: [...(budgets?.measured ?? []), ...(measured.budgets?.measured ?? [])],
    },
  };
}
