import { basename, posix } from "node:path";
import type { Repository } from "../../repo/index.ts";
import {
  commandsIn,
  commandsOfLine,
  demandFiles,
  helperFiles,
  linesOfScript,
  namesRun,
  type OneCommand,
  packageScript,
  readCommitFile,
  runsFile,
  runsNothing,
  scriptOf,
} from "../../run/proof/index.ts";
import { fileKind, isSnapshot, isTestName } from "../../scan/kind/index.ts";
import type { WeakenedTest } from "../../scan/weaken/index.ts";
import type { Observation } from "../../schema/observation.ts";
import { testRunnerOf } from "../../verify/observed/index.ts";
import { fitsPattern } from "./fits-pattern.ts";
import { recipesOf } from "./make-recipes.ts";

const DEPTH_MAX = 5;
const COMMANDS_MAX = 500;
const MAKE = /^g?make$/;
/** These run whatever a file of the project says, and not all of these files are read here. */
const BY_A_FILE = /^(?:g?make|just|task|rake|composer|lein|bazel|turbo|lerna|rush|nx)$/;
const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];
/** What says where it is to be done, by programs that are told to. */
const FOLDER = /^(?:-C|--directory|--prefix|--cwd|--dir)$/;
/** What projects call what runs their tests, where nobody says it. */
const USUAL: readonly (readonly string[])[] = [
  ["make", "test", "check"],
  ["npm", "test"],
];
/** What of a change says nothing of the file that it stands in. */
const OF_SETTINGS = new Set(["config", "replaced", "unread"]);

/** Which files are tests, and which may be. */
export interface TestFiles {
  /** By its name, by who runs it, or by what the change takes out of it. */
  readonly isTest: (path: string) => boolean;
  /** Whether tests demand with it, or what runs them runs it or loads it as its own, and it is not called one. */
  readonly isRun: (path: string) => boolean;
  /** Why a file may be one all the same; undefined where it is known to be none. */
  readonly mayBe: (path: string) => string | undefined;
}

/** A command, and the folder of the project that it is started in. */
export interface Started {
  readonly argv: readonly string[];
  readonly folder: string;
}

/**
 * What is to be known of a project's tests, by the commands that run them as a commit says what they do:
 * through `make`, the scripts of a package manager, a line for a shell, and whatever folder they change to.
 * A change has no say in it: it could have its program taken for a test, and put back.
 */
export async function testFiles(
  repository: Repository,
  commit: string,
  {
    commands,
    weakened,
    changed = [],
  }: {
    readonly commands: readonly Started[];
    readonly weakened: readonly WeakenedTest[];
    /** Files that are asked about: what tests demand with is looked for among these. */
    readonly changed?: Observation["changed"];
  },
): Promise<TestFiles> {
  const reader = new CommandReader(repository, commit);
  const started = commands.length > 0 ? commands : USUAL.map((argv) => ({ argv, folder: "" }));
  for (const { argv, folder } of started) {
    for (const one of commandsIn(argv)) await reader.take(within(folder, one), 0);
  }
  const { leaves } = reader;
  const lost = new Set(
    weakened
      .filter(({ severity, kind }) => severity === "weakened" && !OF_SETTINGS.has(kind))
      .map(({ path }) => path),
  );
  const isTest = (path: string) =>
    isTestName(path) ||
    isSnapshot(path) ||
    lost.has(path) ||
    leaves.some((one) => isGivenToRunner(path, one));
  const helpers = await helperFiles(leaves.flatMap(namesRun), repository, commit);
  const paths = changed.filter(({ how }) => how !== "added").map(({ path }) => path);
  const demanded = await demandFiles(paths, repository, commit);
  const isOwn = (path: string) => helpers.has(path) || demanded.has(path);
  const isRun = (path: string) =>
    !isTest(path) && (isOwn(path) || leaves.some((one) => runsFile(path, one)));
  // Of a script that is called nothing like a test, what it names may be the tests.
  const scripts = leaves.flatMap(({ words, folder }) => namedFiles(words, folder)).filter(isRun);
  const handing = await textsOf(scripts, reader);
  const unread = commands.length > 0 ? reader.unread : undefined;
  const mayBe = (path: string) => {
    if (demanded.has(path)) return `${path} is what tests demand with`;
    if (isRun(path)) return `${path} is run by what runs the tests`;
    if (fileKind(path, "").form !== "code") return undefined;
    const by = handing.find(([, text]) => isMentioned(path, text))?.[0];
    if (by !== undefined) return `${path} is named in ${by}, which runs the tests`;
    return unread === undefined ? undefined : `nothing here reads what \`${unread}\` runs`;
  };
  return { isTest, isRun, mayBe };
}

const within = (folder: string, one: OneCommand): OneCommand => ({
  words: one.words,
  folder: posix.join(folder, one.folder),
});

/** Takes commands apart until only those are left that start no others by a file that is read here. */
class CommandReader {
  readonly leaves: OneCommand[] = [];
  /** A command of which nobody here can say what it runs. */
  unread: string | undefined;
  readonly #repository: Repository;
  readonly #commit: string;
  #left = COMMANDS_MAX;

