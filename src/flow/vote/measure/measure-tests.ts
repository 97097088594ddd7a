import { messageOf } from "../../../base/index.ts";
import type { Environment, Repository } from "../../../repo/index.ts";
import { changedCommand, runSealed } from "../../../run/proof/index.ts";
import { BwrapEngine } from "../../../sandbox/index.ts";
import type { Config } from "../../../schema/config.ts";
import { Limits } from "../../../schema/execution.ts";
import { testCounts } from "../../../verify/observed/index.ts";
import type { DoneFacts } from "../../../vote/index.ts";
import { silencedTests } from "../../change/silenced-tests.ts";
import { findExecEnvironment } from "../../exec/exec-environment.ts";
import { findAllTests } from "../../work/test-gate.ts";
import { COVERAGE_FILES, coverageReport, NO_COVERAGE_REPORT } from "./coverage-report.ts";

const SECONDS = 600;
const OUTPUT_CHARS_MAX = 20_000;
const COMMAND_CHARS_MAX = 200;

/** A change whose tests are run. */
export interface TestedChange {
  readonly repository: Repository;
  readonly before: string;
  readonly after: string;
  readonly settings: Config["work"];
  readonly env: Environment;
  /** Where the runtime keeps its environments. */
  readonly state: string;
  readonly signal: AbortSignal;
  readonly onStep: (words: string) => void;
}

type Coverage = NonNullable<Config["work"]>["coverage"];

/** What two sealed runs of all tests showed. */
export interface MeasuredTests {
  readonly facts: Pick<DoneFacts, "tests" | "reproducibility" | "unknown">;
  readonly lcov: string | undefined;
  /** How long it took, in words; undefined where nothing ran. */
  readonly spent: string | undefined;
  /** What the first run printed, its end. */
  readonly output: string | undefined;
}

/** One run of the tests, as the runtime saw it. */
interface TestRun {
  readonly code: number | undefined;
  readonly counts: { readonly passed: number; readonly failed: number } | undefined;
  readonly limit: string | undefined;
  readonly lcov: string | undefined;
  readonly output: string;
  /** All of it, to be compared. */
  readonly printed: string;
  readonly wallMs: number;
}

/**
 * Runs all tests of a project twice on a commit, each time sealed off on a fresh copy. What the two
 * came to is counted by the runtime; where it cannot be counted, the reason is said and nothing else.
 */
export async function measureTests(change: TestedChange): Promise<MeasuredTests> {
  const found = await commandFor(change);
  if ("why" in found) return nothing(found.why);
  const { argv } = found;
  const command = wordsOf(argv);
  try {
    const engine = new BwrapEngine();
    const [refusal] = await engine.examine();
    if (refusal) return nothing(`there is no sandbox to run ${command} in; see "sworn doctor"`);
    const { root } = await findExecEnvironment("host", "bwrap", change.state);
    const runs: TestRun[] = [];
    for (const which of ["", ", a second time"]) {
      change.onStep(`runs ${command}${which}`);
      runs.push(await runTests(argv, change, { engine, root }));
    }
    const [first, second] = runs;
    if (first === undefined || second === undefined) return nothing("it did not run");
    const measured = judge(argv, [first, second], change.settings?.coverage);
    const [silenced] = await silencedSince(argv, first, change, { engine, root });
    if (silenced === undefined) return measured;
    const { reproducibility } = measured.facts;
    return { ...measured, facts: { reproducibility, unknown: { tests: silenced } } };
  } catch (error) {
    // A run that could not be made shows nothing; whoever proposes hears why.
    if (change.signal.aborted) throw error;
    return nothing(`${command} could not be run: ${messageOf(error)}`);
  }
}

/** Tests that ran before the change and not after it: code that is tested can end or skip them. */
async function silencedSince(
  argv: readonly string[],
  { code, printed }: TestRun,
  change: TestedChange,
  place: Parameters<typeof runTests>[2],
): Promise<readonly string[]> {
  const { repository, before, after } = change;
  if (code !== 0 || before === after) return [];
  change.onStep(`runs ${wordsOf(argv)} on what was there before`);
  const first = await runTests(argv, { ...change, after: before }, place);
  return silencedTests(repository, {
    before: { commit: before, printed: first.printed },
    after: { commit: after, printed },
    what: "change",
  });
}

