import {
  CHECKS,
  type CheckId,
  FAILURES,
  type Failure,
  type FailureCode,
  type VerificationReport,
} from "../schema/index.ts";

/** How many failures and warnings a report lists; a broken ledger can have millions. */
const LISTED_MAX = 100;
/** The checks that lenient verification only warns about. */
const POLICY_CHECKS: readonly CheckId[] = [
  "CHK_CLAIM_EVIDENCE_SUFFICIENCY",
  "CHK_ROLE_POLICY_CONFORMANCE",
  "CHK_FINALIZATION_INTEGRITY",
  "CHK_EVENT_ORDERING",
  "CHK_STATE_TRANSITIONS",
];

type Profile = VerificationReport["profile"];

/** Collects what a verification finds and turns it into a report. */
export class Findings {
  readonly #profile: Profile;
  readonly #listed: Failure[] = [];
  readonly #worst = new Map<CheckId, "warn" | "fail">();
  readonly #skipped = new Set<CheckId>();
  #omitted = 0;
  #firstBad = Number.POSITIVE_INFINITY;

  constructor(profile: Profile) {
    this.#profile = profile;
  }

  add(code: FailureCode, seq: number | null, message: string): void {
    const [check, severity] = FAILURES[code];
    const failure: Failure = {
      code,
      severity: this.#soften(code, check) ? "warning" : severity,
      seq,
      message,
    };
    const isWarning = failure.severity === "warning";
    if (this.#worst.get(check) !== "fail") this.#worst.set(check, isWarning ? "warn" : "fail");
    if (!isWarning) this.#firstBad = Math.min(this.#firstBad, seq ?? Number.POSITIVE_INFINITY);
    if (this.#listed.length < LISTED_MAX) this.#listed.push(failure);
    else this.#omitted += 1;
  }

  /** Marks checks that were not made; they are never reported as passed. */
  skip(checks: readonly CheckId[]): void {
    for (const check of checks) this.#skipped.add(check);
  }

  get hasFailed(): boolean {
    return [...this.#worst.values()].includes("fail");
  }

  report(
    about: Pick<VerificationReport, "trace" | "entries" | "head" | "state" | "mode" | "signer">,
  ): VerificationReport {
    const sorted = this.#listed.toSorted(byPlace);
    return {
      v: 1,
      status: this.hasFailed ? "fail" : this.#worst.size > 0 ? "pass-with-warnings" : "pass",
      ...about,
      profile: this.#profile,
      checks: CHECKS.map((id) => ({
        id,
        status: this.#worst.get(id) ?? (this.#skipped.has(id) ? "skipped" : "pass"),
      })),
      failures: sorted.filter((failure) => failure.severity !== "warning"),
      warnings: sorted.filter((failure) => failure.severity === "warning"),
      omitted: this.#omitted,
      lastTrustedSeq: Math.min(this.#firstBad, about.entries) - 1,
    };
  }

  #soften(code: FailureCode, check: CheckId): boolean {
    if (code === "DISPUTE_OPEN") return this.#profile !== "strict";
    return this.#profile === "lenient" && POLICY_CHECKS.includes(check);
  }
}

function byPlace(a: Failure, b: Failure): number {
  const place = (failure: Failure) => failure.seq ?? Number.POSITIVE_INFINITY;
  const order = (failure: Failure) => CHECKS.indexOf(FAILURES[failure.code][0]);
  if (place(a) !== place(b)) return place(a) < place(b) ? -1 : 1;
  return order(a) - order(b) || (a.message < b.message ? -1 : 1);
}
