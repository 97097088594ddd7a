import type { CiCheck, CiClaim, CiReport, CiRun, CiWeakened } from "../../schema/ci-report.ts";

/** One row of the table: the result, what it is about, the three runs, and what it shows. */
export interface CiRow {
  readonly result: string;
  readonly what: string;
  readonly base: string;
  readonly head: string;
  readonly oldTests: string;
  readonly shows: string;
}

const NO_RUNS = { base: "", head: "", oldTests: "" } as const;

/** The one table of a report: checks, then weakened tests, then claims, what is wrong first. */
export function ciRows({ checks, weakened, claims }: CiReport): CiRow[] {
  return [...checks.map(checkRow), ...worstFirst(weakened).map(weakenedRow), ...sorted(claims)];
}

function checkRow({ name, status, shows, base, head, old_tests }: CiCheck): CiRow {
  const runs = { base: runWords(base), head: runWords(head), oldTests: runWords(old_tests) };
  return { result: status, what: `check ${name}`, ...runs, shows };
}

/** A run in two words. */
function runWords({ state, tests }: CiRun): string {
  const { passed = 0, failed = 0 } = tests ?? {};
  if (state === "same") return "as head";
  if (state === "no-tests") return tests === null ? "no count" : "no test";
  if (state === "undecided") return "unknown";
  if (tests === null) return state;
  return state === "pass" ? `pass, ${passed}` : `fail, ${failed} of ${passed + failed}`;
}

function worstFirst(weakened: readonly CiWeakened[]): CiWeakened[] {
  const isNote = ({ severity }: CiWeakened) => severity === "note";
  return [...weakened.filter((one) => !isNote(one)), ...weakened.filter(isNote)];
}

function weakenedRow({ severity, is_rewrite, path, line, message }: CiWeakened): CiRow {
  const what = `test ${path}${line === null ? "" : `:${line}`}`;
  const result = severity === "note" ? "note" : is_rewrite ? "rewritten" : "weakened";
  return { result, what, ...NO_RUNS, shows: message };
}

const ORDER = ["refuted", "unverified", "confirmed"] as const;

function sorted(claims: readonly CiClaim[]): CiRow[] {
  return ORDER.flatMap((verdict) =>
    claims
      .filter((claim) => claim.verdict === verdict)
      .map(({ kind, text, why }) => ({
        result: verdict,
        what: `${kind === "citation" || kind === "finding" ? kind : "claim"} "${text}"`,
        ...NO_RUNS,
        shows: why,
      })),
  );
}

/** The answer in one sentence. */
export function ciVerdict(report: CiReport): string {
  const { status, checks, claims, weakened } = report;
  const count = (what: string, found: number) => (found === 0 ? [] : [`${found} ${what}`]);
  const open = [
    ...count("failed", checks.filter((one) => one.status === "fail").length),
    ...count("unproven", checks.filter((one) => one.status === "unproven").length),
    ...count("weakened", weakened.filter((one) => one.severity === "weakened").length),
    ...count("refuted", claims.filter((one) => one.verdict === "refuted").length),
    ...count("unverified", claims.filter((one) => one.verdict === "unverified").length),
  ].join(", ");
  const told = open === "" ? "" : ` (${open})`;
  if (status === "fail") return `It does not hold${told}.`;
  if (status === "undeclared") return `Nothing was run${told}.`;
  return open === "" ? "It holds." : `Its checks pass, and not all is shown${told}.`;
}

/** What to write into `sworn.yaml`, where nothing is declared. */
export function ciSuggestion({ suggestion }: CiReport): string[] {
  const argv = suggestion ?? ["your", "command"];
  return ["ci:", "  checks:", `    - { name: tests, argv: ${JSON.stringify(argv)} }`];
}
