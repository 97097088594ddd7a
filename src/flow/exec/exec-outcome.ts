import type { EgressLogLine } from "../../egress/index.ts";
import type { AdmissionDecision } from "../../schema/admission.ts";
import type { Manifest } from "../../schema/manifest.ts";
import type { Place } from "../place.ts";
import type { ExecScene } from "./exec.ts";

/** Why something was not allowed: the rule, and what would help. */
export interface ExecRefusal {
  readonly rule: string;
  readonly reason: string;
}

/** What came of it. */
export interface ExecOutcome {
  readonly trace: string;
  readonly refused: ExecRefusal | undefined;
  /** Set where a reviewer can still say that it counts. */
  readonly isWaiting?: boolean;
  /** Set where what had to be installed first could not be; the exit code is then the installation's. */
  readonly isNotInstalled?: boolean;
  /** The task's own exit code; undefined when it did not run or a limit ended it. */
  readonly exit: number | undefined;
  readonly limit: string | undefined;
  readonly manifest: Manifest | undefined;
  readonly manifestPath: string | undefined;
  readonly egress: readonly EgressLogLine[];
}

/** What is told of a decision: the first reason, with how many more there are. */
export function refusalOf({ reasons, errors }: AdmissionDecision): ExecRefusal {
  const all = [
    ...reasons.map(({ rule, message }) => ({ rule, reason: message })),
    ...errors.map((reason) => ({ rule: "A.2", reason })),
  ];
  const [first = { rule: "A.2", reason: "the policies refuse it without a reason" }] = all;
  const more = all.length > 1 ? ` (and ${all.length - 1} more)` : "";
  return { rule: first.rule, reason: `${first.reason}${more}` };
}

/** What is told when nothing was run, or nothing of it counts. */
export function refused(
  { record, pull }: Pick<ExecScene, "record" | "pull">,
  refusal: ExecRefusal,
): ExecOutcome {
  return {
    trace: record.trace,
    refused: refusal,
    exit: undefined,
    limit: undefined,
    manifest: undefined,
    manifestPath: undefined,
    egress: pull?.log ?? [],
  };
}

/** A moment by both clocks. */
export function instantOf({ clock }: Place): { wallMs: number; monotonicUs: number } {
  return { wallMs: clock(), monotonicUs: Number(process.hrtime.bigint() / 1_000n) };
}
