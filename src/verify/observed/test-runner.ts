import { basename } from "node:path";

const RUNNERS = new Set([
  ..."vitest jest mocha ava tap tape jasmine karma".split(" "),
  ..."pytest py.test pytest-3 nose2 tox nox rspec phpunit pest ctest bats prove busted".split(" "),
]);
/** Programs that run tests when that is the first thing they are told. */
const FIRST_WORD: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    "bun deno go swift mix flutter dart rails composer just task lein stack cabal meson turbo lerna rush"
      .split(" ")
      .map((name) => [name, /^test$/]),
  ),
  cargo: /^(?:t|test|nextest)$/,
  dotnet: /^test$/,
  npm: /^(?:t|tst|test|test:.*)$/,
  pnpm: /^(?:t|test|test:.*)$/,
  yarn: /^(?:test|test:.*)$/,
};
/** What stands before the name of a script. */
const RUNS_SCRIPT = /^(?:run|run-script|workspace|task)$/;
/** Programs that are told several things to do, in any order. */
const ANY_WORD: Readonly<Record<string, RegExp>> = {
  cypress: /^run$/,
  playwright: /^test$/,
  mvn: /^(?:test|verify|install)$/,
  mvnw: /^(?:test|verify|install)$/,
  gradle: /^(?:test|check|build)$/,
  gradlew: /^(?:test|check|build)$/,
  bazel: /^test$/,
  nx: /^(?:test|--targets?=test)$/,
  rake: /^(?:test|spec)(?::|$)/,
  sbt: /^test/,
  xcodebuild: /^test/,
  zig: /^test$/,
  make: /^(?:test|check)\b/,
};
/** Then make only says what it would do. */
const ONLY_PLANS =
  /^(?:-[a-zA-Z]*n[a-zA-Z]*|--just-print|--dry-run|--recon|-q|--question|-t|--touch)$/;
/** Then a runner says something about itself or its tests, and runs none of them. */
const ONLY_SAYS =
  /^(?:--version|--help|-h|--collect-only|--co|--listTests|--list-tests|--list|--no-run|--fixtures|--markers|--show-only|--setup-plan|--showConfig|--clear-?[cC]ache)$/;
/** What the next word belongs to. */
const WITH_VALUE =
  /^(?:--import|--require|-r|--(?:experimental-)?loader|--env-file|--conditions|--prefix|-w|--workspace|workspace|-C|--dir|--cwd|-F|--filter|--manifest-path)$/;
const NODE_SCRIPT = /(?:^|\/)(?:vitest|jest|mocha|ava|tap)(?:\.m?js|\/|$)/;
/** Then the next word is a program of its own, whatever its words are. */
const GIVEN_PROGRAM = /^(?:-e|-p|-pe|-c|--eval(?:=.*)?|--print(?:=.*)?)$/;
const INTERPRETER = /^(?:node|bun|deno|ruby|perl|php|sh|bash|dash|zsh|python(?:\d(?:\.\d+)?)?)$/;
const PYTHON = /^py(?:thon(?:\d(?:\.\d+)?)?)?$/;
/** Scripts of frameworks that run tests when that is the first thing they are told. */
const FRAMEWORK = /(?:^|\/)(?:manage\.py|artisan)$/;
const STARTS_WITH_VALUE =
  /^(?:-n|-C|-F|-w|--with|--name|--project|--directory|--package|--python|--group|--extra|--env-file|--filter|--dir)$/;
/** Programs that start another one behind this word. */
const STARTS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    "uv poetry pipenv pdm rye hatch conda".split(" ").map((name) => [name, /^run$/]),
  ),
  bundle: /^exec$/,
  npm: /^(?:exec|x)$/,
  pnpm: /^(?:exec|dlx)$/,
  yarn: /^(?:exec|dlx)$/,
};
/** Programs that start another one, and are not it. */
const WRAPPERS = new Set([
  "npx",
  "bunx",
  "env",
  "time",
  "nice",
  "timeout",
  "sudo",
  "stdbuf",
  "xvfb-run",
]);
const WRAPPED_MAX = 5;
const SETTING = /^-|=|^\d+[smh]?$/;

/** Whether words before a command only start it, as wrappers and interpreters do. */
export function doesStart(before: readonly string[]): boolean {
  return before.every((word, at) => {
    const name = basename(word);
    if (WRAPPERS.has(name) || INTERPRETER.test(name)) return true;
    return at > 0 && SETTING.test(word) && !GIVEN_PROGRAM.test(word);
  });
}

/** They look at files, move them or talk about them, and run none of them. */
const ONLY_HANDLES = new Set([
  ..."cat ls less more head tail wc nl od grep egrep fgrep rg ag find fd sed awk gawk diff cmp".split(
    " ",
  ),
  ..."cp mv rm mkdir rmdir touch chmod chown ln tee echo printf test [ stat file du sort uniq".split(
    " ",
  ),
  ..."git tar gzip vi vim nano ed patch basename dirname realpath readlink".split(" "),
]);
const TEST_NAME = /(?:^|[._:-])(?:(?:run)?tests?|specs?)(?:[._:-]|$)/i;
/** As tools of Java and Android call what runs tests. */
const TEST_TASK = /(?:^|:)test[A-Z]|[a-z]Test$/;
/** What stands before a program or a module that is started in its place. */
const STARTING = /^(?:exec|run|dlx|x|-m)$/;

