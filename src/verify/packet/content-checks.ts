import { canonicalize, decodeUtf8, parseJson, sha256Hex } from "../../base/index.ts";
import { PREDICATES, type Statement } from "../../schema/in-toto.ts";
import { VerificationReport } from "../../schema/index.ts";
import type { PacketCheck } from "../../schema/packet-report.ts";
import { Plan } from "../../schema/plan.ts";
import { WorkReport } from "../../schema/work.ts";
import {
  agreementIn,
  decisionsIn,
  proposedCommit,
  provenance,
  type StatedTask,
  sessionContract,
  sessionReport,
  shownProofs,
  startIn,
  testResult,
  verificationSummary,
  votesIn,
} from "../../view/index.ts";
import type { VerifyOptions } from "../source.ts";
import { verifyBundle } from "../verify.ts";
import { openEnvelope, rawKeyOf } from "./check-signature.ts";
import { PacketRecord, reportProblem } from "./packet-record.ts";
import type { ReadPacket } from "./read-packet.ts";
import { gapProblem } from "./report-gaps.ts";

const JSON_BYTES_MAX = 64 << 20;
/** Before the change in `change.patch` are the lines of a mail, behind it is this. */
const PATCH_HEAD_BYTES_MAX = 4_096;
const PATCH_TAIL = Buffer.from("-- \nsworn\n");

const STATEMENTS: readonly (readonly [string, (task: StatedTask) => Statement])[] = [
  ["statements/test-result.json", testResult],
  ["statements/provenance.json", provenance],
  ["statements/verification-summary.json", verificationSummary],
];

/** Everything that a check of the contents can look at. */
interface Scene {
  readonly path: string;
  readonly read: ReadPacket;
  readonly record: PacketRecord;
  readonly options: VerifyOptions;
  readonly onUnproven: (unproven: readonly string[]) => void;
}
type Check = (scene: Scene) => string | undefined | Promise<string | undefined>;

/** What a packet says beside its record, each held against that record. */
export const CONTENT_CHECKS: readonly (readonly [PacketCheck, Check])[] = [
  ["contract", contract],
  ["report", report],
  ["proofs", proofs],
  ["decisions", decisions],
  ["consensus", consensus],
  ["verification", verification],
  ["change", change],
  ["statements", statements],
];

function contract({ read: { packet, head }, record }: Scene) {
  if (packet.digest("plan.json") !== head.contract_digest) {
    return "plan.json is not the plan whose digest is the contract";
  }
  if (head.kind === "session") {
    return sha256Hex(sessionContract(record.entries)) === head.contract_digest
      ? undefined
      : "plan.json is not what the record proposes";
  }
  return record.has(head.contract_digest) ? undefined : "the record holds no such plan";
}

function report(scene: Scene) {
  const { read, record, onUnproven } = scene;
  const found = reportOf(read);
  const { head } = read;
  const [first] = record.entries;
  const profile = first?.type === "session_initialized" ? first.body.profile : undefined;
  const same =
    found.trace === head.trace &&
    found.work === head.work &&
    found.status === head.status &&
    found.start === head.start &&
    found.contract_digest === head.contract_digest;
  if (!same) return "report.json is about something else than packet.json";
  if (found.profile !== profile || head.profile !== profile) return `the record says ${profile}`;
  if (record.entries.at(-1)?.at !== head.recorded_at) return "the record ends at another time";
  const problem =
    head.kind === "session"
      ? sessionProblem(found, head, record)
      : (reportProblem(found, head.commit, record) ??
        gapProblem(found, Plan.parse(jsonOf(read, "plan.json")), record));
  if (problem === undefined) onUnproven(found.unproven);
  return problem;
}

/** A session's report says what its record says, and nothing else. */
function sessionProblem(
  report: WorkReport,
  { trace, start, commit }: ReadPacket["head"],
  record: PacketRecord,
) {
  const proposed = proposedCommit(record.entries);
  if (proposed?.commit !== commit) return `the record does not propose commit ${commit}`;
  if (startIn(record.document(proposed.document)) !== start) {
    return `what was proposed is not compared with ${start}`;
  }
  return isSame(sessionReport(record.entries, { trace, start, commit }), report)
    ? undefined
    : "report.json is not what the record says";
}

function proofs({ read }: Scene) {
  const expected = shownProofs(reportOf(read));
  return isSame(expected, jsonOf(read, "proofs.json"))
    ? undefined
    : "proofs.json says something else than report.json";
}

function decisions({ read, record }: Scene) {
  return isSame(decisionsIn(record.entries), jsonOf(read, "decisions.json"))
    ? undefined
    : "decisions.json is not what the record says";
}

