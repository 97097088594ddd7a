import { counted } from "../base/index.ts";
import type { ProofFacts } from "../flow/trace/verify-target.ts";
import type { Failure, VerificationReport } from "../schema/index.ts";
import type { ProofVerdict } from "../verify/index.ts";
import { type OwnKey, whoseKey } from "./own-keys.ts";
import { table } from "./table.ts";

const TITLES = {
  pass: "PASS",
  "pass-with-warnings": "PASS, with warnings",
  fail: "FAIL: this record does not hold",
} as const;

/** What the reader brought along: a key that the record had to be signed with, or keys of their own. */
export interface Reader {
  readonly isPinned: boolean;
  readonly own?: OwnKey;
}

/** A verification report for people: the verdict first, then why, then what can still be trusted. */
export function reportWords(report: VerificationReport, reader: Reader): string {
  const { trace, entries, state } = report;
  return [
    TITLES[report.status],
    `${trace ?? "unknown trace"}, ${counted(entries, "entry")}, session ${state}`,
    "",
    table(
      ["CHECK", "STATUS"],
      report.checks.map(({ id, status }) => [id, status]),
    ),
    ...section("Failures", report.failures),
    ...section("Warnings", report.warnings),
    ...(report.omitted > 0 ? [`(and ${report.omitted} more)`] : []),
    "",
    trustWords(report),
    ...signerWords(report.signer, reader),
  ].join("\n");
}

const OWN_WORD =
  "That key is the record's own word; compare it with the one you know, or pass it with --key.";

/** Whose signature it is, and how little that says where nobody named the key beforehand. */
export function signerWords(signer: string | null, { isPinned, own }: Reader): string[] {
  if (signer === null) return [];
  const isOwnWord = !isPinned && own === undefined;
  return [`Signed with ${signer}${whoseKey(own)}`, ...(isOwnWord ? [OWN_WORD] : [])];
}

function trustWords({ lastTrustedSeq, entries, status }: VerificationReport): string {
  if (status !== "fail") return "Every entry can be trusted as far as the checks above go.";
  if (lastTrustedSeq < 0) return "No entry can be trusted.";
  return lastTrustedSeq === entries - 1
    ? `The entries 0 to ${lastTrustedSeq} are each in order; what fails is said about the whole.`
    : `The last entry that can be trusted is ${lastTrustedSeq}.`;
}

function section(title: string, failures: readonly Failure[]): string[] {
  if (failures.length === 0) return [];
  return [
    "",
    `${title}:`,
    ...failures.map(({ code, severity, message }) => `  ${code} (${severity}): ${message}`),
  ];
}

/** A proof for people: the verdict, what it is about, and who signed for it. */
export function proofWords(verdict: ProofVerdict, facts: ProofFacts, reader: Reader): string {
  const { trace, seq, size, type, since, signer } = facts;
  const about = `Entry ${seq} (${type ?? "of no known type"}) of ${trace}, of ${size} entries`;
  if (verdict.status === "fail") {
    return [
      "FAIL: the proof does not hold",
      ...verdict.reasons.map((reason) => `  ${reason}`),
      `It is said to be about: ${about}`,
      ...(reader.own === undefined ? [] : [`Signed with ${signer}${whoseKey(reader.own)}`]),
    ].join("\n");
  }
  return [
    "PASS: the entry is in the trace that was signed.",
    about,
    ...(since === null
      ? []
      : [`Shown too: the trace of ${counted(since, "entry")} is the beginning of this one.`]),
    ...signerWords(signer, reader),
  ].join("\n");
}

/** A file that was never a record: no checks to show, only what it is. */
export function foreignWords(path: string, found: string): string {
  return (
    `${path} is not a sworn bundle or proof: expected a tar file that "sworn trace export" wrote, ` +
    `or a .json file that "sworn trace prove" wrote; found ${found}`
  );
}
