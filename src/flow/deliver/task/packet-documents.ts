import { createHash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import {
  assert,
  canonicalize,
  type Json,
  type Signer,
  SwornError,
  sha256Hex,
  writeAll,
} from "../../../base/index.ts";
import {
  commitPatch,
  packetPage,
  signEnvelope,
  toMinisignKeyFile,
} from "../../../deliver/packet/index.ts";
import { printAddress } from "../../../schema/address.ts";
import type { Entry, VerificationReport } from "../../../schema/index.ts";
import type { TASK_MEMBERS } from "../../../schema/task-packet.ts";
import { verifyBundle } from "../../../verify/index.ts";
import {
  decisionsIn,
  provenance,
  type StatedTask,
  shownProofs,
  testResult,
  verificationSummary,
  votesIn,
} from "../../../view/index.ts";
import { entryAddress } from "../../address/entry-address.ts";
import { projectName } from "../../address/project-name.ts";
import { exportTrace } from "../../bundle.ts";
import { packageVersion } from "../../package-version.ts";
import { chunksOf } from "../compare-output.ts";
import type { DeliveredWork } from "./delivered-work.ts";
import type { PackSetting } from "./pack-task.ts";
import { writeMember } from "./write-member.ts";

/** The longest change that is delivered; git itself would take longer ones. */
const DIFF_BYTES_MAX = 64 << 20;
const DIFF = "change.diff";
/** How much of its beginning can be shown. */
const BEGIN_BYTES_MAX = 1 << 16;
const LINE_FEED = 10;
const LINEAGE_MAX = 100;

/** Everything in a packet but what vouches for it. */
export interface MadeDocuments {
  /** The names of the members in their order; each is a file in the packet's folder by now. */
  readonly names: readonly string[];
  readonly artifact: string;
  readonly tree: string;
  /** The verifier key that the record is signed with. */
  readonly signer: string;
  readonly changed: readonly string[];
}

/** Makes the members of a packet, as files in its folder. */
export async function documentsOf(
  setting: PackSetting,
  work: DeliveredWork,
  folder: string,
  signer: Signer,
): Promise<MadeDocuments> {
  const { place, repository } = setting;
  const { report, commit, entries, consensus } = work;
  const records = ["record.tar", ...(consensus === null ? [] : ["review.tar"])];
  exportTrace(place, report.trace, join(folder, "record.tar"));
  if (consensus !== null) {
    const { agreement, entries: votes } = consensus;
    exportTrace(place, agreement.trace, join(folder, "review.tar"), votes.length);
  }
  const verification = await verified(join(folder, "record.tar"));
  const { tree } = await repository.commitFacts(commit);
  const diff = await writeDiff(setting, work, join(folder, DIFF));
  const changed: string[] = [];
  for await (const file of repository.changedFiles(report.start, commit)) changed.push(file.path);
  const where = { project: projectName(place), task: report.work };
  const artifact = printAddress({
    ...{ agent: "any", role: "any", ...where, when: { kind: "commit", commit } },
    path: [],
  });
  const reportBytes = json(report);
  const proofsBytes = json(shownProofs(report));
  const stated: StatedTask = {
    ...{ report, artifact, commit, diff: diff.sha256, version: packageVersion() },
    reportDigest: sha256Hex(reportBytes),
    proofsDigest: sha256Hex(proofsBytes),
    startedAt: entries[0]?.at ?? "",
    recordedAt: entries.at(-1)?.at ?? "",
    isVerified: verification.status !== "fail",
  };
  const decisions = decisionsIn(entries);
  const page = packetPage({
    ...{ report, artifact, commit, tree, recordedAt: stated.recordedAt, changed },
    signer: verification.signer ?? "",
    consensus: consensus?.agreement ?? null,
    decisions: decisions.map(wordsOf),
    lineage: lineageOf(entries, where),
    verification: `the offline verifier says ${verification.status} of ${verification.entries} entries`,
    diff,
    sbom: "none: no run of this work left one",
  });
  const seal = (make: (task: StatedTask) => Parameters<typeof signEnvelope>[0]) => [
    json(signEnvelope(make(stated), signer)),
  ];
  const about = { commit, task: report.task, recordedAt: stated.recordedAt };
  const written: Readonly<Record<keyof typeof TASK_MEMBERS, Iterable<Buffer>>> = {
    "PACKET.md": [Buffer.from(page)],
    "minisign.pub": [Buffer.from(toMinisignKeyFile(signer.public))],
    "plan.json": [Buffer.from(work.plan)],
    "report.json": [reportBytes],
    "proofs.json": [proofsBytes],
    "decisions.json": [json(decisions)],
    "votes.json": [json(votesIn(consensus?.entries ?? []))],
    "verification.json": [json(verification)],
    // It is there already: the statements are about its digest.
    [DIFF]: [],
    "change.patch": commitPatch(about, chunksOf(join(folder, DIFF))),
    "statements/test-result.json": seal(testResult),
    "statements/provenance.json": seal(provenance),
    "statements/verification-summary.json": seal(verificationSummary),
  };
  for (const [name, chunks] of Object.entries(written)) {
    if (name !== DIFF) writeMember(join(folder, name), chunks);
  }
  const names = [...Object.keys(written), ...records];
  return { names, artifact, tree, signer: verification.signer ?? "", changed };
}

/** The change as a file, piece by piece: it may be long, and of its words only the first are shown. */
async function writeDiff(
  { repository }: PackSetting,
  { report, commit }: DeliveredWork,
  path: string,
): Promise<{ sha256: string; begin: string; lines: number }> {
  const hash = createHash("sha256");
  const begin: Buffer[] = [];
  let [kept, lines] = [0, 0];
  const fd = openSync(path, "wx", 0o600);
  try {
    for await (const chunk of repository.changeDiff(report.start, commit, DIFF_BYTES_MAX)) {
      hash.update(chunk);
      writeAll(fd, chunk);
      for (const byte of chunk) if (byte === LINE_FEED) lines += 1;
      if (kept >= BEGIN_BYTES_MAX) continue;
      begin.push(Buffer.from(chunk.subarray(0, BEGIN_BYTES_MAX - kept)));
      kept += chunk.length;
    }
  } finally {
    closeSync(fd);
  }
  return { sha256: hash.digest("hex"), begin: Buffer.concat(begin).toString("utf8"), lines };
}

async function verified(path: string): Promise<VerificationReport> {
  const report = await verifyBundle(path, { profile: "default", mode: "full", threads: 0 });
  if (report.status !== "fail" && report.signer !== null) return report;
  const why = report.failures[0]?.message ?? "nobody signed it";
  throw new SwornError("LEDGER_CORRUPT", `the record does not verify: ${why}`);
}

/** Where everything that was claimed and decided is to be found, for good. */
function lineageOf(entries: readonly Entry[], where: { project: string; task: string }): string[] {
  return entries
    .filter(({ type }) =>
      ["proposal_created", "claim_issued", "decision_recorded", "final_statement_signed"].includes(
        type,
      ),
    )
    .slice(-LINEAGE_MAX)
    .map((entry) => entryAddress(entry, sha256Hex(canonicalize(entry as unknown as Json)), where));
}

function wordsOf(entry: Entry): string {
  if (entry.type === "decision_recorded") {
    return `${entry.body.decision_id}: ${entry.body.choice} (${entry.actor.agent})`;
  }
  assert(entry.type === "exception_recorded", "a decision is one of two kinds");
  return `${entry.body.exception_id}: ${entry.body.reason} (${entry.actor.agent})`;
}

function json(value: unknown): Buffer {
  return Buffer.from(`${canonicalize(JSON.parse(JSON.stringify(value)))}\n`);
}
