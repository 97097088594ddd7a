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
import { packageVersion } from "../../package-version.ts";
import { exportTrace } from "../../trace/bundle.ts";
import { chunksOf } from "../compare-output.ts";
import type { Consensus, DeliveredWork } from "./delivered-work.ts";
import type { PackSetting } from "./pack-task.ts";
import { type WorkSbom, workSbom } from "./work-sbom.ts";
import { type WrittenDiff, writeDiff } from "./write-diff.ts";
import { writeMember } from "./write-member.ts";

const RECORD = "record.tar";
const REVIEW = "review.tar";
const DIFF = "change.diff";
const SBOM = "sbom.spdx.json";
const LINEAGE_MAX = 100;

/** Everything in a packet but what vouches for it. */
export interface MadeDocuments {
  /** The names of the members in their order; each is a file in the packet's folder by now. */
  readonly names: readonly string[];
  readonly artifact: string;
  readonly tree: string;
  /** The verifier key that the record is signed with. */
  readonly signer: string;
}

/** Makes the members of a packet, as files in its folder. */
export async function documentsOf(
  setting: PackSetting,
  work: DeliveredWork,
  folder: string,
  signer: Signer,
): Promise<MadeDocuments> {
  const seen = await lookAt(setting, work, folder);
  const { report, commit, entries, consensus } = work;
  const { verification, artifact, tree, sbom } = seen;
  const reportBytes = json(report);
  const proofsBytes = json(shownProofs(report));
  const stated: StatedTask = {
    ...{ report, artifact, commit, diff: seen.diff.sha256, version: packageVersion() },
    reportDigest: sha256Hex(reportBytes),
    proofsDigest: sha256Hex(proofsBytes),
    startedAt: entries[0]?.at ?? "",
    recordedAt: entries.at(-1)?.at ?? "",
    isVerified: verification.status !== "fail",
  };
  const seal = (make: (task: StatedTask) => Parameters<typeof signEnvelope>[0]) => [
    json(signEnvelope(make(stated), signer)),
  ];
  const about = { commit, task: report.task, recordedAt: stated.recordedAt };
  const written: Readonly<Record<keyof typeof TASK_MEMBERS, Iterable<Buffer>>> = {
    "PACKET.md": [Buffer.from(pageOf(work, seen))],
    "minisign.pub": [Buffer.from(toMinisignKeyFile(signer.public))],
    "plan.json": [Buffer.from(work.plan)],
    "report.json": [reportBytes],
    "proofs.json": [proofsBytes],
    "decisions.json": [json(decisionsIn(entries))],
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
  const list = sbom.document === undefined ? [] : [SBOM];
  for (const name of list) writeMember(join(folder, name), [sbom.document ?? Buffer.alloc(0)]);
  const names = [...Object.keys(written), ...list, ...seen.records];
  return { names, artifact, tree, signer: verification.signer ?? "" };
}

/** What can be seen of a work beside its report. */
interface SeenWork {
  readonly records: readonly string[];
  readonly verification: VerificationReport;
  readonly diff: WrittenDiff;
  readonly tree: string;
  readonly changed: readonly string[];
  readonly sbom: WorkSbom;
  readonly where: { readonly project: string; readonly task: string };
  readonly artifact: string;
}

/** Leaves the records and the change in the packet's folder, and looks at them from there. */
async function lookAt(
  { place, repository }: PackSetting,
  { report, commit, consensus, entries }: DeliveredWork,
  folder: string,
): Promise<SeenWork> {
  exportTrace(place, report.trace, join(folder, RECORD), entries.length);
  if (consensus !== null) {
    const { agreement, entries: votes } = consensus;
    exportTrace(place, agreement.trace, join(folder, REVIEW), votes.length);
  }
  const verification = await verified(join(folder, RECORD));
  const { tree } = await repository.commitFacts(commit);
  const diff = await writeDiff(repository, report.start, commit, join(folder, DIFF));
  const { hasBinaries } = diff;
  const sbom = await workSbom({ place, repository, commit, entries, hasBinaries });
  const changed: string[] = [];
  for await (const file of repository.changedFiles(report.start, commit)) changed.push(file.path);
  const where = { project: projectName(place), task: report.work };
  const artifact = printAddress({
    ...{ agent: "any", role: "any", ...where, when: { kind: "commit", commit } },
    path: [],
  });
  const records = [RECORD, ...(consensus === null ? [] : [REVIEW])];
  return { records, verification, diff, tree, changed, sbom, where, artifact };
}

function pageOf(work: DeliveredWork, seen: SeenWork): string {
  const { report, commit, entries, consensus, completion } = work;
  const { verification, artifact, tree, changed, diff, sbom, where } = seen;
  return packetPage({
    ...{ report, artifact, commit, tree, recordedAt: entries.at(-1)?.at ?? "", changed, diff },
    signer: verification.signer ?? "",
    consensus: consensus?.agreement ?? null,
    votes: consensus === null ? [] : votesOf(consensus),
    completion,
    decisions: decisionsIn(new Set([...entries, ...(consensus?.entries ?? [])])).map(wordsOf),
    lineage: lineageOf(entries, where),
    verification: `the offline verifier says ${verification.status} of ${verification.entries} entries`,
    sbom: sbom.words,
  });
}

/** Each vote that counts with its reasons, and what is to be done about a doubt. */
function votesOf({ agreement, entries }: Consensus): string[] {
  return agreement.reviewers.map(({ agent, role, vote }) => {
    const cast = entries.findLast(
      (entry): entry is Entry<"vote_cast"> =>
        entry.type === "vote_cast" &&
        entry.actor.agent === agent &&
        entry.body.completion_id === agreement.completion_id,
    );
    const { rationale = "", check, mitigations = [] } = cast?.body ?? {};
    const by = check === undefined ? "" : ` (the check ${check})`;
    const asked = mitigations.map(
      ({ action, owner, deadline }) => ` To be done: ${action} (${owner}, until ${deadline})`,
    );
    return `${agent}, ${role}: ${vote}${by}: ${rationale}${asked.join("")}`;
  });
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
