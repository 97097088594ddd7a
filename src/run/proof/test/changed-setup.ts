import { basename } from "node:path";
import { canonicalize, parseJson } from "../../../base/index.ts";
import type { RawChange } from "../../../repo/index.ts";
import { isTestCode } from "../../../scan/kind/index.ts";
import { readCommitFile } from "../commit-file.ts";
import type { ProofScene } from "../scene.ts";
import { standsForModule } from "./python-names.ts";
import { type Runner, runnerOf } from "./test-command.ts";

/** What of a project tells a runner what to run, and with what. */
interface Setup {
  readonly files: RegExp;
  /** Members of `package.json`. */
  readonly keys: readonly string[];
}

const SETUPS: Readonly<Record<Runner, Setup>> = {
  vitest: { files: /(?:^|\/)(?:vitest|vite)\.(?:config|workspace)\.[cm]?[jt]s$/, keys: [] },
  jest: {
    files: /(?:^|\/)(?:jest|babel)\.config\.[cm]?(?:[jt]s|json)$|(?:^|\/)\.babelrc/,
    keys: ["jest", "babel"],
  },
  mocha: { files: /(?:^|\/)\.mocharc(?:\.\w+)?$/, keys: ["mocha"] },
  pytest: {
    files: /(?:^|\/)(?:\.?pytest\.ini|\.coveragerc|tox\.ini|setup\.cfg|pyproject\.toml)$/,
    keys: [],
  },
  // Nothing in a project sets these up.
  node: { files: /(?!)/, keys: [] },
  unittest: { files: /(?!)/, keys: [] },
};
/** For commands that may run anything: what package managers and makers go by, as well. */
const FOR_ANY: Setup = {
  files:
    /(?:^|\/)(?:\.npmrc|(?:GNUm|m|M)akefile|[^/]+\.mk|[Jj]ustfile|Taskfile\.ya?ml|noxfile\.py|bunfig\.toml|deno\.jsonc?|\.cargo\/config(?:\.toml)?|\.config\/nextest\.toml|phpunit(?:\.dist)?\.xml(?:\.dist)?|\.rspec|\.proverc|\.bazelrc)$/,
  keys: ["scripts"],
};
const NPM: Setup = { files: /(?:^|\/)\.npmrc$/, keys: [] };
/** What is loaded in the runner's place when it lies there. */
const IN_ITS_PLACE =
  /^(?:(?:unittest|pytest|_pytest|sitecustomize|usercustomize)(?:\.py$|\/))|(?:^|\/)node_modules\//;
/** What is loaded around tests, and can decide how they end. New tests may need it; old ones did not. */
const AROUND_TESTS =
  /(?:^|\/)(?:conftest\.py|(?:vitest|jest|mocha|test)[._-]?setup\.[cm]?[jt]sx?|setup[._-]?tests?\.[cm]?[jt]sx?)$|(?:^|\/)__mocks__\//i;
const PYTHON = /(?:^|\/)(?:python3?(?:\.\d+)?|pytest|tox|nox)$/;
const PACKAGE_BYTES_MAX = 1 << 20;

/** Whether a file says how tests are run, or stands in for what runs them, whatever runs them. */
export function saysHowTestsRun(path: string): boolean {
  const setups = [FOR_ANY, ...Object.values(SETUPS)];
  return IN_ITS_PLACE.test(path) || setups.some(({ files }) => files.test(path));
}

/** Whether a file is loaded around tests, and can decide how they end. */
export function isAroundTests(path: string): boolean {
  return AROUND_TESTS.test(path);
}

/** Of a runner that is started itself, its own; of anything else that is to run tests, all of them. */
function setupsOf(argv: readonly string[]): readonly Setup[] {
  const runner = runnerOf(argv);
  if (runner === undefined) return [FOR_ANY, ...Object.values(SETUPS)];
  // npx starts what it runs as the settings of npm say.
  return basename(argv[0] ?? "") === "npx" ? [NPM, SETUPS[runner]] : [SETUPS[runner]];
}

/**
 * The first file of a change that says how tests are run, or stands in for what runs them. Whoever
 * writes it can make any test pass, so that a test proves nothing about the change that brings it.
 */
export async function changedSetup(
  changes: readonly RawChange[],
  argv: readonly string[],
  tests: readonly string[],
  scene: Pick<ProofScene, "repository" | "before" | "after">,
): Promise<string | undefined> {
  const setups = setupsOf(argv);
  const keys = setups.flatMap((setup) => setup.keys);
  const areTestsOld = tests.length > 0 && !changes.some(({ path }) => tests.includes(path));
  const decides = (path: string): boolean =>
    setups.some(({ files }) => files.test(path)) ||
    isInItsPlace(path, argv) ||
    (areTestsOld && AROUND_TESTS.test(path)) ||
    (isRun(path, argv) && !tests.includes(path));
  for (const { path } of changes) {
    if (decides(path)) return path;
    if (basename(path) === "package.json" && (await isOtherwise(path, keys, scene))) return path;
  }
  return undefined;
}

/** Whether a file is loaded where a runner, or what a runner needs, is meant. */
export function isInItsPlace(path: string, argv: readonly string[]): boolean {
  const isPython = argv.some((word) => PYTHON.test(word));
  return IN_ITS_PLACE.test(path) || (isPython && standsForModule(path));
}

/** A new dependency changes no rule; a new script does. */
async function isOtherwise(
  path: string,
  keys: readonly string[],
  { repository, before, after }: Pick<ProofScene, "repository" | "before" | "after">,
): Promise<boolean> {
  if (keys.length === 0) return false;
  const [old, now] = [
    await settingsIn(repository, before, path, keys),
    await settingsIn(repository, after, path, keys),
  ];
  return old === undefined || now === undefined || old !== now;
}

async function settingsIn(
  repository: ProofScene["repository"],
  commit: string,
  path: string,
  keys: readonly string[],
): Promise<string | undefined> {
  const file = await readCommitFile(repository, commit, path);
  if (file.state === "absent") return canonicalize([]);
  if (file.state === "unread") return undefined;
  try {
    const document = parseJson(file.text, PACKAGE_BYTES_MAX);
    if (document === null || typeof document !== "object") return undefined;
    const kept = Object.entries(document).filter(([key]) => keys.includes(key));
    return canonicalize(kept.map(([key, value]) => [key, value]));
  } catch {
    // What cannot be read may say anything.
    return undefined;
  }
}

/** What the command names of the project's own files, but the tests themselves. */
function isRun(path: string, argv: readonly string[]): boolean {
  return !isTestCode(path) && argv.some((word) => word.replace(/^(?:\.\/)+/, "") === path);
}
