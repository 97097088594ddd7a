import type { RawChange } from "../../../repo/index.ts";
import { readCommitFile } from "../commit-file.ts";
import { isMissing, missingRunner, printedBy, undecided } from "../ended-words.ts";
import { unproven } from "../outcome.ts";
import type { ProofScene, Prove } from "../scene.ts";
import { runSealed } from "../sealed-run.ts";
import { changedSetup } from "./changed-setup.ts";
import { demandFiles } from "./demand-files.ts";
import { findTest } from "./find-tests.ts";
import { judgeRuns, type TestRun, type Try } from "./judge-runs.ts";
import { layTests, testChanges } from "./lay-tests.ts";
import { isCalled, tally } from "./seen-test.ts";
import type { TestCommand } from "./test-command.ts";

const GONE = 0;
const SHOWN_MAX = 20;
/** Of a test whose file is not there: nothing has to be run to know it. */
const NOT_THERE: TestRun = { state: "absent", executed: 0, why: "it is not there", output: "" };

/**
 * A test that fails without the work and passes with it. It is run before the work, after it, and on
 * the files of before with the tests of after; the last two again, so that one which is now red and
 * now green does not count.
 */
export const proveTest: Prove<"test"> = async (proof, scene) => {
  const { repository, before, after } = scene;
  const found = await findTest(proof, repository, after);
  if ("why" in found) return unproven(proof, found.why);
  const changes = await repository.rawChanges(before, after);
  const setup = await changedSetup(changes, found.command.argv, found.files, scene);
  if (setup !== undefined) {
    return unproven(
      proof,
      `${setup}, which says how tests are run, was changed by the same work; let another subtask change it first`,
    );
  }
  const isTaken = ({ path, before: old }: RawChange) =>
    Number(old.mode) !== GONE && !scene.mayChange(path);
  const paths = changes.filter(isTaken).map(({ path }) => path);
  const [own] = await demandFiles(paths, repository, after, found.files);
  if (own !== undefined) {
    return unproven(
      proof,
      `${own}, which the test demands with, was changed by the same work; leave it as it was, or let the plan name it among the files of the subtask`,
    );
  }
  const tests = testChanges(changes, found.files);
  const lay = (folder: string) => layTests(folder, tests, repository);
  const isNew = await areNew(found.files, scene);
  const tryOn: Try = async (on) => {
    if (on === "before" && isNew) return NOT_THERE;
    scene.onStep(`test ${proof.name.slice(0, 80)}: ${on}`);
    const tree =
      on === "after"
        ? { commit: after }
        : { commit: before, lay: on === "reverted" ? lay : undefined };
    return runOnce(found.command, proof.name, { ...tree, base: before }, scene);
  };
  const outcome = await judgeRuns(proof, tryOn, {
    areTestsOld: tests.length === 0,
    isEmpty: () => isEmptyTest(proof.name, found.files, scene),
  });
  if (outcome.verdict === "pass" || tests.length === 0) return outcome;
  // Code that lies where tests do is kept as well, and whoever wrote it has to see that.
  const kept = tests.slice(0, SHOWN_MAX).map(({ path }) => path.slice(0, 200));
  return { ...outcome, output: `${outcome.output}\n[kept as tests: ${kept.join(", ")}]` };
};

/** Whether none of the files that the test is in was there before the work. */
async function areNew(files: readonly string[], { repository, before }: ProofScene) {
  const found = await Promise.all(files.map((path) => repository.blobAt(before, path)));
  return files.length > 0 && found.every((entry) => entry === undefined);
}

/** Whether every test of that name is there to be read and demands nothing. */
async function isEmptyTest(
  name: string,
  files: readonly string[],
  { repository, after }: ProofScene,
): Promise<boolean> {
  // The parsers behind it take a while to load.
  const { demandsNothing } = await import("../../../scan/weaken/index.ts");
  const isNamed = (path: readonly string[]) => isCalled({ path, state: "passed" }, name);
  const texts = await Promise.all(files.map((path) => readCommitFile(repository, after, path)));
  const naming = files.flatMap((path, at) => {
    const file = texts[at];
    return file?.state === "text" ? [demandsNothing(path, file.text, isNamed)] : [];
  });
  return naming.length > 0 && naming.every(Boolean);
}

async function runOnce(
  { argv, report, read }: TestCommand,
  name: string,
  tree: Pick<Parameters<typeof runSealed>[0], "commit" | "base" | "lay">,
  scene: ProofScene,
): Promise<TestRun> {
  const end = await runSealed({ ...tree, argv, report }, scene);
  const output = printedBy(end);
  const why = undecided(end, argv);
  const run = { executed: 0, why: why ?? `exit code ${end.code}`, output };
  if (why !== undefined) return { ...run, state: "undecided" };
  if (isMissing(end, argv))
    return { ...run, state: "undecided", why: `there is no ${argv[0]} here` };
  const text = report === undefined ? `${end.stdout}\n${end.stderr}` : (end.report ?? "");
  const seen = tally(read(text) ?? [], name);
  const isBroken = seen.state === "absent" && end.code !== 0;
  const missing = isBroken ? missingRunner(output) : undefined;
  if (missing !== undefined) {
    const what = `what runs it is not there (${missing})`;
    const next = end.lacking ?? "install it beside the project";
    return { ...run, state: "undecided", why: `${what}; ${next}` };
  }
  return { ...run, executed: seen.executed, state: isBroken ? "broken" : seen.state };
}
