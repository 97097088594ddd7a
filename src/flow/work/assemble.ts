import { messageOf, SwornError } from "../../base/index.ts";
import { titleOf } from "../../run/proof/index.ts";
import type { GateVerdict } from "../../schema/work.ts";
import type { CommitWeaver, Conflict } from "./base-commit.ts";
import { mechanicalGate, selfGate } from "./exit-gates.ts";
import { proposalOf } from "./plan-entries.ts";
import { filesOf, type Seen } from "./work-parts.ts";
import { artifactsOf } from "./work-record.ts";
import { branchOf, type RunningWork, tryRef } from "./work-scene.ts";
import type { Try } from "./work-state.ts";

const LOCAL_REF = "refs/heads/";

/** What came of putting the work together. */
export interface Assembled {
  readonly branch?: string;
  readonly commit?: string;
  readonly conflicts: readonly Conflict[];
  readonly gates: readonly GateVerdict[];
  /** Why it does not count as done. */
  readonly why?: string;
  /** The executions that show it, and what they left in the record. */
  readonly executions: readonly string[];
  readonly evidence: readonly string[];
}

/**
 * Puts the subtasks together in the plan's order, on a branch of its own, and has the whole pass: all
 * proofs once more, then what its authors say against it, a reviewer who saw none of it, and the
 * machine. The first no ends it; the branch stays for whoever wants to look.
 */
export async function assemble(work: RunningWork, weaver: CommitWeaver): Promise<Assembled> {
  const { state, signal } = work;
  const steps = new Steps(work);
  const woven = await steps.take("assembly", () => weave(work, weaver));
  if (woven.conflict !== undefined || woven.commit === undefined) {
    const conflicts = woven.conflict === undefined ? [] : [woven.conflict];
    return {
      conflicts,
      gates: [],
      ...steps.done,
      ...(woven.why === undefined ? {} : { why: woven.why }),
    };
  }
  const { commit } = woven;
  const onStep = (words: string) => work.onEvent({ about: "gates", words });
  const seen: Seen = { before: state.start, after: commit, plan: state.plan, signal, onStep };
  const gates: GateVerdict[] = [];
  for (const [name, gate] of gatesOf(work, seen)) {
    if (signal.aborted) break;
    const verdict = await steps.take(name, async () => {
      const found = await gate();
      return { ...found, why: whyStopped(found, work) };
    });
    const { why, ...found } = verdict;
    gates.push(found);
    if (why !== undefined)
      return { branch: branchOf(work.id), commit, conflicts: [], gates, why, ...steps.done };
  }
  return { branch: branchOf(work.id), commit, conflicts: [], gates, ...steps.done };
}

function gatesOf(
  work: RunningWork,
  seen: Seen,
): [GateVerdict["gate"], () => Promise<GateVerdict>][] {
  return [
    ["proofs", () => proofsAgain(work, seen)],
    ["self", async () => selfGate(work)],
    ["reviewer", async () => ({ gate: "reviewer", ...(await work.gates.review(seen)) })],
    ["mechanical", () => mechanicalGate(work, seen)],
  ];
}

/** What nobody could decide stops a strict work; elsewhere it is a gap that the report names. */
function whyStopped({ gate, verdict, reasons }: GateVerdict, { profile }: RunningWork) {
  const isStopped = verdict === "fail" || (verdict === "unproven" && profile === "strict");
  const why = becauseOf({ reasons });
  return isStopped ? `the exit gate "${gate}" does not let it through: ${why}` : undefined;
}

interface Woven {
  readonly commit?: string;
  readonly conflict?: Conflict;
  readonly why?: string | undefined;
}

async function weave({ state, maker, id }: RunningWork, weaver: CommitWeaver): Promise<Woven> {
  const rest = state.plan.subtasks
    .map((one) => one.id)
    .filter((one) => !state.plan.assembly_order.includes(one));
  const woven = await weaver.weave(state.start, [...state.plan.assembly_order, ...rest], state);
  if (typeof woven === "string") {
    await maker.point(`${LOCAL_REF}${branchOf(id)}`, woven);
    return { commit: woven };
  }
  const own = state.of(woven.subtask);
  const ours = tryRef(id, `before-${woven.subtask.toLowerCase()}`);
  const theirs = tryRef(id, (own.proven ?? own.last)?.execution ?? "");
  await maker.point(ours, woven.ours);
  const conflict = { ...woven, ours, theirs };
  return {
    conflict,
    why: `${woven.subtask} contradicts what comes before it in ${woven.files.join(", ")}; both sides are kept: ${ours} and ${theirs}`,
  };
}

