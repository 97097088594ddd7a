import { parseJson } from "../../base/index.ts";
import type { WorkReport } from "../../schema/work.ts";
import { type Refusal, refuse } from "../../view/index.ts";
import type { DoneFacts } from "../../vote/index.ts";
import { isWorkId } from "../deliver/task/delivered-work.ts";
import type { Place } from "../place.ts";
import { inRound } from "../session/next-step.ts";
import { WorkLink } from "../session/open-session.ts";
import { ensureTalkTrace } from "../talk/talk-trace.ts";
import { soundText } from "../trace/artifact-bytes.ts";
import { sessionOf } from "../trace/look.ts";
import { type MeasuredChange, measureChange, together } from "./measure/measure-change.ts";
import { type CommitRequest, findChange, proposeCommit } from "./propose-commit.ts";
import type { Proposed } from "./propose-completion.ts";
import { readRecordedWork } from "./recorded-work.ts";
import { workFacts } from "./work-facts.ts";

const LINK_BYTES_MAX = 1 << 16;

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
  const work = isWorkId(proposal.commit) ? await ofWork(proposal) : await ofSession(proposal);
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
  /** Where it is talked about, unless somebody says. */
  readonly task?: string;
};

/**
 * A commit that the session's own work came to: what it was asked for is the plan of that work. Any
 * other commit is nothing that the plan's checks were made on.
 */
async function ofSession(proposal: Proposal): Promise<OfWork | undefined> {
  const { place, trace, base } = proposal;
  const id = trace === undefined ? undefined : workIn(place, trace);
  if (id === undefined) return undefined;
  const { report } = await readRecordedWork(place, id);
  const { head } = await findChange({ ...proposal, base: base ?? report.start });
  const about = report.commit === head ? aboutWork(proposal, report) : undefined;
  // Who made it is in the session's own record, under the names of its seats.
  return about && { ...about, base: base ?? report.start };
}

/** The work of a session's last round; undefined where it has none, or is no session that was led. */
function workIn(place: Place, trace: string): string | undefined {
  const { session } = sessionOf(place, trace);
  const hash = session.artifactNames.get(inRound("work", session.reworkRounds));
  if (hash === undefined) return undefined;
  const text = soundText(place, hash);
  return WorkLink.safeParse(parseJson(text, LINK_BYTES_MAX)).data?.work;
}

async function ofWork(proposal: Proposal): Promise<OfWork | Refusal> {
  const { place, commit: id } = proposal;
  const { report, worker, task } = await readRecordedWork(place, id);
  const about = aboutWork(proposal, report);
  if (about === undefined) {
    return refuse("ORDER_GUARD", `work ${id} is ${report.status} and has no branch to propose`);
  }
  // A work whose plan was judged on no board is talked about under its own name.
  return { ...about, authors: [{ agent: worker }], task: task ?? `work-${id}` };
}

/** What the report of a work says of its commit, where nobody says otherwise; undefined without one. */
function aboutWork({ why, risks, rollback }: Proposal, report: WorkReport): OfWork | undefined {
  if (report.commit === undefined) return undefined;
  return {
    commit: report.commit,
    base: report.start,
    why: why === "" ? report.task : why,
    risks: risks.length > 0 ? risks : report.unproven.map((one) => one.slice(0, 2_000)),
    rollback: rollback === "" ? "It is on a branch of its own: do not merge it." : rollback,
    facts: workFacts(report),
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
