import { assert } from "../../base/index.ts";
import { type Assembled, assemble } from "./assemble.ts";
import { CommitWeaver } from "./base-commit.ts";
import { replan } from "./replan.ts";
import { schedule } from "./schedule.ts";
import { SENTINEL_NAME } from "./sentinel.ts";
import { stagingOf } from "./staging.ts";
import { sentinelOf, settleTry, trySubtask } from "./try-subtask.ts";
import { WorkGraph, whyLocked } from "./work-graph.ts";
import type { WorkRecord } from "./work-record.ts";
import { type RunningWork, taskOf } from "./work-scene.ts";
import { CUT_SHORT, type SubtaskState, type Try } from "./work-state.ts";

/** How a work stands when nothing more of it can be done now. */
export interface WorkEnd {
  readonly status: "completed" | "completed-with-gaps" | "failed" | "blocked" | "open";
  readonly reason?: string | undefined;
  readonly assembled?: Assembled | undefined;
}

/**
 * Does what is left of a work, from wherever it stands: tries subtasks, plans anew where that may
 * help, puts together what is proven, and ends the record. What an open question blocks waits.
 */
export async function runWork(work: RunningWork): Promise<WorkEnd> {
  const weaver = new CommitWeaver(work.maker);
  for (;;) {
    await doSubtasks(work, weaver);
    const failed = work.state.subtasks.find(({ id }) => work.state.statusOf(id) === "failed");
    if (work.signal.aborted)
      return { status: "open", reason: "it was called off; sworn resume goes on with it" };
    if (failed === undefined) break;
    const { last } = failed;
    // A denial is reported with its rule and ends it here: another plan would be another way around it.
    const isDenied = last?.work?.status === "refused";
    const isReplanned = last !== undefined && !isDenied && (await replan(last, work));
    if (!isReplanned) return fail(work, failed);
  }
  const waiting = work.state.subtasks.filter(({ id }) => work.state.statusOf(id) === "blocked");
  if (waiting.length > 0) {
    const names = waiting.map(({ id }) => id).join(", ");
    return { status: "blocked", reason: `an open question keeps ${names} from beginning` };
  }
  return finish(work, weaver);
}

async function doSubtasks(work: RunningWork, weaver: CommitWeaver): Promise<void> {
  const { state, parallel, signal } = work;
  await schedule({
    graph: new WorkGraph(state.plan),
    ids: state.plan.subtasks.map(({ id }) => id),
    parallel,
    statusOf: (id) => state.statusOf(id),
    start: (id) => trySubtask(id, work, weaver),
    signal,
  });
}

async function finish(work: RunningWork, weaver: CommitWeaver): Promise<WorkEnd> {
  const { state, record } = work;
  const locked = whyLocked({
    planned: state.plan.subtasks.map(({ id }) => id),
    expected: state.subtasks.map(({ id }) => id),
    dispatched: new Set(
      state.subtasks
        .filter((one) => one.tries.length > 0 || one.waivedFor !== undefined)
        .map(({ id }) => id),
    ),
    statusOf: (id) => state.statusOf(id),
  });
  if (locked.length > 0) return endFailed(work, `the work is locked: ${locked.join("; ")}`);
  await watchSentinels(work);
  const assembled = await assemble(work, weaver);
  if (work.signal.aborted) return { status: "open", reason: "it was called off", assembled };
  if (assembled.why !== undefined) return { ...(await endFailed(work, assembled.why)), assembled };
  const gaps = gapsOf(work, assembled);
  await claimAll(work, assembled);
  const words =
    gaps.length === 0 ? "Every subtask is proven" : `Completed with gaps: ${gaps.join("; ")}`;
  await record.end({ kind: "completed", words });
  return { status: gaps.length === 0 ? "completed" : "completed-with-gaps", assembled };
}

/** What the report has to say although the work is done. */
function gapsOf({ state }: RunningWork, { gates }: Assembled): string[] {
  return [
    ...state.subtasks
      .filter(({ id }) => state.statusOf(id) === "waived")
      .map(({ id, waivedFor }) => `${id} is waived: ${waivedFor}`),
    ...gates
      .filter(({ verdict }) => verdict === "unproven")
      .map(({ gate, reasons }) => `${gate}: ${reasons.join("; ")}`),
  ];
}

