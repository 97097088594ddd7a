import { basename } from "node:path";

const RUNNERS = new Set([
  ..."vitest jest mocha ava tap tape jasmine karma cypress playwright".split(" "),
  ..."pytest py.test pytest-3 nose2 tox nox rspec phpunit ctest bats".split(" "),
]);
/** Programs that run tests when they are told to, by the words that tell them. */
const WITH_WORD: Readonly<Record<string, RegExp>> = {
  node: /^--test(?:$|=)|(?:^|\/)(?:vitest|jest|mocha|ava|tap)(?:\.m?js|\/|$)/,
  bun: /^test$/,
  deno: /^test$/,
  go: /^test$/,
  cargo: /^(?:test|nextest)$/,
  mvn: /^(?:test|verify|install)$/,
  gradle: /^(?:test|check|build)$/,
  gradlew: /^(?:test|check|build)$/,
  dotnet: /^test$/,
  make: /^(?:test|check)\b/,
  npm: /^(?:t|tst|test|test:.*)$/,
  pnpm: /^(?:t|test|test:.*)$/,
  yarn: /^(?:test|test:.*)$/,
};
const PYTHON = /^python(?:\d(?:\.\d+)?)?$/;
/** Programs that start another one, and are not it. */
const WRAPPERS = new Set(["npx", "env", "time", "nice", "timeout", "sudo", "stdbuf", "xvfb-run"]);
const WRAPPED_MAX = 5;

/** The test runner that a command is, by its own words; undefined when it is none. */
export function testRunnerOf(argv: readonly string[]): string | undefined {
  let words = [...argv];
  for (let depth = 0; depth < WRAPPED_MAX; depth += 1) {
    const [program = "", ...rest] = words;
    const name = basename(program);
    if (!WRAPPERS.has(name)) return runnerOf(name, rest);
    // Settings of the wrapper and its numbers come first.
    const next = rest.findIndex((word) => !/^-|=|^\d+[smh]?$/.test(word));
    if (next < 0) return undefined;
    words = rest.slice(next);
  }
  return undefined;
}

function runnerOf(name: string, rest: readonly string[]): string | undefined {
  if (RUNNERS.has(name)) return name;
  if (PYTHON.test(name)) {
    const at = rest.indexOf("-m");
    const module = rest[at + 1] ?? "";
    return at >= 0 && /^(?:pytest|unittest|nose2|tox)$/.test(module) ? module : undefined;
  }
  const word = WITH_WORD[name];
  return word !== undefined && rest.some((one) => word.test(one)) ? name : undefined;
}
