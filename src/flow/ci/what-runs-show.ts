import type { CiCheck, CiRun } from "../../schema/ci-report.ts";

/** The three runs of one check. */
export interface ThreeRuns {
  readonly base: CiRun;
  readonly head: CiRun;
  readonly old_tests: CiRun;
}

/** What a change does to the tests, beside changing what they test. */
export interface TestChange {
  /** Whether it takes something away from them. */
  readonly isWeakened: boolean;
  /** Whether it says itself which of them run, or how: then its own runs of them show nothing. */
  readonly isSetup: boolean;
  /** Why one of its files may be a test, or hold some, that could not be put back by itself. */
  readonly unclear: string | undefined;
  /** Tests of base that ran there, and were not seen to run with the change, or not as they are written. */
  readonly silenced: readonly string[];
  /** Whether another of its files may be one: then no more is said than that none is known as a test. */
  readonly isOpen: boolean;
}

/**
 * What the three runs of a check show together. Only what passes on head, with the tests of base as well,
 * is a pass.
 */
export function whatRunsShow(
  runs: ThreeRuns,
  { isWeakened, isSetup, ...doubt }: TestChange,
): Pick<CiCheck, "status" | "shows"> {
  const { base, head, old_tests } = runs;
  if (head.state !== "pass") return { status: "fail", shows: whyNotHead(runs) };
  const shows = [onBase(base), ...onOldAndDoubt(runs, doubt), ...unseen(runs, doubt)].join("; ");
  const isUnproven = doubt.unclear !== undefined || doubt.silenced.length > 0 || isFewer(runs);
  const passed = { status: isUnproven ? "unproven" : "pass", shows } as const;
  if (old_tests.state === "same") return passed;
  if (old_tests.state !== "pass") {
    const how = isSetup ? "; the change says itself how tests are run" : "";
    // What fails is what the change took out of the way.
    return { status: isWeakened || isSetup ? "fail" : "unproven", shows: `${shows}${how}` };
  }
  return passed;
}

/** Whoever never says how many tests ran may have run them: that none did is not shown. */
export function isUncounted({ base, head }: Pick<ThreeRuns, "base" | "head">): boolean {
  return [base, head].every(({ state, tests }) => state === "no-tests" && tests === null);
}

/** That no test was changed is only said where all that is changed is known to be none. */
function onOldAndDoubt(
  runs: ThreeRuns,
  { unclear, isOpen }: Pick<TestChange, "unclear" | "isOpen">,
): string[] {
  const isSame = runs.old_tests.state === "same" && !isFewer(runs);
  if (unclear === undefined) {
    return [isSame && isOpen ? "no file that is known as a test was changed" : onOld(runs)];
  }
  const doubt = `cannot tell which files are tests: ${unclear}`;
  return isSame ? [doubt] : [onOld(runs), doubt];
}

/** The first of those that were not seen; where fewer ran, that is said already. */
function unseen(runs: ThreeRuns, { silenced }: Pick<TestChange, "silenced">): readonly string[] {
  return isFewer(runs) ? [] : silenced.slice(0, 1);
}

function whyNotHead({ base, head }: ThreeRuns): string {
  if (head.state === "undecided") return `nothing is known of head: ${head.why}`;
  if (head.state === "no-tests") {
    if (isUncounted({ base, head })) {
      return "no count of tests that is known here is printed, on head or on base";
    }
    const then = base.tests === null ? "" : `; base ran ${ranIn(base)}`;
    return `ran no test on head${then}`;
  }
  if (base.state === "pass") return "fails on head; passes on base: the change breaks it";
  if (base.state === "fail") return "fails on base and on head";
  return `fails on head; base: ${base.why}`;
}

function onBase(base: CiRun): string {
  if (base.state === "fail") {
    return "passes on head; fails on base: the change is what makes it pass";
  }
  if (base.state === "pass") return "passes on base and on head";
  if (base.state === "no-tests") return "passes on head; ran no test on base";
  return `passes on head; nothing is known of base: ${base.why}`;
}

function onOld(runs: ThreeRuns): string {
  const { base, head, old_tests } = runs;
  switch (old_tests.state) {
    case "same":
      return isFewer(runs)
        ? `no file of tests was changed, and it ran ${ranIn(head)} of the ${ranIn(base)} that base ran`
        : "no file of tests was changed";
    case "pass":
      return isFewer(runs)
        ? `with the tests of base it ran ${ranIn(old_tests)} of ${ranIn(base)}`
        : "with the tests of base as well";
    case "fail":
      return base.state === "fail"
        ? "passes only with its own changed tests; those of base failed before as well"
        : "passes only with its own changed tests";
    case "no-tests":
      return "ran no test with the tests of base";
    default:
      return `nothing is known with the tests of base: ${old_tests.why}`;
  }
}

/** The same tests on both: what counts fewer left some out, or ended before its tests did. */
function isFewer({ base, head, old_tests }: ThreeRuns): boolean {
  const again = old_tests.state === "same" ? head : old_tests;
  return ranIn(again) < ranIn(base);
}

function ranIn({ tests }: CiRun): number {
  return (tests?.passed ?? 0) + (tests?.failed ?? 0);
}
