import { PREDICATES, type Statement } from "../schema/in-toto.ts";
import type { WorkReport } from "../schema/work.ts";
import { shownProofs, testTally } from "./packet-parts.ts";

/** What the statements of a packet are about. */
export interface StatedTask {
  readonly report: WorkReport;
  readonly artifact: string;
  readonly commit: string;
  /** The SHA-256 of `change.diff`, of `report.json` and of `proofs.json`. */
  readonly diff: string;
  readonly reportDigest: string;
  readonly proofsDigest: string;
  readonly startedAt: string;
  readonly recordedAt: string;
  /** Whether the offline verifier let the record pass. */
  readonly isVerified: boolean;
  /** The version of the program that made it. */
  readonly version: string;
}

const _type = "https://in-toto.io/Statement/v1" as const;
const RUNTIME = "urn:sworn:runtime";
const BUILD_TYPE = "urn:sworn:work:v1";

/** What the runtime's own checks came to. */
export function testResult(task: StatedTask): Statement {
  const { result, passed, failed, unproven } = testTally(shownProofs(task.report));
  return {
    _type,
    subject: subjectOf(task),
    predicateType: PREDICATES.testResult,
    predicate: {
      result,
      configuration: [
        { name: "plan.json", digest: { sha256: task.report.contract_digest } },
        { name: "proofs.json", digest: { sha256: task.proofsDigest } },
      ],
      passedTests: passed,
      warnedTests: unproven,
      failedTests: failed,
    },
  };
}

/** Where the change comes from: the plan, the commit that it began with, and the record of its making. */
export function provenance(task: StatedTask): Statement {
  const { report, startedAt, recordedAt } = task;
  return {
    _type,
    subject: subjectOf(task),
    predicateType: PREDICATES.provenance,
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { task: report.task, contract_sha256: report.contract_digest },
        internalParameters: { profile: report.profile, work: report.work },
        resolvedDependencies: [{ name: "start", digest: { gitCommit: report.start } }],
      },
      runDetails: {
        builder: { id: RUNTIME, version: { sworn: task.version } },
        metadata: { invocationId: report.trace, startedOn: startedAt, finishedOn: recordedAt },
        byproducts: [{ name: "report.json", digest: { sha256: task.reportDigest } }],
      },
    },
  };
}

/** That the record was verified; how well it was built is a question that nobody here asked. */
export function verificationSummary(task: StatedTask): Statement {
  const { report, artifact, recordedAt, isVerified, version } = task;
  const { result } = testTally(shownProofs(report));
  return {
    _type,
    subject: subjectOf(task),
    predicateType: PREDICATES.summary,
    predicate: {
      verifier: { id: RUNTIME, version: { sworn: version } },
      timeVerified: recordedAt,
      resourceUri: artifact,
      policy: { uri: "plan.json", digest: { sha256: report.contract_digest } },
      inputAttestations: [{ name: "report.json", digest: { sha256: task.reportDigest } }],
      verificationResult: isVerified && result === "PASSED" ? "PASSED" : "FAILED",
      verifiedLevels: ["SLSA_BUILD_LEVEL_UNEVALUATED"],
    },
  };
}

function subjectOf({ commit, diff }: StatedTask) {
  return [
    { name: "change.diff", digest: { sha256: diff } },
    { name: "commit", digest: { gitCommit: commit } },
  ];
}
