import * as z from "zod";
import { parseJson, SwornError } from "../../base/index.ts";
import type { Entry } from "../../schema/index.ts";
import type { WorkReport } from "../../schema/work.ts";
import type { ProofOutcome } from "../../schema/work-proof.ts";
import { readWorkReport } from "../deliver/task/delivered-work.ts";
import type { Place } from "../place.ts";
import { soundText } from "../trace/artifact-bytes.ts";
import { soundEntries } from "../trace/sound-entries.ts";
import { readWork } from "../work/read-state.ts";
import { artifactsOf } from "../work/work-record.ts";
import { traceOfWork } from "../work/work-scene.ts";

const REPORT_BYTES_MAX = 64 << 20;
const STEP = /^(assembly|proofs|self|reviewer|mechanical)(?:\.\d+)?$/;
const Step = z.looseObject({ commit: z.string().optional(), verdict: z.string().optional() });

/** A work as its report tells it, held against its record. */
export interface RecordedWork {
  readonly report: WorkReport;
  readonly worker: string;
  /** The task whose board its plan was judged on. */
  readonly task: string | undefined;
}

/**
 * Reads a work that is to be proposed. Its report is a file that anybody can write: all that facts
 * are taken from is compared with the work's trace, which is verified first.
 *
 * @throws SwornError `NOT_FOUND`; `LEDGER_CORRUPT` when the record is not sound or says otherwise.
 */
export async function readRecordedWork(place: Place, id: string): Promise<RecordedWork> {
  const report = readWorkReport(place, id);
  const trace = traceOfWork(id);
  const { state } = await readWork(place, trace);
  const { entries } = await soundEntries(place, trace);
  const steps = stepsIn(place, entries);
  const isSame =
    report.start === state.start &&
    report.task === state.plan.verimapped_task &&
    (steps.get("assembly")?.commit ?? undefined) === report.commit &&
    report.gates.every(({ gate, verdict }) => steps.get(gate)?.verdict === verdict) &&
    report.subtasks.every(({ id: subtask, status, tries }) => {
      if (!state.has(subtask)) return false;
      const isProven = state.statusOf(subtask) === "proven";
      const shown = state.of(subtask).tries.map(({ proofs }) => verdictsOf(proofs?.outcomes ?? []));
      const told = tries.map(({ proofs }) => verdictsOf(proofs));
      return isProven === (status === "proven") && shown.join("\n") === told.join("\n");
    });
  if (isSame) return { report, worker: state.worker, task: state.task };
  throw new SwornError(
    "LEDGER_CORRUPT",
    `the report of work ${id} says something else than its record, ${trace}; see "sworn resume ${id}"`,
  );
}

function verdictsOf(outcomes: readonly ProofOutcome[]): string {
  return outcomes.map(({ proof, verdict }) => `${proof.kind} ${verdict}`).join(", ");
}

/** What the steps after the subtasks came to, the last of each name. */
function stepsIn(place: Place, entries: readonly Entry[]): Map<string, z.infer<typeof Step>> {
  const steps = new Map<string, z.infer<typeof Step>>();
  for (const { type, body, artifacts } of entries) {
    if (type !== "tool_execution_completed" && type !== "tool_execution_failed") continue;
    const name = STEP.exec(body.execution_id)?.[1];
    const out = artifacts.find((one) => one.name === artifactsOf(body.execution_id).work);
    if (name === undefined || out === undefined) continue;
    const text = soundText(place, out.hash);
    steps.set(name, Step.parse(parseJson(text, REPORT_BYTES_MAX)));
  }
  return steps;
}