  constructor(repository: Repository, commit: string) {
    this.#repository = repository;
    this.#commit = commit;
  }

  async textOf(path: string): Promise<string | undefined> {
    if (path === "." || path.startsWith("..") || path.startsWith("/")) return undefined;
    const file = await readCommitFile(this.#repository, this.#commit, path);
    return file.state === "text" ? file.text : undefined;
  }

  async take(command: OneCommand, depth: number): Promise<void> {
    // All are counted: a rule that starts itself many times has no end of them, and no leaf.
    this.#left -= 1;
    if (depth > DEPTH_MAX || this.#left < 0) {
      this.unread ??= command.words.join(" ").slice(0, 200);
      return;
    }
    const lines = await this.#linesOf(command);
    if (lines === undefined) {
      this.leaves.push(command);
      if (depth === 0 && !(await this.#isKnown(command))) {
        this.unread ??= command.words.join(" ").slice(0, 200);
      }
      return;
    }
    const folder = folderOf(command);
    for (const line of lines) {
      for (const one of commandsOfLine(line)) await this.take(within(folder, one), depth + 1);
      // The first one too many was noted.
      if (this.#left < 0) return;
    }
  }

  /** The lines that a command has run by others; undefined where it is what it says itself. */
  async #linesOf(command: OneCommand): Promise<Iterable<string> | undefined> {
    const [program = "", ...words] = command.words;
    const folder = folderOf(command);
    if (MAKE.test(basename(program))) {
      const named = words[words.findIndex((word) => /^(?:-f|--file|--makefile)$/.test(word)) + 1];
      for (const name of words.includes("-f") && named ? [named] : MAKEFILES) {
        const text = await this.textOf(posix.join(folder, name));
        if (text !== undefined) return recipesOf(text, words);
      }
      return undefined;
    }
    const script = scriptOf(withoutFolder(command.words));
    if (script === undefined) return undefined;
    const path = posix.join(folder, "package.json");
    const text = await packageScript(this.#repository, this.#commit, script, path);
    return text === undefined ? undefined : linesOfScript(text);
  }

  /** Whether it says itself which files it runs, or finds tests by their names. */
  async #isKnown({ words, folder }: OneCommand): Promise<boolean> {
    const name = basename(words[0] ?? "");
    if (runsNothing(words)) return true;
    if (testRunnerOf(words) !== undefined) return !BY_A_FILE.test(name);
    for (const path of namedFiles(words, folder)) {
      if ((await this.textOf(path)) !== undefined) return true;
    }
    return false;
  }
}

function folderOf({ words, folder }: OneCommand): string {
  const at = words.findIndex((word) => FOLDER.test(word));
  const joined = words.find((word) => /^(?:-C.|--(?:directory|prefix|cwd|dir)=)/.test(word));
  const to = at < 0 ? joined?.replace(/^(?:-C|--\w+=)/, "") : words[at + 1];
  return to === undefined ? folder : posix.join(folder, to);
}

function withoutFolder(words: readonly string[]): string[] {
  return words.filter((word, at) => !FOLDER.test(word) && !FOLDER.test(words[at - 1] ?? ""));
}

function namedFiles(words: readonly string[], folder: string): string[] {
  return words.filter((word) => !word.startsWith("-")).map((word) => posix.join(folder, word));
}

/** Whether a command is a test runner that is told to run this file: by its name, its folder, or a pattern. */
function isGivenToRunner(path: string, { words, folder }: OneCommand): boolean {
  if (testRunnerOf(words) === undefined || fileKind(path, "").form !== "code") return false;
  const [, ...told] = words;
  return told
    .filter((word) => !word.startsWith("-") && /[./*]/.test(word))
    .map((word) => posix.join(folder, (word.split("::")[0] ?? "").replaceAll(/^["']|["']$/g, "")))
    .some(
      (one) =>
        fitsPattern(one, path) || path === one || path.startsWith(`${one}/`) || isModule(one, path),
    );
}

const isModule = (name: string, path: string): boolean =>
  path.endsWith(".py") && /^[\w.]+$/.test(name) && path === `${name.replaceAll(".", "/")}.py`;

/** The scripts that hand on to others, with what stands in them. */
async function textsOf(
  paths: readonly string[],
  reader: CommandReader,
): Promise<(readonly [string, string])[]> {
  const found: (readonly [string, string])[] = [];
  for (const path of new Set(paths)) {
    const text = await reader.textOf(path);
    if (text !== undefined) found.push([path, text]);
  }
  return found;
}

/** By its own name, or by that of a folder that it is in. */
function isMentioned(path: string, text: string): boolean {
  const parts = path.split("/");
  const stem = (parts.at(-1) ?? "").replace(/\.\w+$/, "");
  return [...parts, stem].some((one) => {
    const at =
      one === ""
        ? -1
        : text.search(new RegExp(`(?<![\\w-])${one.replaceAll(/[^\w]/g, "\\$&")}(?![\\w-])`));
    return at >= 0;
  });
}
