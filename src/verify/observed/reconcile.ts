import { posix } from "node:path";
import { WORKSPACE } from "../../schema/execution.ts";
import type { Observation, SeenProcess, TestCounts } from "../../schema/observation.ts";
import { endOf, isUnseenEnd } from "./how-it-ended.ts";
import { reconcileCheck } from "./reconcile-check.ts";
import type { Reconciled } from "./reconciled.ts";
import { doesStart, mayRunTests } from "./test-runner.ts";
import { isPartialRun, isTestRun } from "./test-scope.ts";

/** What an agent says it did. */
export type Said =
  | {
      readonly kind: "tests";
      readonly count: number | undefined;
      /** Whether it is said of all tests. */
      readonly isOfAll?: boolean;
      /** Said of all checks, of which tests are only some. */
      readonly isOfChecks?: true;
    }
  | {
      readonly kind: "file";
      readonly path: string;
      readonly how: "added" | "modified" | "deleted";
      readonly isNew?: true;
      readonly isPart?: true;
      readonly isListed?: true;
    }
  | {
      readonly kind: "command";
      readonly command: string;
      /** It is said to have ended well, and not only to have been run. */
      readonly isPassed?: true;
    }
  | { readonly kind: "check"; readonly check: string };

/**
 * Holds what an agent says against what the runtime saw. What was seen to be otherwise is made up;
 * what could not be seen is not known. An agent's word alone confirms nothing.
 *
 * @param whole what runs all tests, where the project says so: it knows, whatever that is called
 */
export function reconcile(said: Said, seen: Observation, whole?: readonly string[]): Reconciled {
  if (said.kind === "file") return reconcileFile(said, seen);
  if (said.kind === "command") {
    return said.isPassed
      ? reconcilePassed(said.command, seen)
      : reconcileCommand(said.command, seen);
  }
  if (said.kind === "check") {
    return said.check === "test run"
      ? reconcileTestRun(seen, whole)
      : reconcileCheck(said.check, seen);
  }
  const found = reconcileTests(said, seen, whole);
  return said.isOfChecks ? ofChecks(found, seen, whole) : found;
}

/** That tests were run says nothing of what came of them. */
function reconcileTestRun(seen: Observation, whole: readonly string[] | undefined): Reconciled {
  const last = seen.processes.findLast(({ argv, by }) => by === "run" && isTestRun(argv, whole));
  if (last === undefined) return noRunner(seen);
  const reason = `\`${last.argv.join(" ").slice(0, 200)}\` was run`;
  return { verdict: "CONFIRMED", reason };
}

/** Tests that fail refute that all checks pass; tests that pass, or that nobody ran, say little of the others. */
function ofChecks(
  found: Reconciled,
  { processes }: Observation,
  whole: readonly string[] | undefined,
): Reconciled {
  const isRun = processes.some(({ argv }) => isTestRun(argv, whole));
  if (found.verdict === "HALLUCINATED" && isRun) return found;
  const reason = `${found.reason}; which other checks there are is not known`;
  return { verdict: "UNVERIFIED", reason };
}

function reconcileTests(
  said: Extract<Said, { kind: "tests" }>,
  seen: Observation,
  told: readonly string[] | undefined,
): Reconciled {
  const runs = seen.processes.filter(({ argv }) => isTestRun(argv, told));
  if (runs.length === 0) return noRunner(seen);
  const here = runs.filter(isOnTree(seen.tree));
  const last = here.at(-1);
  if (last === undefined) {
    const reason = "tests ran, but the tree was changed after them or while they ran";
    return { verdict: "UNVERIFIED", reason };
  }
  const bad = lastOfEach(here).find(isBad);
  if (bad !== undefined) return judgeTests(bad, said.count);
  const isPart = ({ argv, cwd }: SeenProcess) => isPartialRun(argv, cwd, told);
  const whole = here.findLast((run) => !isPart(run));
  const isBeside = whole === last && here.some(isPart);
  // How many it was of a part is not to be seen in a run of all of them.
  if (!said.isOfAll) return judgeTests(last, isBeside ? undefined : said.count);
  if (whole !== undefined) return judgeTests(whole, said.count);
  const ran = last.argv.join(" ").slice(0, 200);
  const below = last.cwd.startsWith(TREE) ? ` in ${last.cwd.slice(TREE.length)}` : "";
  const reason = `\`${ran}\`${below} runs a part of the tests, and nothing shows all of them`;
  return { verdict: "UNVERIFIED", reason };
}

