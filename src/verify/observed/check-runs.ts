import { basename } from "node:path";
import type { Observation, SeenProcess } from "../../schema/observation.ts";
import { doesStart, testRunnerOf } from "./test-runner.ts";

const SCRIPT = String.raw`(?:npm|pnpm|yarn|bun)(?:\srun(?:-script)?)?\s`;
/** What is run for each of these, in the words of its command. */
const RUNS: Readonly<Record<string, RegExp>> = {
  build: new RegExp(
    String.raw`^(?:${SCRIPT}(?:build|compile)(?![\w-])|tsc\b|make(?:\s(?:all|build))?$|(?:cargo|go|dotnet|vite|next|swift|zig|bazel)\sbuild\b|webpack\b|gradlew?\b.*\s(?:build|assemble)\b|mvnw?\b.*\s(?:compile|package|install|verify)\b)`,
  ),
  linter: new RegExp(
    String.raw`^(?:${SCRIPT}lint(?![\w-])|(?:eslint|oxlint|flake8|pylint|rubocop|stylelint)\b|biome\s(?:check|lint|ci)\b|ruff\scheck\b|golangci-lint\srun\b|cargo\sclippy\b|prettier\s.*--check\b)`,
  ),
  "type check": new RegExp(
    String.raw`^(?:${SCRIPT}(?:type-?check|types|check:types|check-types|tsc)(?![\w-])|(?:tsc|mypy|pyright)\b|cargo\scheck\b)`,
  ),
  commit: /^git\s(?:-\S+\s)*(?:commit|push|merge|rebase|cherry-pick|revert|am)\b/,
  push: /^(?:git\s(?:-\S+\s)*(?:push|send-pack)|gh\spr\s(?:create|merge)|glab\smr\screate|hub\spull-request)\b/,
  tag: /^(?:git\s(?:-\S+\s)*tag|gh\srelease\screate|npm\sversion)\b/,
  "pull request":
    /^(?:gh\spr\s(?:create|new)|glab\smr\s(?:create|new)|hub\spull-request|tea\spr\screate|git\spush\s.*merge_request\.create)\b/,
};

/** Whether a command is what is run for a build, a linter and the like. */
export function runsCheck(check: string, argv: readonly string[]): boolean {
  if (check === "test run") return testRunnerOf(argv) !== undefined;
  const form = RUNS[check];
  if (form === undefined) return false;
  return argv.some((word, at) => {
    const words = [basename(word), ...argv.slice(at + 1)].join(" ");
    return doesStart(argv.slice(0, at)) && form.test(words);
  });
}

/** The last process on the final tree that was such a command. */
export function lastCheck(
  check: string,
  { tree, processes }: Observation,
): SeenProcess | undefined {
  return processes.findLast(
    ({ argv, tree_before, tree_after }) =>
      tree_before === tree && tree_after === tree && runsCheck(check, argv),
  );
}
