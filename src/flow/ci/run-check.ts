import { messageOf } from "../../base/index.ts";
import {
  isMissing,
  missingRunner,
  printedBy,
  runSealed,
  type SealedEnd,
  type SealedScene,
  shownOutput,
  undecided,
} from "../../run/proof/index.ts";
import type { CiRun } from "../../schema/ci-report.ts";
import { testCounts } from "../../verify/observed/index.ts";
import type { DeclaredCheck } from "./declared-checks.ts";

/** How a command ended, or why it says nothing. */
export type Ended = SealedEnd | { readonly undecided: string; readonly output: string };

/** Runs a command on the files of a commit, with what is installed first. */
export type InstalledRun = (argv: readonly string[], commit: string) => Promise<Ended>;

/** Where checks are run. */
export interface CheckScene {
  readonly sealed: SealedScene;
  /** Where the change began: compiled files that it brings are left out. */
  readonly base: string;
  /** Set for commits for which something has to be installed first. */
  readonly installed: (commit: string) => Promise<InstalledRun | undefined>;
}

/** A run, and all that it printed: what is shown of that is cut. */
export interface CheckRun {
  readonly run: CiRun;
  readonly printed: string;
}

/** Runs a check on one commit. It never throws: what could not be run is undecided. */
export async function runCheck(
  check: DeclaredCheck,
  commit: string,
  scene: CheckScene,
): Promise<CheckRun> {
  try {
    const { argv } = check;
    const install = await scene.installed(commit);
    const end =
      install === undefined
        ? await runSealed({ argv, commit, base: scene.base }, scene.sealed)
        : await install(argv, commit);
    const printed = "undecided" in end ? "" : `${end.stdout}\n${end.stderr}`;
    return { run: judgeEnd(check, end), printed };
  } catch (error) {
    // Whoever calls it off wants no verdict; anything else leaves this one open.
    scene.sealed.signal.throwIfAborted();
    const why = `it could not be run: ${messageOf(error)}`.slice(0, 1_000);
    return { run: { ...NOT_RUN, why }, printed: "" };
  }
}

const NOT_RUN = { state: "undecided", exit: null, tests: null, output: "" } as const;

/** The run that would be on the very files of head. */
export const SAME: CiRun = {
  ...{ state: "same", exit: null, tests: null, output: "" },
  why: "the change has the tests of base",
};

const IN_SANDBOX = "in the sandbox";
const NO_RUNNER = "what runs the tests is not there";

/** Whether a run says nothing because a program that it starts is not there. */
export function lacksProgram({ state, why }: CiRun): boolean {
  return state === "undecided" && (why.startsWith(NO_RUNNER) || why.endsWith(IN_SANDBOX));
}

function judgeEnd({ argv, isTests }: DeclaredCheck, end: Ended): CiRun {
  if ("undecided" in end) {
    return { ...NOT_RUN, why: end.undecided, output: shownOutput(end.output) };
  }
  const output = shownOutput(printedBy(end));
  const why =
    undecided(end, argv) ??
    (isMissing(end, argv) ? `there is no ${argv[0]} ${IN_SANDBOX}` : undefined);
  if (why !== undefined) return { ...NOT_RUN, why, output };
  const tests = testCounts(`${end.stdout}\n${end.stderr}`) ?? null;
  const missing = end.code !== 0 && tests === null ? missingRunner(output) : undefined;
  if (missing !== undefined) {
    return { ...NOT_RUN, why: `${NO_RUNNER} (${missing})`, output };
  }
  return { ...stateOf(end.code ?? 1, isTests, tests), exit: end.code ?? null, tests, output };
}

/** It passes when it says so itself, when it counted tests, and when none of them failed. */
function stateOf(
  code: number,
  isTests: boolean,
  tests: CiRun["tests"],
): Pick<CiRun, "state" | "why"> {
  const { passed = 0, failed = 0, skipped = 0 } = tests ?? {};
  const counts = tests === null ? "" : `, ${passed} passed, ${failed} failed, ${skipped} skipped`;
  if (code !== 0) return { state: "fail", why: `exit code ${code}${counts}` };
  if (isTests && failed > 0) return { state: "fail", why: `exit code 0${counts}` };
  if (isTests && tests === null) return { state: "no-tests", why: "it printed no count of tests" };
  if (isTests && passed === 0) return { state: "no-tests", why: `it ran no test${counts}` };
  return { state: "pass", why: `exit code 0${counts}` };
}
