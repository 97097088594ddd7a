import { DONE_ITEMS, type DoneItem, type JudgedItem } from "../schema/completion.ts";
import { COVERAGE_PERCENT_MIN, type DoneFacts } from "./done-facts.ts";
import { isImmutableAddress } from "./immutable-address.ts";
import { whatIsShown } from "./what-is-shown.ts";

const NAMED_MAX = 3;

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
  const { passed, failed, coverage, coverageMin = COVERAGE_PERCENT_MIN, unmeasured = [] } = tests;
  if (failed > 0) return `${failed} of ${passed + failed} tests fail`;
  if (passed === 0) return "no test was run";
  if (coverage === undefined) return COVERAGE_UNKNOWN;
  if (coverage === "nothing to reach") return undefined;
  // The figure is then about what its author lets be measured.
  return coverage >= coverageMin
    ? none("code is taken out of what is measured", unmeasured)
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
    if (wrong === undefined) return { item, state: "done", reason: whatIsShown(item, facts) };
    const decision = deferred.get(item);
    return decision === undefined
      ? { item, state: "not-done", reason: wrong }
      : { item, state: "deferred", reason: wrong, decision_id: decision };
  });
}
