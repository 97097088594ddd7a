import { basename } from "node:path";
import type { RawChange } from "../../repo/index.ts";
import { isTestCode } from "../../scan/kind/index.ts";
import {
  commandsIn,
  commandsOfLine,
  isStarted,
  namesRun,
  type OneCommand,
  runsFile,
  scriptOf,
} from "./command-words.ts";
import { helperFiles } from "./helper-files.ts";
import { linesOfScript, packageScript } from "./package-script.ts";
import type { ProofScene } from "./scene.ts";
import { changedSetup, isAroundTests, isInItsPlace } from "./test/changed-setup.ts";
import { runnerOf } from "./test/test-command.ts";

type Sides = Pick<ProofScene, "repository" | "before" | "after">;

const GONE = 0;
const MANAGER = /^(?:npm|npx|pnpm|yarn|bun|bunx)$/;
/** What programs go by that run other things, or judge files. */
const SETTINGS: readonly (readonly [program: RegExp, files: RegExp])[] = [
  [MANAGER, /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.c?js|bunfig\.toml)$/],
  [/^g?make$/, /(?:^|\/)(?:(?:GNUm|m|M)akefile|[^/]+\.mk)$/],
  [/^tsc$/, /(?:^|\/)tsconfig[^/]*\.json$/],
  [/^eslint$/, /(?:^|\/)(?:\.eslint(?:rc[^/]*|ignore)|eslint\.config\.[cm]?[jt]s)$/],
  [/^biome$/, /(?:^|\/)biome\.jsonc?$/],
  [/^oxlint$/, /(?:^|\/)\.?oxlint(?:rc\.json|\.config\.ts)$/],
  [/^prettier$/, /(?:^|\/)(?:\.prettier(?:rc[^/]*|ignore)|prettier\.config\.[cm]?[jt]s)$/],
  [
    /^(?:ruff|black|mypy|flake8|pylint)$/,
    /(?:^|\/)(?:\.?(?:ruff|mypy)\.(?:toml|ini)|\.flake8|\.?pylintrc|setup\.cfg|pyproject\.toml)$/,
  ],
];

/**
 * The first file that decides what a command does, and that the work changed: a script that it names, the
 * script of a package manager and what that names, settings of what it starts. Whoever may write them can
 * have the command say anything. What such a script loads is what it judges, but for what is called a part of
 * the check or lies with it where tools lie.
 *
 * @param plan which files the plan gives to whoever did the work; with it, scripts that are new are what
 *   it asked for, and without it they count like any other change
 */
export async function changedCommand(
  argv: readonly string[],
  sides: Sides,
  plan?: Pick<ProofScene, "mayChange">,
): Promise<string | undefined> {
  const { repository, before, after } = sides;
  if (before === after) return undefined;
  const changes = (await repository.rawChanges(before, after)).filter(
    ({ path }) => plan?.mayChange(path) !== true,
  );
  if (changes.length === 0) return undefined;
  const own = commandsIn(argv);
  const scripts = own.flatMap(({ words }) => scriptOf(words) ?? []);
  const commands = [...own, ...(await commandsOf(scripts, sides))];
  const about = { commands, scripts, areNewAsked: plan !== undefined };
  for (const change of changes) if (await decides(change, about, sides)) return change.path;
  return (await setupOf(changes, commands, sides)) ?? helperOf(changes, commands, sides);
}

interface About {
  readonly commands: readonly OneCommand[];
  readonly scripts: readonly string[];
  readonly areNewAsked: boolean;
}

async function decides({ path, before }: RawChange, about: About, sides: Sides): Promise<boolean> {
  const { commands } = about;
  if (commands.some((one) => isSetting(path, one))) return true;
  if (basename(path) === "package.json" && (await isOtherwise(path, about, sides))) return true;
  if (about.areNewAsked && Number(before.mode) === GONE) return false;
  // A test that a runner runs is looked at as a test.
  const isTest = isTestCode(path) && commands.some(({ words }) => runnerOf(words) !== undefined);
  return !isTest && commands.some((one) => runsFile(path, one));
}

/** What the scripts ran before the work. */
async function commandsOf(scripts: readonly string[], sides: Sides): Promise<OneCommand[]> {
  const { repository, before } = sides;
  const texts = await Promise.all(scripts.map((one) => packageScript(repository, before, one)));
  return texts.flatMap((text) => linesOfScript(text ?? "").flatMap(commandsOfLine));
}

function isSetting(path: string, command: OneCommand): boolean {
  return SETTINGS.some(([program, files]) => files.test(path) && isStarted(program, command));
}

async function isOtherwise(
  path: string,
  { scripts, areNewAsked }: About,
  { repository, before, after }: Sides,
): Promise<boolean> {
  for (const script of scripts) {
    const old = await packageScript(repository, before, script, path);
    const now = await packageScript(repository, after, script, path);
    if (old !== now && !(old === undefined && areNewAsked)) return true;
  }
  return false;
}

/** What stands in for a program, and what sets test runners up. */
async function setupOf(
  changes: readonly RawChange[],
  commands: readonly OneCommand[],
  sides: Sides,
): Promise<string | undefined> {
  for (const { words } of commands) {
    const found =
      runnerOf(words) === undefined
        ? changes.find(({ path }) => isInItsPlace(path, words))?.path
        : ((await changedSetup(changes, words, [], sides)) ?? aroundOldTests(changes));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A part of the check that its script loads; through a script that was given to be changed it is not looked. */
async function helperOf(
  changes: readonly RawChange[],
  commands: readonly OneCommand[],
  { repository, before }: Sides,
): Promise<string | undefined> {
  const helpers = await helperFiles(commands.flatMap(namesRun), repository, before);
  return changes.find(({ path }) => helpers.has(path))?.path;
}

/** New tests may need what is loaded around them; old ones did not. */
function aroundOldTests(changes: readonly RawChange[]): string | undefined {
  const around = changes.find(({ path }) => isAroundTests(path));
  const areNew = changes.some(({ path }) => isTestCode(path) && !isAroundTests(path));
  return areNew ? undefined : around?.path;
}
