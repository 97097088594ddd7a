import { isNoRoom, type Json, messageOf, SwornError } from "../../base/index.ts";
import { titleOf } from "../../run/proof/index.ts";
import type { PlanSubtask } from "../../schema/plan.ts";
import type { Sentinel, TryOrder, TryProofs } from "../../schema/work.ts";
import type { ProofOutcome } from "../../schema/work-proof.ts";
import { cut } from "../record/entry-text.ts";
import type { CommitWeaver } from "./base-commit.ts";
import { type Collected, collectLeft } from "./collect-left.ts";
import { judgeChange } from "./judge-change.ts";
import { outputValue } from "./output-value.ts";
import { partOf, proposalOf } from "./plan-entries.ts";
import { NO_OUTPUT, SENTINEL_NAME } from "./sentinel.ts";
import { stagingOf } from "./staging.ts";
import type { WorkLeft, WorkOrder } from "./work-parts.ts";
import { type RunningWork, taskOf, tryRef } from "./work-scene.ts";
import { CALLED_OFF, type SubtaskState, type Try } from "./work-state.ts";
import { contextOf, flawsIn, workerPrompt } from "./worker-prompt.ts";

const OUTPUT_CHARS_MAX = 20_000;
/** Errors that say that upstreams contradict each other, or lack a key that the plan names. */
const DOES_NOT_FIT: readonly string[] = ["ALREADY_EXISTS", "INPUT_INVALID"];
/** More reasons than this nobody reads. */
const AGAINST_MAX = 200;

/** One try of one subtask: a worker, then the proofs; recorded before, between and after. */
export async function trySubtask(
  id: string,
  work: RunningWork,
  weaver: CommitWeaver,
): Promise<void> {
  const { state } = work;
  const subtask = subtaskOf(id, work);
  const known = state.of(id);
  const attempt = known.tries.length + 1;
  const execution = `${id.toLowerCase()}.${attempt}`;
  const order = await orderFor(subtask, work, weaver);
  if (order === undefined) return;
  const last = known.last;
  const retryOf = last?.isOwed ? { retryOf: last.execution } : {};
  const why = attempt === 1 ? `${id} is ready` : `${id} is tried again: ${last?.why ?? ""}`;
  const proposal = proposalFor(id, work);
  await work.record.startTry({ subtask: id, execution }, order, { proposal, why, ...retryOf });
  if (last !== undefined) last.isOwed = false;
  const one: Try = {
    ...{ execution, order, status: "running", isOwed: false, proofRounds: 0 },
    plan: state.frozen.number,
  };
  known.tries.push(one);
  tell(work, id, attempt === 1 ? "is given to a worker" : `is tried again (try ${attempt})`);
  const { hadSentinel } = work.staging.clear(stagingOf(state.plan, id));
  if (hadSentinel)
    await noteOf(work, id, `an older ${SENTINEL_NAME} was in its staging folder: removed`);
  const left = await letWork(toWorkOrder(one, work), work);
  await settleTry(one, left, work);
}

/** What it is to do; undefined when what it stands on does not fit together, which is said. */
async function orderFor(
  subtask: PlanSubtask,
  work: RunningWork,
  weaver: CommitWeaver,
): Promise<TryOrder | undefined> {
  const known = work.state.of(subtask.id);
  try {
    return orderOf(subtask, await weaver.baseOf(subtask, work.state), work, known);
  } catch (error) {
    // A full disk or a broken store says nothing about the plan: then the work is gone on with later.
    if (!(error instanceof SwornError) || !DOES_NOT_FIT.includes(error.code)) throw error;
    known.stuck = error.message;
    await noteOf(work, subtask.id, error.message);
    return undefined;
  }
}

/** From what a worker left to the end of its try. Also where a killed runtime is gone on after. */
export async function settleTry(one: Try, left: WorkLeft, work: RunningWork): Promise<void> {
  const { subtask: id } = one.order;
  const subtask = subtaskOf(id, work);
  const staging = stagingOf(work.state.plan, id);
  const collected = await collectLeft(toWorkOrder(one, work), left, staging, work);
  const flaws = flawsIn(left.words);
  one.work = {
    ...collected.work,
    is_asked: left.isAsked,
    ...(flaws === undefined ? {} : { flaws }),
  };
  if (collected.work.commit !== work.state.start) {
    await work.maker.point(tryRef(work.id, one.execution), collected.work.commit);
  }
  for (const note of collected.work.notes) tell(work, id, note);
  if (left.status !== "completed") {
    await fail(one, whyEnded(left, work), work, left.status !== "refused");
    return;
  }
  await prove(one, subtask, collected, work);
  if (one.status === "proven") publish(one, collected, work);
}

