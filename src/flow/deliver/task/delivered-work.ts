import { existsSync } from "node:fs";
import { join } from "node:path";
import { decodeUtf8, parseJson, readPlainFile, SwornError } from "../../../base/index.ts";
import type { Entry } from "../../../schema/index.ts";
import type { Agreement } from "../../../schema/task-packet.ts";
import { WorkReport } from "../../../schema/work.ts";
import { agreementIn } from "../../../view/index.ts";
import { soundBytes } from "../../artifact-bytes.ts";
import type { ExecRefusal } from "../../exec/exec-outcome.ts";
import { readTrace } from "../../look.ts";
import type { Place } from "../../place.ts";
import { soundEntries } from "../../sound-entries.ts";
import { traceOfWork } from "../../work/work-scene.ts";

const REPORT_BYTES_MAX = 64 << 20;
const WORK_ID = /^[0-9a-z]{26}$/;
/** Most traces that are looked through for votes, the newest first. */
const TRACES_MAX = 200;

/** A work that has come to an end that can be delivered. */
export interface DeliveredWork {
  readonly report: WorkReport;
  readonly commit: string;
  /** The plan in its one spelling. */
  readonly plan: string;
  readonly entries: readonly Entry[];
  /** Who agreed, and the entries that say so; null where nobody was asked. */
  readonly consensus: { readonly agreement: Agreement; readonly entries: readonly Entry[] } | null;
}

/** Whether a word is how works are called. */
export function isWorkId(text: string): boolean {
  return WORK_ID.test(text);
}

/** The report of a work. @throws SwornError `NOT_FOUND` when there is no such work. */
export function readWorkReport(place: Place, id: string): WorkReport {
  const path = join(place.store, "work", id, "report.json");
  if (!isWorkId(id) || !existsSync(path) || !place.traces().includes(traceOfWork(id))) {
    throw new SwornError("NOT_FOUND", `there is no work ${JSON.stringify(id.slice(0, 64))} here`);
  }
  const text = decodeUtf8(readPlainFile(path, REPORT_BYTES_MAX, "refuse"));
  return WorkReport.parse(parseJson(text, REPORT_BYTES_MAX));
}

/**
 * Reads a work that is to be delivered, and holds it against what its profile asks: an end with a
 * branch, and but for `solo` the consensus of others on this very commit.
 *
 * @throws SwornError `NOT_FOUND` when there is no such work; `LEDGER_CORRUPT` when its record is not sound.
 */
export async function readDeliveredWork(
  place: Place,
  id: string,
): Promise<DeliveredWork | ExecRefusal> {
  const report = readWorkReport(place, id);
  const trace = traceOfWork(id);
  const { status, commit } = report;
  if ((status !== "completed" && status !== "completed-with-gaps") || commit === undefined) {
    return no("1.9", `work ${id} is ${status}; only what has come to its end is delivered`);
  }
  const { entries } = await soundEntries(place, trace);
  const [first] = entries;
  const profile = first?.type === "session_initialized" ? first.body.profile : "strict";
  const consensus = await findConsensus(place, commit);
  if (consensus === null && profile !== "solo") {
    return no(
      "2.6",
      `nobody has agreed on ${commit.slice(0, 12)}, and the profile ${profile} needs it; ${nextFor(place, id, commit)}`,
    );
  }
  return { report, commit, plan: planOf(place, report.contract_digest), entries, consensus };
}

/** What brings a work closer to an agreement: it is proposed first, and then voted on. */
function nextFor(place: Place, id: string, commit: string): string {
  const isProposed = place
    .traces()
    .slice(-TRACES_MAX)
    .some((trace) => mentions(place, trace, commit));
  return isProposed
    ? 'see what its review waits for with "sworn status --review"'
    : `propose it with "sworn propose ${id}"`;
}

/** The plan as it was frozen: its hash is the contract's digest. */
function planOf(place: Place, digest: string): string {
  return decodeUtf8(Buffer.concat([...soundBytes(place, digest)]));
}

async function findConsensus(place: Place, commit: string): Promise<DeliveredWork["consensus"]> {
  for (const trace of place.traces().slice(-TRACES_MAX).reverse()) {
    if (!mentions(place, trace, commit)) continue;
    // What lets something leave is believed only from a record that verifies, with our own key.
    const { entries } = await soundEntries(place, trace);
    const agreement = agreementIn(entries, trace, commit);
    if (agreement !== null) return { agreement, entries };
  }
  return null;
}

function mentions(place: Place, trace: string, commit: string): boolean {
  try {
    return readTrace(place, trace).some(
      (entry) => entry.type === "completion_proposed" && entry.body.artifact.includes(commit),
    );
  } catch {
    // A trace that cannot be read agrees to nothing.
    return false;
  }
}

function no(rule: string, reason: string): ExecRefusal {
  return { rule, reason };
}
