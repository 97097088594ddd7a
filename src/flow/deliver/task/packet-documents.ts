import { join } from "node:path";
import {
  assert,
  canonicalize,
  type Json,
  type Signer,
  SwornError,
  sha256Hex,
} from "../../../base/index.ts";
import {
  commitPatch,
  packetPage,
  provenance,
  type StatedTask,
  signEnvelope,
  testResult,
  toMinisignKeyFile,
  verificationSummary,
} from "../../../deliver/packet/index.ts";
import { printAddress } from "../../../schema/address.ts";
import type { Entry, VerificationReport } from "../../../schema/index.ts";
import { verifyBundle } from "../../../verify/index.ts";
import { decisionsIn, shownProofs, votesIn } from "../../../view/index.ts";
import { entryAddress } from "../../address/entry-address.ts";
import { projectName } from "../../address/project-name.ts";
import { exportTrace } from "../../bundle.ts";
import { packageVersion } from "../../package-version.ts";
import type { DeliveredWork } from "./delivered-work.ts";
import type { PackSetting } from "./pack-task.ts";

/** The longest change that is delivered; git itself would take longer ones. */
const DIFF_BYTES_MAX = 64 << 20;
const LINEAGE_MAX = 100;

/** Everything in a packet but what vouches for it. */
export interface MadeDocuments {
  /** The members that are small, by name, in their order. */
  readonly documents: ReadonlyMap<string, Buffer>;
  /** The names of the records, which are files in the packet's folder by now. */
  readonly records: readonly string[];
  readonly artifact: string;
  readonly tree: string;
  /** The verifier key that the record is signed with. */
  readonly signer: string;
  readonly changed: readonly string[];
}

/** Makes the members of a packet in the order in which they stand in it. */
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
  if (consensus !== null) exportTrace(place, consensus.agreement.trace, join(folder, "review.tar"));
  const verification = await verified(join(folder, "record.tar"));
  const { tree } = await repository.commitFacts(commit);
  const diff = await repository.changeDiff(report.start, commit, DIFF_BYTES_MAX);
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
    ...{ report, artifact, commit, diff: sha256Hex(diff), version: packageVersion() },
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
    diff: diff.toString("utf8"),
    sbom: "none: no run of this work left one",
  });
  const seal = (make: (task: StatedTask) => Parameters<typeof signEnvelope>[0]) =>
    json(signEnvelope(make(stated), signer));
  const documents = new Map<string, Buffer>([
    ["PACKET.md", Buffer.from(page)],
    ["minisign.pub", Buffer.from(toMinisignKeyFile(signer.public))],
    ["plan.json", Buffer.from(work.plan)],
    ["report.json", reportBytes],
    ["proofs.json", proofsBytes],
    ["decisions.json", json(decisions)],
    ["votes.json", json(votesIn(consensus?.entries ?? []))],
    ["verification.json", json(verification)],
    ["change.diff", diff],
    [
      "change.patch",
      commitPatch({ commit, task: report.task, recordedAt: stated.recordedAt }, diff),
    ],
    ["statements/test-result.json", seal(testResult)],
    ["statements/provenance.json", seal(provenance)],
    ["statements/verification-summary.json", seal(verificationSummary)],
  ]);
  return { documents, records, artifact, tree, signer: verification.signer ?? "", changed };
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
