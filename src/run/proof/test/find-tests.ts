import type { Repository, TreeEntry } from "../../../repo/index.ts";
import { isTestCode } from "../../../scan/kind/index.ts";
import type { NamedTest } from "../../../schema/work-proof.ts";
import { readBlobs, readCommitFile } from "../commit-file.ts";
import { plain } from "./seen-test.ts";
import { commandFor, commandOf, type Runner, type TestCommand } from "./test-command.ts";

const SCRIPT = /\.(?:[cm]?[jt]sx?)$/;
const PYTHON = /\.py$/;
const FILES_MAX = 5_000;
const FILE_BYTES_MAX = 1 << 20;
const RUN_MAX = 200;
/** More tests than these were not seen to run: some are enough to say so. */
const TITLES_MAX = 1_000;

/** Which command runs a named test, or why that is not known. */
export type FoundTest =
  | { readonly command: TestCommand; readonly files: readonly string[] }
  | { readonly why: string };

/** Finds out how a test is run: by its own command, or from its file and what the project uses. */
export async function findTest(
  test: NamedTest,
  repository: Repository,
  commit: string,
): Promise<FoundTest> {
  const given = test.file === undefined ? [] : [test.file];
  if (test.command !== undefined) return { command: commandOf(test.command), files: given };
  const { naming, all } =
    test.file === undefined
      ? await testFiles(test.name, repository, commit)
      : { naming: given, all: given };
  // A title that is put together while the tests run stands in no file: then all of them are run.
  const files = naming.length > 0 ? naming : all;
  const scripts = files.filter((path) => SCRIPT.test(path));
  const pythons = files.filter((path) => PYTHON.test(path));
  const chosen = scripts.length > 0 ? scripts : pythons;
  if (chosen.length === 0) {
    const where = test.file ?? "no test file of JavaScript, TypeScript or Python";
    return { why: `how it is run is not known (found ${where}); give its command` };
  }
  const runner =
    scripts.length > 0
      ? await scriptRunner(repository, commit)
      : await pythonRunner(pythons, repository, commit);
  return { command: commandFor(runner, chosen.slice(0, RUN_MAX)), files: chosen };
}

/** All test files, and those in which the title stands word for word. */
async function testFiles(
  name: string,
  repository: Repository,
  commit: string,
): Promise<{ naming: string[]; all: string[] }> {
  const title =
    plain(name)
      .split(/::| > | › /)
      .at(-1) ?? "";
  const files = await readTestFiles(repository, commit);
  const naming = files.filter(({ text }) => text.includes(title));
  return { all: files.map(({ path }) => path), naming: naming.map(({ path }) => path) };
}

/** The files of tests of a commit that can be read, with what stands in them. */
export async function readTestFiles(
  repository: Repository,
  commit: string,
): Promise<{ readonly path: string; readonly text: Buffer }[]> {
  const entries: TreeEntry[] = [];
  for await (const entry of repository.listTree(commit)) {
    const { path, kind, size } = entry;
    const isRead = kind === "file" && size !== null && size <= FILE_BYTES_MAX;
    const isOne = isTestCode(path) && (SCRIPT.test(path) || PYTHON.test(path));
    if (isRead && isOne && !path.includes("node_modules/")) entries.push(entry);
    if (entries.length >= FILES_MAX) break;
  }
  const texts = await readBlobs(repository, entries);
  return entries.map(({ path }, at) => ({ path, text: texts[at] ?? Buffer.alloc(0) }));
}

/** The test files of a commit that have a test of each title: as a text of its own, or as a function's name. */
export async function filesNaming(
  titles: readonly string[],
  repository: Repository,
  commit: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (titles.length === 0) return new Map();
  const files = await readTestFiles(repository, commit);
  const texts = files.map(({ path, text }) => ({ path, text: text.toString("utf8") }));
  return new Map(
    titles
      .slice(0, TITLES_MAX)
      .map((title) => [
        title,
        texts.filter(({ text }) => isNamedIn(title, text)).map(({ path }) => path),
      ]),
  );
}

function isNamedIn(title: string, text: string): boolean {
  const forms = ['"', "'", "`"].map((quote) => quote + title + quote);
  return [...forms, `def ${title}(`].some((form) => text.includes(form));
}

/** The one that the project says it needs; node has one of its own. */
async function scriptRunner(repository: Repository, commit: string): Promise<Runner> {
  const file = await readCommitFile(repository, commit, "package.json");
  const text = file.state === "text" ? file.text : "";
  const runner = (["vitest", "jest", "mocha"] as const).find((name) => text.includes(`"${name}"`));
  return runner ?? "node";
}

async function pythonRunner(
  files: readonly string[],
  repository: Repository,
  commit: string,
): Promise<Runner> {
  for (const path of files) {
    const file = await readCommitFile(repository, commit, path);
    // Functions by themselves are pytest's; cases are understood by both, and this one is always there.
    const isCase = file.state === "text" && /\bunittest\b/.test(file.text);
    if (!isCase || /^\s*import pytest|^\s*from pytest/m.test(file.text)) return "pytest";
  }
  return "unittest";
}
