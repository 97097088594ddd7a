import type { DoneItem } from "../schema/completion.ts";
import { COVERAGE_PERCENT_MIN, type DoneFacts } from "./done-facts.ts";

const CHARS_MAX = 400;

/** What "done" rests on. */
const SHOWN: Readonly<Record<DoneItem, (facts: DoneFacts) => string>> = {
  spec: ({ spec }) => `held against ${spec?.summary}; nothing is unmet`,
  tests: ({ tests }) => {
    const { passed, coverage, coverageMin = COVERAGE_PERCENT_MIN } = tests ?? {};
    const reached =
      coverage === "nothing to reach"
        ? "the change has no line of code that they could reach"
        : `they reach ${coverage} % of the change, expected ${coverageMin} %`;
    return `${passed} passed, none failed; ${reached}`;
  },
  reproducibility: ({ reproducibility: made }) =>
    made?.isSame
      ? "made a second time, it came to the same"
      : `it need not come to the same bytes: ${made?.why}`,
  diff: ({ diff }) => `${diff?.summary}; why, risk and rollback are said`,
  budgets: ({ budgets }) => `none overrun: ${budgets?.measured.join(", ")}`,
  secrets: () => "looked for, none found",
  licences: ({ licences: { why } = { refused: [] } }) =>
    why === undefined ? "looked at, none refused" : `nothing was to be looked at: ${why}`,
  docs: () => "looked at, none out of date",
  traceability: ({ traceability: trace }) =>
    `addresses that cannot change: ${trace?.addresses.length}, decisions: ${trace?.decisions.length}, told: ${trace?.told.join(", ")}`,
  critiques: () => "none open",
};

/** What was found of an item that is done, in one line. */
export function whatIsShown(item: DoneItem, facts: DoneFacts): string {
  return SHOWN[item](facts).replace(/\s+/g, " ").slice(0, CHARS_MAX).toWellFormed();
}
