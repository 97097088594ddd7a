import type { EnvironmentName } from "../../schema/execution.ts";

/** What is known about a task when its environment has to be chosen; all of it may be missing. */
export interface EnvironmentHints {
  /** The language that the task's context states. */
  readonly language?: string | undefined;
  /** The model that will work on it. */
  readonly model?: string | undefined;
  readonly repositoryUrl?: string | undefined;
  readonly description?: string | undefined;
  /** Names of files at the top of the repository. */
  readonly files?: readonly string[] | undefined;
}

type Source = "language" | "model" | "repository_url" | "description" | "files" | "none";
type Toolchain = Exclude<EnvironmentName, "host" | "base">;

/** Which environment fits a task, which hint said so, and what it said. */
export interface Detection {
  readonly environment: EnvironmentName;
  readonly because: Source;
  readonly seen: string;
}

const HINT_CHARS_MAX = 65_536;
const FILES_MAX = 10_000;

/** The names that people give to languages. */
const LANGUAGES: Readonly<Record<Toolchain, readonly string[]>> = {
  node: ["node", "nodejs", "node.js", "javascript", "typescript", "js", "ts", "jsx", "tsx"],
  python: ["python", "python3", "py"],
  rust: ["rust", "rs"],
  go: ["go", "golang"],
  java: ["java", "kotlin"],
  cpp: ["cpp", "c++", "c", "cxx", "cc"],
};

/** Words in a description that belong to one toolchain. Shorter names are words of other meanings too. */
const KEYWORDS: Readonly<Record<Toolchain, readonly string[]>> = {
  node: [
    ..."node.js nodejs javascript typescript npm npx yarn pnpm jest vitest eslint".split(" "),
    ..."package.json tsconfig.json".split(" "),
  ],
  python: [
    ..."python python3 pip pip3 pytest mypy ruff django flask pyproject.toml".split(" "),
    "requirements.txt",
  ],
  rust: ["rust", "cargo", "rustc", "clippy", "rustfmt", "cargo.toml"],
  go: ["golang", "go build", "go test", "go mod", "go run", "go vet", "gopls", "go.mod"],
  java: ["java", "maven", "mvn", "gradle", "junit", "openjdk", "kotlin", "pom.xml"],
  cpp: ["c++", "g++", "gcc", "clang", "cmake", "valgrind", "ninja-build", "cmakelists.txt"],
};

/** Files at the top of a repository that only one toolchain reads. */
const FILES: Readonly<Record<Toolchain, readonly string[]>> = {
  node: ["package.json", "tsconfig.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml"],
  python: ["pyproject.toml", "setup.py", "requirements.txt", "pipfile", "poetry.lock", "uv.lock"],
  rust: ["cargo.toml", "cargo.lock"],
  go: ["go.mod", "go.sum"],
  java: ["pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle"],
  cpp: ["cmakelists.txt", "meson.build", "configure.ac", "conanfile.txt"],
};

/**
 * Chooses the environment for a task. What was stated beats the model's name, which beats the
 * repository's address, which beats words in the description, which beat the repository's files. A
 * hint that speaks for two toolchains speaks for none, and where nothing speaks it is `base`.
 */
export function detectEnvironment(hints: EnvironmentHints): Detection {
  const language = clean(hints.language);
  if (language !== "") return stated(language);
  const words = (text: string | undefined) => clean(text).split(/[^a-z0-9+#.]+/);
  const guesses: [Source, Found[]][] = [
    ["model", found(LANGUAGES, words(hints.model).filter(isNameOfItsOwn))],
    ["repository_url", found(LANGUAGES, endingOf(clean(hints.repositoryUrl)))],
    ["description", found(KEYWORDS, phrasesOf(words(hints.description)))],
    ["files", found(FILES, (hints.files ?? []).slice(0, FILES_MAX).map(clean))],
  ];
  for (const [because, all] of guesses) {
    const [first] = all;
    const isClear = all.every(({ toolchain }) => toolchain === first?.toolchain);
    if (first && isClear) return { environment: first.toolchain, because, seen: first.word };
  }
  return { environment: "base", because: "none", seen: "" };
}

interface Found {
  readonly toolchain: Toolchain;
  readonly word: string;
}

/** A language that was stated and that we have no toolchain for is not guessed over. */
function stated(language: string): Detection {
  const environment = found(LANGUAGES, [language])[0]?.toolchain ?? "base";
  return { environment, because: "language", seen: language.slice(0, 100) };
}

function found(
  table: Readonly<Record<Toolchain, readonly string[]>>,
  words: readonly string[],
): Found[] {
  const present = new Set(words);
  const toolchains = Object.keys(table) as Toolchain[];
  return toolchains.flatMap((toolchain) =>
    table[toolchain].filter((word) => present.has(word)).map((word) => ({ toolchain, word })),
  );
}

function clean(text: string | undefined): string {
  return (text ?? "").slice(0, HINT_CHARS_MAX).trim().toLowerCase();
}

/** A single letter in a model's name is a version or a size, not a language. */
function isNameOfItsOwn(word: string): boolean {
  return word.length > 1;
}

/** What a repository's name ends in, after a hyphen, an underscore or a dot. */
function endingOf(url: string): string[] {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  const name = path.split("/").findLast((piece) => piece !== "") ?? "";
  const pieces = (name.endsWith(".git") ? name.slice(0, -".git".length) : name).split(/[-_.]/);
  return pieces.length > 1 ? pieces.slice(-1) : [];
}

/** Single words and pairs of them, without the full stop that ends a sentence. */
function phrasesOf(words: readonly string[]): string[] {
  const plain = words
    .map((word) => (word.endsWith(".") ? word.slice(0, -1) : word))
    .filter((word) => word !== "");
  return [...plain, ...plain.slice(1).map((word, at) => `${plain[at]} ${word}`)];
}
