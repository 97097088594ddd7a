import { basename } from "node:path";
import { scriptOf, testRunnerOf } from "./test-runner.ts";

/** Files that say what a program does when it is told to test, by the program's name. */
const DEFINED_BY: Readonly<Record<string, readonly string[]>> = {
  npm: ["package.json", ".npmrc"],
  pnpm: ["package.json", ".npmrc", ".pnpmfile.cjs", "pnpm-workspace.yaml"],
  yarn: ["package.json", ".npmrc", ".yarnrc", ".yarnrc.yml"],
  npx: [".npmrc"],
  bun: ["package.json", "bunfig.toml"],
  deno: ["deno.json", "deno.jsonc"],
  cargo: [".cargo/config", ".cargo/config.toml"],
  make: ["GNUmakefile", "makefile", "Makefile"],
  mvn: ["pom.xml"],
  mvnw: ["pom.xml"],
  gradle: ["build.gradle", "build.gradle.kts"],
  gradlew: ["build.gradle", "build.gradle.kts"],
  tox: ["tox.ini", "setup.cfg", "pyproject.toml"],
  nox: ["noxfile.py"],
  just: ["justfile", "Justfile", ".justfile"],
  task: ["Taskfile.yml", "Taskfile.yaml"],
  rake: ["Rakefile", "rakefile"],
  mix: ["mix.exs"],
  composer: ["composer.json"],
};
const PYTHON = /^python(?:\d(?:\.\d+)?)?$/;
const RUNNER_SCRIPT = /(?:^|\/)(?:vitest|jest|mocha|ava|tap)(?:\.m?js|\/|$)/;

/** Then the next word is code or settings of the runner's own, and no test. */
const LOADS =
  /^(?:--import|--require|-r|--(?:experimental-)?loader|--test-reporter|--reporters?|--env-file|-c|--config|--config-file|-p|-f|--file|--makefile|-I|--include-dir|--manifest-path|--init-script|--userconfig|--script-shell|--eval|--globalSetup|--setupFiles|--test-global-setup)$/;
/** Then it runs what other folders than its own say. */
const ELSEWHERE =
  /^(?:-C.*|(?:--directory|--prefix|--cwd|--dir|--workspaces?|--filter|--recursive|--manifest-path)(?:=.*)?|-w|-ws|-F|workspaces?)$/;

/** What decides that a command runs tests. */
export interface TestDefinition {
  /** To be looked for in its folder and above. */
  readonly names: readonly string[];
  /** Whether it was sent to other folders, so that such a name counts wherever it is. */
  readonly isElsewhere: boolean;
  /** Programs and what they load: files, with or without their endings, or folders. */
  readonly paths: readonly string[];
}

/**
 * Which files decide that a command runs tests, rather than which tests. Whoever can change one of
 * them can make any program a test run.
 */
export function definesTests(argv: readonly string[]): TestDefinition {
  const names = argv.flatMap((word) => DEFINED_BY[basename(word)] ?? []);
  const runner = testRunnerOf(argv);
  const isKnown = runner !== undefined;
  const own = isKnown ? argv : argv.slice(0, 1);
  const paths = own.flatMap((word, at) => pathsIn(word, at, argv[at - 1] ?? ""));
  // Of a program that is known here it is a test; of any other, and where it is the runner itself as with
  // `manage.py`, it says what a test run is.
  const script = scriptOf(argv);
  if (script !== undefined && (!isKnown || basename(script) === runner)) paths.push(script);
  for (const [at, word] of argv.entries()) {
    const module = argv[at + 2];
    if (!PYTHON.test(basename(word)) || argv[at + 1] !== "-m" || module === undefined) continue;
    // A module of that name beside the tests comes before the installed one.
    paths.push(module);
    names.push(...(DEFINED_BY[module] ?? []));
  }
  return { names, paths, isElsewhere: argv.some((word) => ELSEWHERE.test(word)) };
}

function pathsIn(word: string, at: number, before: string): string[] {
  // A program without a slash was found on the PATH, which no run decides.
  if (at === 0) return word.includes("/") ? [word] : [];
  if (RUNNER_SCRIPT.test(word) || LOADS.test(before)) return [word];
  const [, joined] = /^(?:--?[A-Za-z][\w.-]*=|-[A-Za-z])(.+)$/s.exec(word) ?? [];
  return joined === undefined ? [] : [joined];
}
