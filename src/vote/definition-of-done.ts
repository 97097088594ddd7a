import { DONE_ITEMS, type DoneItem, type JudgedItem } from "../schema/completion.ts";
import { isImmutableAddress } from "./immutable-address.ts";

/** How much of the lines that a change touches tests reach, unless the project says otherwise. */
export const COVERAGE_PERCENT_MIN = 80;
const NAMED_MAX = 3;

/** What is known of finished work. What is not there is not known, and what is not known is not done. */
export interface DoneFacts {
  /** The context that the work was held against, the decisions in it, and what it does not meet. */
  readonly spec?: { readonly summary: string; readonly unmet: readonly string[] } | undefined;
  readonly tests?:
    | {
        readonly passed: number;
        readonly failed: number;
        /** Of the lines that the change touches, in percent. */
        readonly coverage?: number | undefined;
        /** The project's own figure. */
        readonly coverageMin?: number | undefined;
      }
    | undefined;
  /** Whether making it again gave the same, or why not; what differed, where nobody says why. */
  readonly reproducibility?:
    | { readonly isSame: boolean; readonly why?: string; readonly differs?: string }
    | undefined;
  readonly diff?:
    | {
        readonly summary: string;
        readonly why: string;
        readonly risks: readonly string[];
        readonly rollback: string;
      }
    | undefined;
  /** Budgets that were overrun, and what was measured. */
  readonly budgets?:
    | { readonly overrun: readonly string[]; readonly measured: readonly string[] }
    | undefined;
  readonly secrets?: { readonly found: readonly string[] } | undefined;
  readonly licences?: { readonly refused: readonly string[] } | undefined;
  readonly docs?: { readonly missing: readonly string[] } | undefined;
  /** Where all of it is recorded, what was decided, and who was told. */
  readonly traceability?:
    | {
        readonly addresses: readonly string[];
        readonly decisions: readonly string[];
        readonly told: readonly string[];
      }
    | undefined;
  /** What reviewers said and nobody has settled: challenges, red votes, yellow ones without mitigation. */
  readonly critiques?: { readonly open: readonly string[] } | undefined;
  /** Why something is not known, and what would make it known. It makes nothing done. */
  readonly unknown?: Partial<Readonly<Record<DoneItem, string>>> | undefined;
}

/** What is wrong with one item, or undefined when it is done. */
type Judge = (facts: DoneFacts) => string | undefined;

const UNKNOWN: Readonly<Record<DoneItem, string>> = {
  spec: "unknown: nobody held it against the project's context and decisions",
  tests: "unknown: no tests were run by the runtime; sworn.yaml can say how, as work.tests",
  reproducibility: "unknown: it was not made a second time",
  diff: "unknown: nobody said what changed, why, at which risk, and how to go back",
  budgets: "unknown: nothing was measured",
  secrets: "unknown: nobody looked for secrets",
  licences: "unknown: nobody looked at licences",
  docs: "unknown: nobody looked whether documents are current",
  traceability: "unknown: nobody said where it is recorded",
  critiques: "unknown: nobody looked for open critiques",
};

const COVERAGE_UNKNOWN =
  "unknown: coverage of the change was not measured; sworn.yaml can say how, as work.coverage";

const JUDGES: Readonly<Record<DoneItem, Judge>> = {
  spec: ({ spec }) => {
    if (spec === undefined || spec.summary === "") return UNKNOWN.spec;
    return none("not met", spec.unmet);
  },
  tests: judgeTests,
  reproducibility: ({ reproducibility: made }) => {
    if (made === undefined) return UNKNOWN.reproducibility;
    if (made.isSame || said(made.why)) return undefined;
    return made.differs ?? "made again it differs, and nobody says why";
  },
  diff: ({ diff }) => {
    if (diff === undefined) return UNKNOWN.diff;
    const missing = (["summary", "why", "rollback"] as const).filter((part) => !said(diff[part]));
    const unsaid = [...missing, ...(diff.risks.some(said) ? [] : ["risk"])];
    return none(
      "not said",
      unsaid.map((part) => (part === "summary" ? part : `--${part}`)),
    );
  },
  budgets: ({ budgets }) =>
    budgets === undefined || budgets.measured.length === 0
      ? UNKNOWN.budgets
      : none("overrun", budgets.overrun),
  secrets: ({ secrets }) => (secrets ? none("found", secrets.found) : UNKNOWN.secrets),
  licences: ({ licences }) => (licences ? none("refused", licences.refused) : UNKNOWN.licences),
  docs: ({ docs }) => (docs ? none("not current", docs.missing) : UNKNOWN.docs),
  traceability: ({ traceability: trace }) => {
    if (trace === undefined || trace.addresses.length === 0) return UNKNOWN.traceability;
    const floating = trace.addresses.filter((address) => !isImmutableAddress(address));
    if (trace.told.length === 0) return "no owner was told";
    return none("may come to mean something else", floating);
  },
  critiques: ({ critiques }) => (critiques ? none("open", critiques.open) : UNKNOWN.critiques),
};

function judgeTests({ tests }: DoneFacts): string | undefined {
  if (tests === undefined) return UNKNOWN.tests;
  const { passed, failed, coverage, coverageMin = COVERAGE_PERCENT_MIN } = tests;
  if (failed > 0) return `${failed} of ${passed + failed} tests fail`;
  if (passed === 0) return "no test was run";
  if (coverage === undefined) return COVERAGE_UNKNOWN;
  return coverage >= coverageMin
    ? undefined
    : `tests reach ${coverage} % of the change, expected ${coverageMin} %`;
}

function said(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== "";
}

function none(what: string, found: readonly string[]): string | undefined {
  if (found.length === 0) return undefined;
  const more = found.length > NAMED_MAX ? ` and ${found.length - NAMED_MAX} more` : "";
  return `${what}: ${found.slice(0, NAMED_MAX).join(", ")}${more}`.slice(0, 4_000);
}

/**
 * The definition of done, item by item. An item that somebody's recorded decision puts off is
 * deferred; whether that decision exists and is somebody else's is for the record's own rules.
 */
export function judgeDone(
  facts: DoneFacts,
  deferred: ReadonlyMap<DoneItem, string> = new Map(),
): JudgedItem[] {
  return DONE_ITEMS.map((item) => {
    const found = JUDGES[item](facts);
    const isUnknown =
      (found === UNKNOWN[item] || found === COVERAGE_UNKNOWN) &&
      facts.unknown?.[item] !== undefined;
    const wrong = isUnknown ? `unknown: ${facts.unknown?.[item]}`.slice(0, 4_000) : found;
    if (wrong === undefined) return { item, state: "done", reason: "shown by the record" };
    const decision = deferred.get(item);
    return decision === undefined
      ? { item, state: "not-done", reason: wrong }
      : { item, state: "deferred", reason: wrong, decision_id: decision };
  });
}