/** That none is known is no proof when something may have been one. */
function noRunner(seen: Observation): Reconciled {
  const odd = seen.processes.findLast(({ argv }) => mayRunTests(argv));
  if (odd === undefined) return unseen(seen, "no test was run: no process was a test runner");
  const what = odd.argv.join(" ").slice(0, 200);
  const reason = `no process was a test runner that is known here; \`${what}\` may have been one`;
  return { verdict: "UNVERIFIED", reason };
}

/** The last run of each command: one that failed on this tree is answered by itself, not by a smaller one. */
function lastOfEach(runs: readonly SeenProcess[]): SeenProcess[] {
  return [...new Map(runs.map((run) => [JSON.stringify([run.cwd, run.argv]), run])).values()];
}

function isBad(run: SeenProcess): boolean {
  return !(run.exit === 0 || isUnseenEnd(run)) || (run.tests?.failed ?? 0) > 0;
}

function judgeTests(last: SeenProcess, count: number | undefined): Reconciled {
  const again = last.by === "runtime" ? ", run once more by the runtime," : "";
  const what = `\`${last.argv.join(" ").slice(0, 200)}\`${again}`;
  const { tests } = last;
  if (isBad(last)) {
    const failed = tests && tests.failed > 0 ? `, ${tests.failed} failed` : "";
    return { verdict: "HALLUCINATED", reason: `${what} ${endOf(last)}${failed}` };
  }
  if (tests === null || isUnseenEnd(last)) {
    const reason = `${what} ${endOf(last)}; what came of its tests is not known`;
    return { verdict: "UNVERIFIED", reason };
  }
  return judgeCounts(`${what} ${endOf(last)}`, what, tests, count);
}

function judgeCounts(
  ended: string,
  what: string,
  tests: TestCounts,
  count: number | undefined,
): Reconciled {
  const parts = tests.parts ?? [tests];
  const [passed, failed] = [sumOf(parts, "passed"), sumOf(parts, "failed")];
  if (failed > 0) {
    const reason = `${ended}, but ${failed} failed in one of its ${parts.length} runs`;
    return { verdict: "UNVERIFIED", reason };
  }
  if (passed === 0) return { verdict: "HALLUCINATED", reason: `${what} ran no test` };
  const isOther = parts.every((part) => part.passed !== count) && count !== passed;
  if (count !== undefined && tests.unit === "test" && isOther) {
    return { verdict: "INACCURATE", reason: `${what} passed ${passed}, not ${count}` };
  }
  return { verdict: "CONFIRMED", reason: `${what} passed ${passed} on this very tree` };
}

const sumOf = (parts: readonly { passed: number; failed: number }[], of: "passed" | "failed") =>
  parts.reduce((sum, part) => sum + part[of], 0);

const isOnTree =
  (tree: string) =>
  ({ tree_before, tree_after }: SeenProcess): boolean =>
    tree_before === tree && tree_after === tree;

function reconcileFile(said: Extract<Said, { kind: "file" }>, seen: Observation): Reconciled {
  if (said.path.startsWith("/")) {
    const reason = `${said.path} is outside of its tree, where nothing is kept or looked at`;
    return { verdict: "UNVERIFIED", reason };
  }
  const found = seen.changed.find(
    ({ path }) => path === said.path || path.endsWith(`/${said.path}`),
  );
  if (found === undefined && isIgnored(said.path, seen.ignored)) {
    return {
      verdict: "UNVERIFIED",
      reason: `${said.path} is ignored by git, and was not looked at`,
    };
  }
  if (found === undefined) {
    // The tree was looked at before and after, whoever ran in between.
    return { verdict: "HALLUCINATED", reason: whyUnchanged(said) };
  }
  if ((found.how === "deleted") !== (said.how === "deleted") && said.isListed !== true) {
    return { verdict: "HALLUCINATED", reason: `${found.path} was ${found.how}, not ${said.how}` };
  }
  if (said.isNew && found.how === "modified") {
    const reason = `${found.path} was there before, and was modified`;
    return { verdict: "INACCURATE", reason };
  }
  const reason = `${found.path} was ${found.how}`;
  if (!said.isPart) return { verdict: "CONFIRMED", reason };
  // A sentence of which a part was not looked at is not confirmed by the rest of it.
  return { verdict: "UNVERIFIED", reason: `${reason}; what in it was not looked at` };
}

