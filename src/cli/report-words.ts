import type { Failure, VerificationReport } from "../schema/index.ts";
import type { ProofVerdict } from "../verify/index.ts";
import { table } from "./table.ts";

const TITLES = {
  pass: "PASS",
  "pass-with-warnings": "PASS, with warnings",
  fail: "FAIL: this record does not hold",
} as const;

/** A verification report for people: the verdict first, then why, then what can still be trusted. */
export function reportWords(report: VerificationReport, isPinned: boolean): string {
  const { trace, entries, state, signer } = report;
  return [
    TITLES[report.status],
    `${trace ?? "unknown trace"}, ${entries} entries, session ${state}`,
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
    ...(signer === null ? [] : [`Signed with ${signer}`]),
    ...(isPinned || signer === null
      ? []
      : [
          "That key is the record's own word; compare it with the one you know, or pass it with --key.",
        ]),
  ].join("\n");
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

export function proofWords({ status, reasons }: ProofVerdict): string {
  return status === "pass"
    ? "PASS: the entry is in the trace that was signed."
    : ["FAIL: the proof does not hold", ...reasons.map((reason) => `  ${reason}`)].join("\n");
}