/** Every proof once more, on the whole: what held alone can break beside others. */
async function proofsAgain(work: RunningWork, seen: Seen): Promise<GateVerdict> {
  const reasons: string[] = [];
  let isFailed = false;
  for (const { id, proven } of work.state.subtasks) {
    const subtask = seen.plan.subtasks.find((one) => one.id === id);
    if (proven === undefined || subtask === undefined || isTheWhole(proven, seen)) continue;
    // On the whole there are changes of others, and each may have been theirs to make.
    const scene = { ...seen, output: proven.work?.output?.text, files: filesOf(seen.plan) };
    for (const { verdict, reason, proof } of await work.prover.prove(subtask, scene)) {
      if (verdict === "pass") continue;
      isFailed ||= verdict === "fail";
      reasons.push(`${id} on the branch (${titleOf(proof)}): ${reason}`);
    }
  }
  const verdict = reasons.length === 0 ? "pass" : isFailed ? "fail" : "unproven";
  return { gate: "proofs", by: "the runtime", verdict, reasons };
}

function isTheWhole({ order, work }: Try, { before, after }: Seen): boolean {
  return order.at === before && work?.commit === after;
}

/** What a step after the subtasks came to: an assembly, or the verdict of a gate. */
interface StepEnd extends Partial<Pick<GateVerdict, "by" | "verdict" | "reasons">> {
  /** Why it ends the work. */
  readonly why?: string | undefined;
}

/** A gate that could not decide has not passed, although it may not stop the work. */
const isOpen = ({ verdict }: StepEnd) => verdict === "unproven";

const becauseOf = ({ reasons = [] }: StepEnd) => reasons.join("; ") || "it gave no reason";

function summaryOf(step: string, end: StepEnd): string {
  if (end.by === undefined) return `${step} is done`;
  return isOpen(end)
    ? `${step} shows nothing, by ${end.by}: ${becauseOf(end)}`
    : `${step} passes, by ${end.by}`;
}

/** The steps after the subtasks; each is an execution with what went in and what came out. */
class Steps {
  readonly #work: RunningWork;
  readonly #executions: string[] = [];

  constructor(work: RunningWork) {
    this.#work = work;
  }

  get done(): Pick<Assembled, "executions" | "evidence"> {
    const evidence = this.#executions.map((name) => artifactsOf(name).work);
    return { executions: this.#executions, evidence };
  }

  async take<T extends StepEnd>(step: string, act: () => Promise<T>): Promise<T> {
    const { record, state, onEvent } = this.#work;
    const name = this.#freeName(step);
    const proposal = proposalOf(state.frozen.number);
    const input = { start: state.start, order: state.plan.assembly_order };
    await record.step(name, { proposal, why: `All subtasks are done: ${step}`, input });
    onEvent({ about: step, words: "begins" });
    const out = await act().catch(async (error: unknown) => {
      const why = messageOf(error);
      await record.endStep(name, { error: why }, { summary: why, failure: why });
      throw error instanceof SwornError ? error : new Error(messageOf(error), { cause: error });
    });
    await record.endStep(name, out, { summary: summaryOf(step, out), failure: out.why });
    if (out.why === undefined) this.#executions.push(name);
    onEvent({
      about: step,
      words: out.why ?? (isOpen(out) ? `shows nothing: ${becauseOf(out)}` : "passes"),
    });
    return out;
  }

  /** A step that an earlier runtime began is done anew, under a name of its own. */
  #freeName(step: string): string {
    const known = this.#work.record.session?.executions;
    let number = 1;
    while (known?.has(`${step}.${number}`)) number += 1;
    return `${step}.${number}`;
  }
}
