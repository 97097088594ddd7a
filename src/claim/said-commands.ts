const QUOTED = /`([^`\n]{1,300})`/g;
const RAN = /\b(?:ran|executed|have run|i've run|verified with|checked with|running)\b/i;
/** Programs that are known by their names, wherever in such a sentence they stand. */
const PROGRAMS = [
  "npm npx pnpm yarn bunx? deno node tsx ts-node tsc vitest jest mocha ava cypress playwright eslint prettier biome oxlint",
  "stylelint knip webpack vite rollup esbuild turbo nx python(?:3(?:[.]\\d+)?)? pip3? pipx uvx? poetry pdm hatch pytest tox nox ruff mypy",
  "pyright flake8 pylint black isort bandit pre-commit go gofmt golangci-lint staticcheck cargo rustc rustfmt make cmake",
  "ctest ninja meson bazel just rake bundle ruby rspec rubocop php composer phpunit phpstan psalm mvnw? gradlew? sbt dotnet",
  "swift swiftlint xcodebuild dart flutter mix elixir zig perl prove lua git bash sh shellcheck shfmt bats docker podman",
  "kubectl helm terraform tflint ansible hadolint yamllint markdownlint sqlfluff semgrep trivy gitleaks actionlint",
]
  .join(" ")
  .replaceAll(" ", "|");
const COMMAND = new RegExp(String.raw`^(?:\./|[\w.-]{0,40}/){0,5}(?:${PROGRAMS})(?=$|\s)`);
/** What follows such a word directly is a command, whatever it is called. */
const RAN_IT =
  /(?:^[^\p{L}`]{0,12}(?:(?:then|also|finally|now),?\s)?|\b(?:i|we|and|then|also)\s|,\s)(?:(?:have|['’]ve|also|then|successfully)\s){0,2}(?:ran|(?<=(?:have|['’]ve)\s(?:(?:also|then|just|now|successfully)\s)?)run|executed)\s(?:(?:the|command|script|a|full|also|both|again)\s){0,3}((?:`[^`\n]{1,300}`(?:,\s(?:and\s)?|\s(?:and|&|\+|then)\s)?){1,10})(?=\s*(?:$|[.!,;:)–—]|(?:and|with|without|to|again|on|in|before|after|once|twice|locally|here|which|against|over|from)\b))/giu;
const USED_IT = /\bused\s(?:the\s(?:command\s)?)?`([^`\n]{1,300})`/giu;
/** Like a command for a shell and no code: a program in small letters, and words without any sign of a shell's own. */
const LIKE_COMMAND = /^(?:\.{0,2}\/)?[a-z][\w.+/-]{0,100}(?:\s[\w@%+=:,.~^/-]{1,200}){0,20}$/;
/** A shell does these itself, and nobody sees a program; and what other tongues begin with. */
const NO_PROGRAM =
  /^(?:cd|pwd|export|source|alias|set|unset|echo|printf|test|type|read|umask|true|false|exit|eval|select|insert|update|delete|create|drop|alter)(?:\s|$)/;
/** Of these, that they pass is said of the tests that they run. */
const OF_TESTS =
  /(?:^|[\s:/.-])(?:(?:py)?tests?|specs?|vitest|jest|mocha|ava|rspec|phpunit|nextest|tox|unittest)(?=$|[\s:/.-])/;
/** Several commands of which the same is said. */
const PASSED =
  /((?:`[^`\n]{1,300}`(?:,\s(?:and\s)?|\s(?:and|&|\+)\s)?){1,10})\s?(?:(?:all|both|now|also|still|again|is|are|was|were|has|have|runs?|ran|finish(?:es|ed)|complet(?:es|ed|e)|exits|exited|ends|ended|comes?\sback)\s){0,3}(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|successful(?:ly)?|green|clean|cleanly|with(?:\s(?:exit\s)?code)?\s0|with(?:out|\sno|\szero|\s0)\s(?:any\s)?(?:errors?|failures?|problems?|warnings?|issues?))(?=\s*(?:$|[.!,;:)|–—*✅]|-\s|\b(?:now|again|here|locally|too|cleanly|as\swell|and\b(?!\sreturns)|with(?:out|\sno|\szero)\s)))/giu;

/** What a sentence says of commands. */
export interface SaidCommands {
  readonly commands: readonly SaidCommand[];
  /** Whether one that runs tests is said to have passed. */
  readonly isOfTests: boolean;
}

interface SaidCommand {
  readonly command: string;
  /** It is said to have ended well, and not only to have been run. */
  readonly isPassed?: true;
}

/** The commands that a sentence says were run, and those that it says have passed. */
export function commandsIn(sentence: string): SaidCommands {
  if (!sentence.includes("`")) return { commands: [], isOfTests: false };
  const passed = [...sentence.matchAll(PASSED)].flatMap(([, list = ""]) => commandsOf(list));
  const others = passed.filter((one) => !OF_TESTS.test(one));
  const ran = new Set([
    ...(RAN.test(sentence) ? commandsOf(sentence) : []),
    ...ranOrUsed(sentence),
  ]);
  return {
    commands: [
      ...[...ran].filter((one) => !others.includes(one)).map((command) => ({ command })),
      ...others.map((command) => ({ command, isPassed: true as const })),
    ],
    isOfTests: others.length < passed.length,
  };
}

function ranOrUsed(sentence: string): string[] {
  const ran = [...sentence.matchAll(RAN_IT)]
    .flatMap(([, list = ""]) => [...list.matchAll(QUOTED)].map(([, code = ""]) => code.trim()))
    .filter((one) => LIKE_COMMAND.test(one) && !NO_PROGRAM.test(one));
  // Of a bare name that is used nobody says that it was run.
  const used = [...sentence.matchAll(USED_IT)].map(([, code = ""]) => code.trim());
  return [...ran, ...used.filter((one) => COMMAND.test(one) && /\s/.test(one))];
}

const commandsOf = (text: string): string[] =>
  [...text.matchAll(QUOTED)].map(([, code = ""]) => code.trim()).filter((one) => COMMAND.test(one));