/**
 * Whether a command could have run tests in a way that is not known here: `node test.js`,
 * `./run-tests.sh`, `mix test`, `python3 manage.py test`. Only what the program or its script is called
 * counts, and the first thing that it is told.
 */
export function mayRunTests(argv: readonly string[]): boolean {
  const [program = "", ...rest] = argv;
  const name = basename(program);
  if (ONLY_HANDLES.has(name) || onlyPlans(name, rest)) return false;
  if (isCalledTest(program)) return true;
  if (rest.some((word) => GIVEN_PROGRAM.test(word) || ONLY_SAYS.test(word))) return false;
  const words = rest.filter((word) => !/^[-+]/.test(word));
  // An interpreter is told its script first.
  const told = words.slice(0, INTERPRETER.test(name) ? 2 : 1);
  const started = rest.filter((_, at) => STARTING.test(rest[at - 1] ?? ""));
  return [...told, ...started].some((word) => RUNNERS.has(basename(word)) || isCalledTest(word));
}

/** Programs that only start what runs the tests. */
const STARTERS = /^(?:npm|pnpm|yarn|make|tox|nox|mvnw?|gradlew?)$/;

/** Whether what runs tests is started by a command, and is not the command itself. */
export function isOnlyStarter(argv: readonly string[]): boolean {
  const runner = testRunnerOf(argv);
  return runner === undefined || STARTERS.test(runner);
}

/** The script that an interpreter is given. */
export function scriptOf([program = "", ...rest]: readonly string[]): string | undefined {
  return INTERPRETER.test(basename(program)) ? rest.find((word) => !/^[-+]/.test(word)) : undefined;
}

function isCalledTest(path: string): boolean {
  return (
    !/\s/.test(path) && path.split("/").some((part) => TEST_NAME.test(part) || TEST_TASK.test(part))
  );
}

/** The test runner that a command is, by its own words; undefined when it is none. */
export function testRunnerOf(argv: readonly string[]): string | undefined {
  let words = [...argv];
  for (let depth = 0; depth < WRAPPED_MAX; depth += 1) {
    const [program = "", ...rest] = words;
    const name = basename(program);
    const next = startedAt(name, rest);
    if (next === undefined) return runnerOf(name, rest);
    if (next < 0) return undefined;
    words = rest.slice(next);
  }
  return undefined;
}

/** Where in its words a program names another one that it starts; undefined when it starts none. */
function startedAt(name: string, rest: readonly string[]): number | undefined {
  // Settings of the wrapper and its numbers come first.
  const next = (from: number) =>
    rest.findIndex((word, at) => {
      const isValue = name in STARTS && STARTS_WITH_VALUE.test(rest[at - 1] ?? "");
      return at >= from && !SETTING.test(word) && !isValue;
    });
  if (WRAPPERS.has(name)) return next(0);
  const [word, at] = [STARTS[name], next(0)];
  if (word?.test(rest[at] ?? "") === true) return next(at + 1);
  // `pnpm vitest` is `pnpm exec vitest`.
  return /^(?:pnpm|yarn)$/.test(name) && RUNNERS.has(rest[at] ?? "") ? at : undefined;
}

function runnerOf(name: string, rest: readonly string[]): string | undefined {
  // Behind this, words are those of a script or of the tests.
  const end = rest.indexOf("--");
  const own = end < 0 ? rest : rest.slice(0, end);
  if (own.some((word) => ONLY_SAYS.test(word))) return undefined;
  if (RUNNERS.has(name)) return name;
  const [script = "", verb] = rest;
  if (FRAMEWORK.test(script)) return verb === "test" ? basename(script) : undefined;
  if (PYTHON.test(name) || name === "coverage") return moduleOf(rest);
  const isRun = name === "node" ? runsByNode(rest) : runsWhenTold(name, rest);
  return isRun ? name : undefined;
}

/** The test runner that Python is told to run as a module. */
function moduleOf(rest: readonly string[]): string | undefined {
  const at = rest.indexOf("-m");
  const module = rest[at + 1] ?? "";
  return at >= 0 && /^(?:pytest|unittest|nose2|tox)$/.test(module) ? module : undefined;
}

function runsWhenTold(name: string, rest: readonly string[]): boolean {
  const any = ANY_WORD[name];
  if (any !== undefined) {
    return rest.some((one) => any.test(one)) && !onlyPlans(name, rest);
  }
  const verb = FIRST_WORD[name];
  if (verb === undefined) return false;
  // Some settings take a value with one program and none with another; the verb is no value.
  const words = rest.filter((one, at) => {
    const isValue = WITH_VALUE.test(rest[at - 1] ?? "") && !verb.test(one);
    return !/^[-+]/.test(one) && !isValue;
  });
  const [first = "", second = ""] = words;
  return verb.test(RUNS_SCRIPT.test(first) ? second : first);
}

function onlyPlans(name: string, rest: readonly string[]): boolean {
  return name === "make" && rest.some((one) => ONLY_PLANS.test(one));
}

/** By its own setting or by its script; what comes behind a script is the script's. */
function runsByNode(rest: readonly string[]): boolean {
  const at = rest.findIndex((one, index) => {
    const isWord = !one.startsWith("-") && !WITH_VALUE.test(rest[index - 1] ?? "");
    return isWord || GIVEN_PROGRAM.test(one);
  });
  const own = at < 0 ? rest : rest.slice(0, at);
  return own.some((one) => /^--test(?:$|=)/.test(one)) || NODE_SCRIPT.test(rest[at] ?? "");
}
