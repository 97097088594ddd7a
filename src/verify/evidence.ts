import { createHash } from "node:crypto";
import { decodeUtf8, messageOf, parseJson, SwornError } from "../base/index.ts";
import { VerificationReport } from "../schema/index.ts";
import { hasResolvingEvidence, type Session, standingClaims } from "../view/index.ts";
import type { Findings } from "./findings.ts";
import type { TraceSource } from "./source.ts";
import type { TracePass } from "./trace-pass.ts";

const REPORT_BYTES_MAX = 1 << 20;

/** Reads every cited artifact and compares it with its hash. Gives back those that cannot be relied on. */
export function checkArtifacts(
  findings: Findings,
  source: TraceSource,
  pass: TracePass,
): ReadonlySet<string> {
  const bad = new Set<string>();
  for (const [hash, { seq, bytes }] of pass.artifacts) {
    const found = digestOf(source, hash, bytes);
    if (typeof found === "string") {
      findings.add("ARTIFACT_MISSING", seq, `entry ${seq}: the artifact ${hash} ${found}`);
    } else if (found.hash !== hash || found.bytes !== bytes) {
      findings.add(
        "ARTIFACT_HASH_MISMATCH",
        seq,
        `entry ${seq}: the artifact ${hash} holds other bytes`,
      );
    } else continue;
    bad.add(hash);
  }
  checkUncited(findings, source, pass);
  return bad;
}

function checkUncited(findings: Findings, source: TraceSource, pass: TracePass): void {
  // A broken line may have cited what now looks uncited.
  if (!pass.isWhole) return;
  for (const hash of source.artifactHashes ?? []) {
    if (!pass.artifacts.has(hash)) {
      findings.add("ARTIFACT_UNCITED", null, `no entry cites the artifact ${hash}`);
    }
  }
}

/** What the stored bytes come to, or in words why there are none. */
function digestOf(
  source: TraceSource,
  hash: string,
  bytesListed: number,
): { hash: string; bytes: number } | string {
  const digest = createHash("sha256");
  let bytes = 0;
  try {
    const chunks = source.artifact(hash);
    if (!chunks) return "is not there";
    for (const chunk of chunks) {
      digest.update(chunk);
      bytes += chunk.length;
      // More than was listed is wrong already, however much of it there is.
      if (bytes > bytesListed) break;
    }
  } catch (error) {
    return `cannot be read: ${messageOf(error)}`;
  }
  return { hash: digest.digest("hex"), bytes };
}

/** A claim that stands must rest on evidence that was there first and is there still. */
export function checkClaims(findings: Findings, session: Session, bad: ReadonlySet<string>): void {
  for (const [id, claim] of standingClaims(session)) {
    const late = claim.evidence.find(
      (hash) => (session.artifacts.get(hash)?.seq ?? -1) > claim.seq,
    );
    if (late !== undefined) {
      findings.add(
        "EVIDENCE_LATE",
        claim.seq,
        `entry ${claim.seq}: evidence ${late} of claim ${id} was recorded after it`,
      );
    }
    if (!hasResolvingEvidence(session, claim) || claim.evidence.some((hash) => bad.has(hash))) {
      findings.add(
        "CLAIM_UNPROVEN",
        claim.seq,
        `entry ${claim.seq}: the evidence of claim ${id} is missing, late or altered`,
      );
    }
  }
  checkFailedWork(findings, session);
  for (const [id, { seq, claim, open }] of session.challenges) {
    if (open)
      findings.add(
        "DISPUTE_OPEN",
        seq,
        `entry ${seq}: challenge ${id} of claim ${claim} was never resolved`,
      );
  }
}

/** A failure can be what a claim is about; but no reader should have to find out that it is. */
function checkFailedWork(findings: Findings, session: Session): void {
  for (const [id, { seq, executions }] of standingClaims(session)) {
    if (executions.some((name) => session.executions.get(name)?.status !== "failed")) continue;
    findings.add(
      "CLAIM_ON_FAILURE",
      seq,
      `entry ${seq}: claim ${id} rests on failed executions alone: ${executions.join(", ")}`,
    );
  }
}

/** The stored report of each audit must say what the entry says it says, about this very trace. */
export function checkReports(
  findings: Findings,
  source: TraceSource,
  pass: TracePass,
  bad: ReadonlySet<string>,
): void {
  for (const { seq, body } of pass.verifications) {
    if (bad.has(body.report)) continue;
    try {
      const report = readReport(source, body.report);
      const isAboutThis =
        report.trace === pass.trace && report.entries === body.size && report.head === body.head;
      if (isAboutThis && !isBetter(body.status, report.status)) continue;
      findings.add(
        "FINALIZATION_VIOLATION",
        seq,
        `entry ${seq}: its report does not say what the entry says`,
      );
    } catch (error) {
      findings.add(
        "FINALIZATION_VIOLATION",
        seq,
        `entry ${seq}: its report cannot be read: ${messageOf(error)}`,
      );
    }
  }
}

const STATUS_ORDER = ["fail", "pass-with-warnings", "pass"] as const;
type Status = (typeof STATUS_ORDER)[number];

/** Whether one status promises more than another. An auditor may say less than the report, never more. */
export function isBetter(said: Status, found: Status): boolean {
  return STATUS_ORDER.indexOf(said) > STATUS_ORDER.indexOf(found);
}

function readReport(source: TraceSource, hash: string): VerificationReport {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (const chunk of source.artifact(hash) ?? []) {
    bytes += chunk.length;
    // Its beginning alone might read as a report.
    if (bytes > REPORT_BYTES_MAX) {
      throw new SwornError("LIMIT_EXCEEDED", `it is longer than ${REPORT_BYTES_MAX} bytes`);
    }
    chunks.push(chunk);
  }
  const text = decodeUtf8(Buffer.concat(chunks));
  return VerificationReport.parse(parseJson(text, REPORT_BYTES_MAX));
}
