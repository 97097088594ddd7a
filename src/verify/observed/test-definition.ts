import { basename } from "node:path";

/** Files that say what a program does when it is told to test, by the program's name. */
const DEFINED_BY: Readonly<Record<string, readonly string[]>> = {
  npm: ["package.json"],
  pnpm: ["package.json"],
  yarn: ["package.json"],
  bun: ["package.json"],
  make: ["GNUmakefile", "makefile", "Makefile"],
  mvn: ["pom.xml"],
  gradle: ["build.gradle", "build.gradle.kts"],
  gradlew: ["build.gradle", "build.gradle.kts"],
  tox: ["tox.ini", "setup.cfg", "pyproject.toml"],
  nox: ["noxfile.py"],
};
const PYTHON = /^python(?:\d(?:\.\d+)?)?$/;
const RUNNER_SCRIPT = /(?:^|\/)(?:vitest|jest|mocha|ava|tap)(?:\.m?js|\/|$)/;

/**
 * Which files decide that a command runs tests, rather than which tests: names, to be looked for
 * from its folder upwards, and paths. Whoever can change one of them can make any program a test run.
 */
export function definesTests(argv: readonly string[]): { names: string[]; paths: string[] } {
  const names = argv.flatMap((word) => DEFINED_BY[basename(word)] ?? []);
  const paths = argv.filter((word, at) => at === 0 || RUNNER_SCRIPT.test(word));
  for (const [at, word] of argv.entries()) {
    const module = argv[at + 2];
    if (!PYTHON.test(basename(word)) || argv[at + 1] !== "-m" || module === undefined) continue;
    // A module of that name beside the tests comes before the installed one.
    paths.push(`${module}.py`, `${module}/__init__.py`, `${module}/__main__.py`);
    names.push(...(DEFINED_BY[module] ?? []));
  }
  return { names, paths };
}