/** Who agreed is counted again, from a record that is verified like the first. */
async function consensus(scene: Scene) {
  const { read, path, options } = scene;
  const { head, packet } = read;
  const window = packet.members.get("review.tar");
  if (window === undefined) return withoutVotes(read);
  const judged = await verifyBundle(path, options, window);
  if (judged.status === "fail") {
    return `the record of the votes does not verify: ${judged.failures[0]?.message}`;
  }
  if (judged.signer !== head.signer) return "the record of the votes is another runtime's";
  const review = await PacketRecord.open(path, window);
  try {
    return votesProblem(read, review, judged.trace ?? "");
  } finally {
    review.close();
  }
}

function votesProblem(read: ReadPacket, { entries }: PacketRecord, trace: string) {
  if (!isSame(votesIn(entries), jsonOf(read, "votes.json"))) {
    return "votes.json is not what the record says";
  }
  const agreement = agreementIn(entries, trace, read.head.commit);
  return agreement !== null && isSame(agreement, read.head.consensus)
    ? undefined
    : "the agreement is not what the votes come to";
}

function withoutVotes(read: ReadPacket) {
  const { consensus: agreement, profile } = read.head;
  if (agreement !== null) return "there is an agreement, and no record of the votes";
  if (!isSame([], jsonOf(read, "votes.json"))) return "there are votes, and no record of them";
  return profile === "solo" ? undefined : `the profile ${profile} needs consensus`;
}

function verification({ read }: Scene) {
  const parsed = VerificationReport.safeParse(jsonOf(read, "verification.json"));
  if (!parsed.success) return "verification.json is no report of the verifier";
  const { trace, status } = parsed.data;
  return trace === read.head.trace && status !== "fail"
    ? undefined
    : "verification.json is about another record, or says that it fails";
}

/** Both forms of the change hold the same bytes; what they come to is for `--rerun`. */
function change({ read: { packet } }: Scene) {
  const bytes = packet.members.get("change.diff")?.bytes ?? 0;
  const offset = (packet.members.get("change.patch")?.bytes ?? 0) - bytes - PATCH_TAIL.length;
  const isSame =
    offset > 0 &&
    offset <= PATCH_HEAD_BYTES_MAX &&
    packet.part("change.patch", { offset: 0, bytes: offset }).indexOf("\n---\n") === offset - 5 &&
    packet.digest("change.patch", { offset, bytes }) === packet.digest("change.diff") &&
    packet
      .part("change.patch", { offset: offset + bytes, bytes: PATCH_TAIL.length })
      .equals(PATCH_TAIL);
  return isSame ? undefined : "change.patch is another change than change.diff";
}

/** Each statement is made again from what it is about, and has to be that one. */
function statements({ read, record }: Scene) {
  const key = rawKeyOf(read.head.minisign) ?? "";
  const task = statedTask(read, record);
  for (const [name, make] of STATEMENTS) {
    const found = openEnvelope(jsonOf(read, name), key);
    if (typeof found === "string") return `${name}: ${found}`;
    // Which version made it is the one thing that nothing else in the packet says.
    const expected = make({ ...task, version: versionIn(found) });
    if (!isSame(expected, found)) return `${name}: it states something else than the packet shows`;
  }
  return undefined;
}

function statedTask(read: ReadPacket, record: PacketRecord): Omit<StatedTask, "version"> {
  const { packet, head } = read;
  return {
    report: reportOf(read),
    artifact: head.artifact,
    commit: head.commit,
    diff: packet.digest("change.diff"),
    reportDigest: packet.digest("report.json"),
    proofsDigest: packet.digest("proofs.json"),
    startedAt: record.entries[0]?.at ?? "",
    recordedAt: head.recorded_at,
    // Nothing gets as far as this whose record does not verify.
    isVerified: true,
  };
}

function versionIn(statement: Statement): string {
  const { predicateType, predicate } = statement;
  if (predicateType === PREDICATES.testResult) return "";
  const { version } =
    predicateType === PREDICATES.summary ? predicate.verifier : predicate.runDetails.builder;
  return version["sworn"] ?? "";
}

function reportOf(read: ReadPacket): WorkReport {
  return WorkReport.parse(jsonOf(read, "report.json"));
}

function jsonOf({ packet }: ReadPacket, name: string): unknown {
  return parseJson(decodeUtf8(packet.read(name, JSON_BYTES_MAX)), JSON_BYTES_MAX);
}

function isSame(expected: unknown, found: unknown): boolean {
  return sha256Hex(canonicalize(expected)) === sha256Hex(canonicalize(found));
}