/** Only what changed is known, and so not whether there is such a file at all. */
function whyUnchanged({ path, how }: Extract<Said, { kind: "file" }>): string {
  if (how === "modified") return `${path} is as it was before`;
  return how === "added"
    ? `${path} was not added: there is no such file, or it is as it was before`
    : `${path} was not deleted: it is as it was before, or there was no such file`;
}

function isIgnored(path: string, ignored: readonly string[]): boolean {
  return ignored.some((one) =>
    one.endsWith("/") ? `${path}/`.startsWith(one) : one === path || one.endsWith(`/${path}`),
  );
}

const wordsOf = (command: string): string[] => command.split(/\s+/).filter((word) => word !== "");

/** The last process that was just this command, and no program of the run's own under its name. */
function lastRunOf(command: string, seen: Observation): SeenProcess | undefined {
  const words = wordsOf(command);
  return seen.processes.findLast(
    (one) => more(one.argv, words)?.length === 0 && !isOwn(one, words, seen),
  );
}

function reconcileCommand(command: string, seen: Observation): Reconciled {
  const words = wordsOf(command);
  const isSame = ({ argv }: SeenProcess) => more(argv, words)?.length === 0;
  const found = lastRunOf(command, seen);
  if (found !== undefined)
    return { verdict: "CONFIRMED", reason: `it was run, and ${endOf(found)}` };
  const own = seen.processes.findLast(isSame);
  if (own !== undefined) {
    const reason = `what was run is \`${own.argv.join(" ").slice(0, 200)}\`, a program that the run made itself`;
    return { verdict: "UNVERIFIED", reason };
  }
  const near = seen.processes.findLast(({ argv }) => more(argv, words) !== undefined);
  if (near === undefined) return unseen(seen, `\`${command.slice(0, 200)}\` was not run`);
  const ran = near.argv.join(" ").slice(0, 200);
  return { verdict: "INACCURATE", reason: `what was run is \`${ran}\`, and ${endOf(near)}` };
}

/** That it ended well is only as true as its last run, and of the tree that this was on. */
function reconcilePassed(command: string, seen: Observation): Reconciled {
  const found = reconcileCommand(command, seen);
  if (found.verdict !== "CONFIRMED") return found;
  const last = lastRunOf(command, seen);
  if (last === undefined || isUnseenEnd(last)) return { ...found, verdict: "UNVERIFIED" };
  if (!isOnTree(seen.tree)(last)) {
    const reason = `${found.reason}, and the tree may have been changed after it`;
    return { verdict: "UNVERIFIED", reason };
  }
  return last.exit === 0 ? found : { ...found, verdict: "HALLUCINATED" };
}

const TREE = `${WORKSPACE.data}/tree/`;
/** Where a run can put programs; in its tree there are others' too. */
const WRITABLE = /^\/(?:workspace|tmp|dev\/shm)\//;

/** A program of the run's own that has the name of a known one: whoever says the name means the other. */
function isOwn(
  { argv, cwd }: SeenProcess,
  [program = ""]: readonly string[],
  { changed }: Observation,
): boolean {
  if (program.includes("/")) return false;
  const word = argv[startOf(argv, program)] ?? "";
  const file = posix.resolve(cwd === "" ? "/" : cwd, word);
  // A bare name lies where it was looked up, unless a shell took it for a file beside it.
  if (!file.startsWith(TREE)) return word.includes("/") && WRITABLE.test(file);
  return changed.some(({ path }) => file === TREE + path);
}

/**
 * What a process was told beyond the words of a command, however its program was found; undefined
 * when it was another command. Words before it count only where they start it: to print a command is
 * not to run it.
 */
function more(argv: readonly string[], words: readonly string[]): readonly string[] | undefined {
  const [program, ...rest] = words;
  if (program === undefined) return undefined;
  const at = startOf(argv, program);
  const isSame = at >= 0 && rest.every((one, index) => argv[at + 1 + index] === one);
  return isSame ? argv.slice(at + words.length) : undefined;
}

/** Where in a command line a program is started; -1 where it is not. */
function startOf(argv: readonly string[], program: string): number {
  return argv.findIndex((word, index) => {
    const isProgram = word === program || word.endsWith(`/${program}`);
    return isProgram && doesStart(argv.slice(0, index));
  });
}

function unseen({ is_complete }: Observation, what: string): Reconciled {
  return is_complete
    ? { verdict: "HALLUCINATED", reason: what }
    : { verdict: "UNVERIFIED", reason: `${what}, as far as could be seen` };
}