function nothing(why: string): MeasuredTests {
  const unknown = { tests: why, reproducibility: `the tests were not run twice: ${why}` };
  return { facts: { unknown }, lcov: undefined, spent: undefined, output: undefined };
}

async function commandFor({
  repository,
  settings,
  before,
  after,
}: TestedChange): Promise<{ argv: readonly string[] } | { why: string }> {
  const declared = settings?.coverage?.argv ?? settings?.tests;
  const argv = declared ?? (await findAllTests(repository, after));
  if (argv === undefined) {
    return { why: "no tests were found; sworn.yaml can say how they are run, as work.tests" };
  }
  const why = await whyNoWitness(argv, { repository, before, after });
  return why === undefined ? { argv } : { why };
}

/** Why a run of this command shows nothing of a change: whoever made that may have it print anything. */
export async function whyNoWitness(
  argv: readonly string[],
  change: Pick<TestedChange, "repository" | "before" | "after">,
): Promise<string | undefined> {
  const changed = await changedCommand(argv, change);
  if (changed === undefined) return undefined;
  const command = wordsOf(argv);
  return `what ${command} does was changed as well, in ${changed}; sworn.yaml can name a command that goes by nothing of the change, as work.tests or work.coverage`;
}

function wordsOf(argv: readonly string[]): string {
  return argv.join(" ").slice(0, COMMAND_CHARS_MAX);
}

/** Runs tests once, sealed off, on a fresh copy of what the change left. */
export async function runTests(
  argv: readonly string[],
  { repository, before, after, env, signal }: Omit<TestedChange, "settings" | "state" | "onStep">,
  place: Pick<Parameters<typeof runSealed>[1], "engine" | "root">,
): Promise<TestRun> {
  const limits = Limits.parse({ step_seconds: SECONDS, job_seconds: SECONDS });
  const began = performance.now();
  const end = await runSealed(
    { argv, commit: after, base: before, leaves: COVERAGE_FILES },
    { repository, ...place, env, limits, signal },
  );
  const { code, limit, stdout, stderr } = end;
  return {
    ...{ code, limit, counts: testCounts(stdout) ?? testCounts(stderr) },
    lcov: coverageReport(end),
    output: `${stdout}${stderr}`.slice(-OUTPUT_CHARS_MAX).toWellFormed(),
    printed: `${stdout}\n${stderr}`,
    wallMs: Math.round(performance.now() - began),
  };
}

function judge(
  argv: readonly string[],
  [first, second]: readonly [TestRun, TestRun],
  coverage: Coverage,
): MeasuredTests {
  const seconds = ((first.wallMs + second.wallMs) / 1000).toFixed(1);
  const spent = `two runs of the tests in ${seconds} s`;
  const reproducibility =
    outcomeOf(first) === outcomeOf(second)
      ? { isSame: true }
      : {
          isSame: false,
          differs: `${wordsOf(argv)} came to ${outcomeOf(first)}, then to ${outcomeOf(second)}`,
        };
  const facts = { ...factsOf(argv, first, coverage), reproducibility };
  return { facts, lcov: first.lcov, spent, output: first.output };
}

/** What one run shows of the tests; where it shows nothing, why. */
export function factsOf(
  argv: readonly string[],
  run: TestRun,
  coverage: Coverage,
): Pick<DoneFacts, "tests" | "unknown"> {
  const why = whyUncounted(wordsOf(argv), run);
  if (why !== undefined) return { unknown: { tests: why } };
  const { passed = 0, failed = 0 } = run.counts ?? {};
  const isMissing = coverage !== undefined && run.lcov === undefined;
  return {
    tests: { passed, failed, coverageMin: coverage?.min },
    ...(isMissing ? { unknown: { tests: NO_COVERAGE_REPORT } } : {}),
  };
}

function outcomeOf({ counts, code, limit }: TestRun): string {
  const ended = limit === undefined ? `exit code ${code ?? "none"}` : `the limit of ${limit}`;
  return counts === undefined
    ? ended
    : `${counts.passed} passed, ${counts.failed} failed, ${ended}`;
}

/** A count is believed together with how the run ended, and not without. */
function whyUncounted(command: string, { counts, code, limit }: TestRun): string | undefined {
  if (limit !== undefined) return `${command} was ended by its limit of ${limit}`;
  if (counts === undefined) return `${command} printed no count of tests (exit code ${code})`;
  if (code !== 0 && counts.failed === 0)
    return `${command} ended with ${code}, and no test failed in it`;
  return undefined;
}