/** Files are renderings: one that is gone or says something else is named and written again. */
export async function watchSentinels(work: RunningWork): Promise<void> {
  for (const { id, proven } of work.state.subtasks) {
    if (proven === undefined) continue;
    const staging = stagingOf(work.state.plan, id);
    const expected = sentinelOf(proven);
    const verdict = work.staging.judge(staging, expected);
    if (verdict.kind === "valid") continue;
    const what = verdict.kind === "missing" ? "is missing" : `is not the runner's: ${verdict.why}`;
    const words = `its ${SENTINEL_NAME} ${what}; it unlocks nothing, and is written again from the record`;
    work.onEvent({ about: id, words });
    await work.record.note(`${id}: ${words}`);
    const text = proven.work?.output?.text;
    const output = text === undefined ? [] : [{ path: staging.output, bytes: Buffer.from(text) }];
    work.staging.publish(staging, output, expected);
  }
}

async function claimAll(
  work: RunningWork,
  { executions, evidence, gates }: Assembled,
): Promise<void> {
  const open = gates.filter(({ verdict }) => verdict === "unproven").map(({ gate }) => gate);
  const how =
    open.length === 0
      ? "passed the exit gates"
      : `no exit gate stopped it; ${open.join(" and ")} showed nothing`;
  const text = `The assembled branch holds what was proven, and ${how}.`;
  await claimProven(work, [{ id: "work", text, executions, evidence }]);
}

/** Everything that is proven, once: a runtime that was killed meanwhile may have claimed it. */
async function claimProven(work: RunningWork, more: Parameters<WorkRecord["claim"]>[0] = []) {
  const { state, record } = work;
  const claims = state.subtasks.flatMap(({ id, proven }) =>
    proven === undefined ? [] : [claimOf(id, proven)],
  );
  const open = [...claims, ...more].filter(({ id }) => record.session?.claims.has(id) !== true);
  if (open.length > 0) await record.claim(open);
}

function claimOf(id: string, { execution, proof, proofs }: Try) {
  assert(proof !== undefined, "what is proven was proven by an execution");
  const count = proofs?.outcomes.length ?? 0;
  return {
    id: id.toLowerCase(),
    text: `${id} does what the plan asks for: ${count} of ${count} proofs pass.`,
    executions: [execution, proof],
    evidence: [`${execution}.work`, `${execution}.proofs`],
  };
}

async function fail(work: RunningWork, subtask: SubtaskState): Promise<WorkEnd> {
  const why = subtask.stuck ?? subtask.last?.why ?? "it has failed";
  const tries = subtask.tries.length === 1 ? "1 try" : `${subtask.tries.length} tries`;
  return endFailed(work, `${subtask.id} failed after ${tries}: ${why}`);
}

async function endFailed(work: RunningWork, reason: string): Promise<WorkEnd> {
  if (work.record.session?.state === "claiming") await claimProven(work);
  await work.record.end({ kind: "failed", words: reason });
  return { status: "failed", reason };
}

/**
 * Brings what a killed runtime left open to an end that can be gone on from: a worker that had ended
 * is proven now, and one that had not is tried again. What is proven is left alone.
 */
export async function recoverTries(work: RunningWork): Promise<void> {
  const open = work.state.subtasks.flatMap(({ last }) =>
    last?.status === "running" ? [last] : [],
  );
  const known = work.state.knownRuns;
  for (const one of open) {
    const left = await work.worker.recover?.(taskOf(work.id, one.order.subtask), known);
    if (left === undefined) continue;
    work.onEvent({
      about: one.order.subtask,
      words: `run ${left.run} had ended before the runtime was gone`,
    });
    await work.record.cutShort(CUT_SHORT, one.execution);
    await settleTry(one, left, work);
  }
  await work.record.cutShort(CUT_SHORT);
  for (const one of open.filter(({ status }) => status === "running")) {
    const isOwed = work.record.session?.executions.get(one.execution)?.owes === true;
    Object.assign(one, { status: "failed", why: CUT_SHORT, isOwed });
  }
}