async function prove(
  one: Try,
  subtask: PlanSubtask,
  collected: Collected,
  work: RunningWork,
): Promise<void> {
  const { id } = subtask;
  const { changed } = collected;
  const { at, commit } = collected.work;
  const round = one.proofRounds + 1;
  const proof = `${one.execution}.proof${round === 1 ? "" : `-${round}`}`;
  const proposal = proposalFor(id, work);
  const why = `The proofs of ${id}, made by the runtime on ${commit}, which began as ${at}`;
  await work.record.startProofs({ subtask: id, execution: one.execution, proof }, proposal, why);
  Object.assign(one, { proof, proofRounds: round });
  tell(work, id, "is being proven");
  const judged = await judgeChange(subtask, work.state.plan, { at, commit, changed }, work);
  for (const note of [...judged.weakened, ...judged.notes]) await noteOf(work, id, note);
  const outcomes = await makeProofs(subtask, collected, work);
  const none = outcomes.length === 0 ? [`the plan has no proof for ${id}`] : [];
  const against = [...collected.missing, ...judged.against, ...none];
  const weakened = judged.weakened.length === 0 ? {} : { weakened: bounded(judged.weakened) };
  one.proofs = { outcomes, against: bounded(against), ...weakened };
  const wrong = whyUnproven(id, one.proofs);
  if (work.signal.aborted && wrong !== undefined) await fail(one, CALLED_OFF, work, true);
  else if (wrong !== undefined) await fail(one, wrong, work, mayHelp(one.proofs));
  else {
    await end(one, work);
    one.status = "proven";
    tell(work, id, "is proven");
  }
}

