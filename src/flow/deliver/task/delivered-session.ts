import { parseJson, SwornError } from "../../../base/index.ts";
import type { Entry } from "../../../schema/index.ts";
import {
  type ProposedCommit,
  proposedCommit,
  sessionContract,
  sessionReport,
  startIn,
} from "../../../view/index.ts";
import type { ExecRefusal } from "../../exec/exec-outcome.ts";
import type { Place } from "../../place.ts";
import { soundText } from "../../trace/artifact-bytes.ts";
import { openForReading } from "../../trace/reading.ts";
import { soundEntries } from "../../trace/sound-entries.ts";
import { consensusOn, type DeliveredWork } from "./delivered-work.ts";
import { completionIn } from "./find-completion.ts";

const DOCUMENT_BYTES_MAX = 8 << 20;

/**
 * Reads any session that is to be delivered: it ended well, with a final statement and an audit, and it
 * proposed a commit as complete. Nothing but its record is asked.
 *
 * @throws SwornError `NOT_FOUND` when there is no such trace; `LEDGER_CORRUPT` when it is not sound.
 */
export async function readDeliveredSession(
  place: Place,
  trace: string,
): Promise<DeliveredWork | ExecRefusal> {
  if (!place.traces().includes(trace)) {
    throw new SwornError("NOT_FOUND", `there is no trace ${JSON.stringify(trace.slice(0, 64))}`);
  }
  const { entries: all } = await soundEntries(place, trace);
  const entries = untilAudited(place, trace, all);
  const proposed = proposedCommit(entries ?? []);
  if (entries === undefined) {
    return no(`${trace} has not come to a good end: no audit passed behind a final statement`);
  }
  if (proposed === undefined) {
    return no(`${trace} proposes no commit as complete; see "sworn propose --help"`);
  }
  const start = startOf(place, proposed);
  if (start === undefined) return no(`${trace} does not say what its commit is compared with`);
  const { commit } = proposed;
  const report = sessionReport(entries, { trace, start, commit });
  const consensus = await consensusOn(place, commit, { profile: report.profile, id: trace });
  if (consensus !== null && "rule" in consensus) return consensus;
  const plan = sessionContract(entries);
  const own = { completion_id: undefined };
  const { completion_id } = consensus?.agreement ?? own;
  const said = consensus?.entries ?? entries;
  const completion = completionIn(place, said, commit, completion_id);
  return { kind: "session", report, commit, plan, entries, consensus, completion };
}

/** The record up to the checkpoint behind its audit: a review that moves on later changes no packet. */
function untilAudited(
  place: Place,
  trace: string,
  entries: readonly Entry[],
): readonly Entry[] | undefined {
  const at = entries.findLastIndex(
    ({ type, body }) => type === "verification_run_completed" && body.status !== "fail",
  );
  const isStated = entries.slice(0, at).some(({ type }) => type === "final_statement_signed");
  if (at < 0 || !isStated) return undefined;
  const ledger = openForReading(place, trace);
  try {
    const sizes = [...ledger.checkpoints()].map(({ size }) => size);
    const size = Math.min(...sizes.filter((one) => one > at), entries.length);
    return entries.slice(0, size);
  } finally {
    ledger.close();
  }
}

function startOf(place: Place, { document }: ProposedCommit): string | undefined {
  if ((place.artifacts.size(document) ?? 0) > DOCUMENT_BYTES_MAX) return undefined;
  const text = soundText(place, document);
  return startIn(parseJson(text, DOCUMENT_BYTES_MAX));
}

function no(reason: string): ExecRefusal {
  return { rule: "1.9", reason };
}
