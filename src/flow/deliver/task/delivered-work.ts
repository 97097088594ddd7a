import { existsSync } from "node:fs";
import { join } from "node:path";
import { assert, SwornError } from "../../../base/index.ts";
import type { CompletionDocument } from "../../../schema/completion.ts";
import type { Entry } from "../../../schema/index.ts";
import type { Agreement } from "../../../schema/task-packet.ts";
import { WorkReport } from "../../../schema/work.ts";
import { agreementIn } from "../../../view/index.ts";
import type { ExecRefusal } from "../../exec/exec-outcome.ts";
import type { Place } from "../../place.ts";
import { soundText } from "../../trace/artifact-bytes.ts";
import { readTrace } from "../../trace/look.ts";
import { openForReading } from "../../trace/reading.ts";
import { soundEntries } from "../../trace/sound-entries.ts";
import { readStored } from "../../trace/stored-document.ts";
import { traceOfWork } from "../../work/work-scene.ts";
import { completionIn } from "./find-completion.ts";

const REPORT_BYTES_MAX = 64 << 20;
const WORK_ID = /^[0-9a-z]{26}$/;
/** Most traces that are looked through for votes, the newest first. */
const TRACES_MAX = 200;

/**
 * Something that has come to an end that can be delivered. All that a packet is made from is here, so
 * that whoever makes another kind of trace needs no more than a reader that gives one of these.
 */
export interface DeliveredWork {
  /** `task`: a work, whose checks the runtime made. `session`: any other record, told by itself alone. */
  readonly kind: "task" | "session";
  readonly report: WorkReport;
  readonly commit: string;
  /** The plan in its one spelling. */
  readonly plan: string;
  readonly entries: readonly Entry[];
  /** Who agreed, and the entries that say so; null where nobody was asked. */
  readonly consensus: Consensus | null;
  /** What was said of it when it was proposed as complete; null where nobody proposed it. */
  readonly completion: CompletionDocument | null;
}

/** An agreement, and the record of it up to the entry that says so: what follows changes no packet. */
export interface Consensus {
  readonly agreement: Agreement;
  readonly entries: readonly Entry[];
}

/** Whether a word is how works are called. */
export function isWorkId(text: string): boolean {
  return WORK_ID.test(text);
}

/** The report of a work. @throws SwornError `NOT_FOUND` when there is no such work; `STORE_UNREADABLE`. */
export function readWorkReport(place: Place, id: string): WorkReport {
  const path = join(place.store, "work", id, "report.json");
  if (!isWorkId(id) || !existsSync(path) || !place.traces().includes(traceOfWork(id))) {
    throw new SwornError("NOT_FOUND", `there is no work ${JSON.stringify(id.slice(0, 64))} here`);
  }
  return readStored(path, WorkReport, REPORT_BYTES_MAX);
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
  const { entries, isEnded } = await soundEntries(place, trace);
  if (!isEnded) return no("1.9", `the record of work ${id} has no end yet`);
  const [first] = entries;
  const profile = first?.type === "session_initialized" ? first.body.profile : "strict";
  const consensus = await consensusOn(place, commit, { profile, id });
  if (consensus !== null && "rule" in consensus) return consensus;
  const plan = planOf(place, report.contract_digest);
  const completion = await completionOn(place, commit, consensus);
  return { kind: "task", report, commit, plan, entries, consensus, completion };
}

/** What was agreed on; where nobody was asked to agree, what was proposed last. */
export async function completionOn(
  place: Place,
  commit: string,
  consensus: Consensus | null,
): Promise<CompletionDocument | null> {
  if (consensus !== null) {
    const { agreement, entries } = consensus;
    return completionIn(place, entries, commit, agreement.completion_id);
  }
  for (const trace of place.traces().slice(-TRACES_MAX).reverse()) {
    if (!mentions(place, trace, commit)) continue;
    const { entries } = await soundEntries(place, trace);
    const found = completionIn(place, entries, commit);
    if (found !== null) return found;
  }
  return null;
}

/** Who agreed on a commit; a refusal where nobody did and the profile asks for it. */
export async function consensusOn(
  place: Place,
  commit: string,
  { profile, id }: { readonly profile: string; readonly id: string },
): Promise<Consensus | ExecRefusal | null> {
  const consensus = await findConsensus(place, commit);
  if (consensus !== null || profile === "solo") return consensus;
  return no(
    "2.6",
    `nobody has agreed on ${commit.slice(0, 12)}, and the profile ${profile} needs it; ${nextFor(place, id, commit)}`,
  );
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
  return soundText(place, digest);
}

async function findConsensus(place: Place, commit: string): Promise<Consensus | null> {
  for (const trace of place.traces().slice(-TRACES_MAX).reverse()) {
    if (!mentions(place, trace, commit)) continue;
    // What lets something leave is believed only from a record that verifies, with our own key.
    const { entries } = await soundEntries(place, trace);
    const agreement = agreementIn(entries, trace, commit);
    if (agreement !== null) return untilAgreed(place, entries, agreement, commit);
  }
  return null;
}

/** The record as it was signed when the votes were found to pass. */
function untilAgreed(
  place: Place,
  entries: readonly Entry[],
  { trace, completion_id }: Agreement,
  commit: string,
): Consensus {
  const at = entries.findLastIndex(
    ({ type, body }) =>
      type === "review_moved" && body.completion_id === completion_id && body.to === "consensus",
  );
  const ledger = openForReading(place, trace);
  try {
    const sizes = [...ledger.checkpoints()].map(({ size }) => size);
    const size = sizes.filter((one) => one > at).reduce((one, other) => Math.min(one, other));
    const kept = entries.slice(0, size);
    const agreement = agreementIn(kept, trace, commit);
    assert(at >= 0 && agreement !== null, "what is agreed on was agreed on at some entry");
    return { agreement, entries: kept };
  } finally {
    ledger.close();
  }
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