/** What is left out is counted. */
function bounded(reasons: readonly string[]): string[] {
  const more = reasons.length - AGAINST_MAX;
  const shown = reasons.slice(0, AGAINST_MAX).map((why) => why.toWellFormed());
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

async function makeProofs(
  subtask: PlanSubtask,
  { work: { at, commit, output } }: Collected,
  work: RunningWork,
): Promise<ProofOutcome[]> {
  const { signal } = work;
  const onStep = (words: string) => tell(work, subtask.id, words);
  const { files = [] } = subtask;
  const scene = { before: at, after: commit, output: output?.text, files, signal, onStep };
  const outcomes = await work.prover.prove(subtask, scene);
  return outcomes.map((found) => ({
    ...found,
    reason: cut(found.reason, OUTPUT_CHARS_MAX),
    output: cut(found.output, OUTPUT_CHARS_MAX),
  }));
}

/**
 * A worker that cannot even be started has not done its subtask; that is all that follows from it. But
 * for a full disk, which is nobody's try: the work stays open, and is gone on with when there is room.
 */
async function letWork(order: WorkOrder, { worker, signal }: RunningWork): Promise<WorkLeft> {
  try {
    return await worker.work(order);
  } catch (error) {
    if (isNoRoom(error) && !signal.aborted) throw error;
    const status = signal.aborted ? "cancelled" : "failed";
    return {
      run: "none",
      status,
      why: messageOf(error),
      commit: order.at,
      words: "",
      isAsked: false,
    };
  }
}

function whyEnded({ status, why }: WorkLeft, { signal }: RunningWork): string {
  if (signal.aborted) return CALLED_OFF;
  const because = why ?? "it gave no reason";
  if (status === "refused") return `its worker was refused: ${because}`;
  return status === "cancelled"
    ? `its run was called off: ${because}`
    : `its worker ended badly: ${because}`;
}

async function fail(one: Try, why: string, work: RunningWork, mayRetry: boolean): Promise<void> {
  const { subtask: id } = one.order;
  const known = work.state.of(id);
  const isWorkers = why !== CALLED_OFF;
  const failures = known.failures(one.plan) + (isWorkers ? 1 : 0);
  const isRetried = mayRetry && (failures < work.triesMax || !isWorkers) && mayTryAgain(one, work);
  await end(one, work, { why, isRetried });
  Object.assign(one, { status: "failed", why, isOwed: isRetried });
  tell(work, id, `${isRetried ? "does not count yet" : "has failed"}: ${why}`);
}

/** The record has a bound of its own, which also counts tries that were cut short. */
function mayTryAgain({ execution }: Try, { record: { session } }: RunningWork): boolean {
  const intent = session?.intents.get(execution);
  return intent !== undefined && intent.attempt < (session?.policy.attempts_max ?? 0);
}

async function end(one: Try, work: RunningWork, failure?: { why: string; isRetried: boolean }) {
  const { execution, order, proof, proofs } = one;
  await work.record.endTry({
    ...{ subtask: order.subtask, execution, work: one.work },
    proof:
      proof === undefined || proofs === undefined ? undefined : { execution: proof, found: proofs },
    ...(failure === undefined ? {} : { failure }),
  });
}

/** Why a try is not proven; undefined when everything that was asked for was shown. */
function whyUnproven(id: string, { outcomes, against }: TryProofs): string | undefined {
  const [first] = against;
  if (first !== undefined) return first;
  const failed =
    outcomes.find(({ verdict }) => verdict === "fail") ??
    outcomes.find(({ verdict }) => verdict !== "pass");
  if (failed === undefined) return undefined;
  const how = failed.verdict === "fail" ? "does not hold" : "could not be shown";
  return `a proof of ${id} ${how} (${titleOf(failed.proof)}): ${failed.reason}`;
}

/** What the runtime could not decide does not change when a worker tries again. */
function mayHelp({ outcomes, against }: TryProofs): boolean {
  return against.length > 0 || outcomes.some(({ verdict }) => verdict === "fail");
}

/** The copies for people, and the sentinel: after the proofs and after the record, never before. */
function publish(one: Try, { files }: Collected, work: RunningWork): void {
  const staging = stagingOf(work.state.plan, one.order.subtask);
  work.staging.publish(staging, files, sentinelOf(one));
}

/** What the record says that the sentinel of a proven try has to say. */
export function sentinelOf({ work, order }: Try): Sentinel {
  return {
    run: work?.run ?? "none",
    contract_digest: order.contract,
    output_digest: work?.output?.digest ?? NO_OUTPUT,
  };
}

function orderOf(
  subtask: PlanSubtask,
  at: string,
  work: RunningWork,
  known: SubtaskState,
): TryOrder {
  const { state } = work;
  const staging = stagingOf(state.plan, subtask.id);
  const outputOf = (upstream: string): Json | undefined => {
    const { output } = (state.of(upstream).proven ?? state.of(upstream).last)?.work ?? {};
    if (output === undefined) return undefined;
    return outputValue(output.path, output.text, subtaskOf(upstream, work));
  };
  const { lastFailed } = known;
  const feedback = lastFailed && { why: lastFailed.why ?? "", proofs: lastFailed.proofs };
  const context = contextOf(subtask, outputOf);
  return {
    subtask: subtask.id,
    contract: state.frozen.digest,
    at,
    staging: staging.folder,
    prompt: workerPrompt({ subtask, staging, context, feedback }),
  };
}

function toWorkOrder({ order }: Try, work: RunningWork): WorkOrder {
  const { subtask: id, at, contract, staging, prompt } = order;
  return {
    subtask: subtaskOf(id, work),
    task: taskOf(work.id, id),
    ...{ contract, at, staging, prompt, signal: work.signal },
    onStep: (words) => tell(work, id, words),
  };
}

function proposalFor(id: string, { state: { frozen, plan } }: RunningWork): string {
  return proposalOf(frozen.number, partOf(plan, id));
}

function subtaskOf(id: string, { state }: RunningWork): PlanSubtask {
  const found = state.plan.subtasks.find((one) => one.id === id);
  if (found === undefined) throw new SwornError("INPUT_INVALID", `${id} is not in the plan`);
  return found;
}

function tell({ onEvent, state }: RunningWork, about: string, words: string): void {
  onEvent({ about, words, status: state.statusOf(about) });
}

/** Said, and written down. */
async function noteOf(work: RunningWork, id: string, words: string): Promise<void> {
  tell(work, id, words);
  await work.record.note(`${id}: ${words}`);
}
