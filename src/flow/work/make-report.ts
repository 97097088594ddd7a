import type { ReportedTry, WorkReport } from "../../schema/work.ts";
import type { WorkEnd } from "./work-run.ts";
import type { RunningWork } from "./work-scene.ts";
import type { SubtaskState, Try } from "./work-state.ts";

/** A question that is still open, as the gate asks it. */
export interface OpenQuestion {
  readonly id: string;
  readonly question: string;
  readonly blocks: string | null;
}

/** Everything that came of a work, and above all what nobody has shown. */
export function makeWorkReport(
  work: Pick<RunningWork, "id" | "state" | "profile" | "seats"> & { readonly trace: string },
  end: WorkEnd,
  questions: readonly OpenQuestion[],
): WorkReport {
  const { state } = work;
  const { assembled } = end;
  const subtasks = state.plan.subtasks.map(({ id, name }) => {
    const known = state.of(id);
    const shown = known.proven ?? known.last;
    return {
      ...{ id, name, status: state.statusOf(id) ?? "waiting", tries: known.tries.map(toTry) },
      ...(shown?.work === undefined ? {} : { commit: shown.work.commit }),
      ...(shown?.work?.output === undefined ? {} : { output: shown.work.output.path }),
      unproven: unprovenOf(known, state.statusOf(id)),
    };
  });
  const gates = assembled?.gates.map((gate) => ({ ...gate, reasons: [...gate.reasons] })) ?? [];
  return {
    version: 1,
    work: work.id,
    trace: work.trace,
    contract_digest: state.frozen.digest,
    task: state.plan.verimapped_task,
    profile: work.profile,
    ...(work.seats === undefined ? {} : { seats: work.seats }),
    status: end.status,
    ...(end.reason === undefined ? {} : { reason: end.reason }),
    start: state.start,
    ...(assembled?.branch === undefined ? {} : { branch: assembled.branch }),
    ...(assembled?.commit === undefined ? {} : { commit: assembled.commit }),
    subtasks,
    questions: questions.map(({ id, question, blocks }) => ({ id, question, blocks })),
    conflicts: (assembled?.conflicts ?? []).map((one) => ({ ...one, files: [...one.files] })),
    gates,
    unproven: [
      ...subtasks.flatMap(({ id, unproven }) => unproven.map((what) => `${id}: ${what}`)),
      ...gates
        .filter(({ verdict }) => verdict !== "pass")
        .map(({ gate, reasons }) => `${gate}: ${reasons.join("; ")}`),
    ],
  };
}

function toTry({ execution, status, why, work, proofs }: Try): ReportedTry {
  return {
    execution,
    ...(work === undefined ? {} : { run: work.run }),
    status,
    ...(why === undefined ? {} : { why }),
    proofs: [...(proofs?.outcomes ?? [])],
    against: [...(proofs?.against ?? [])],
    ...(proofs?.weakened === undefined ? {} : { weakened: [...proofs.weakened] }),
    notes: [...(work?.notes ?? [])],
    flaws: [...(work?.flaws ?? [])],
  };
}

/** What of a subtask nobody has shown; empty when it is proven. */
function unprovenOf(
  { last, stuck, waivedFor }: SubtaskState,
  status: string | undefined,
): string[] {
  if (status === "proven") return [];
  if (stuck !== undefined) return [stuck];
  const open = (last?.proofs?.outcomes ?? [])
    .filter(({ verdict }) => verdict !== "pass")
    .map(({ reason }) => reason);
  const why = last?.why ?? (status === "waived" ? "" : "it was not begun");
  const waived = waivedFor === undefined ? [] : [`waived: ${waivedFor}`];
  return [...waived, ...(open.length > 0 ? open : [why].filter((one) => one !== ""))];
}
