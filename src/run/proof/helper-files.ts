import { posix } from "node:path";
import type { Repository } from "../../repo/index.ts";
import { isTestName } from "../../scan/kind/index.ts";
import { readCommitFile } from "./commit-file.ts";

/** What an interpreter adds to a name that it is told to run. */
const RUN_ENDINGS = ["", ".js", ".mjs", ".cjs", ".py", "/__main__.py", "/index.js"];
const FILES_MAX = 100;
const LOADED_MAX = 1_000;
const TEXT_CHARS_MAX = 1 << 20;
/** Where projects keep what runs beside the program, and is no part of it. */
const TOOLS = /(?:^|\/)(?:tools?|scripts?|ci|checks?|hack|dev|\.github)\//i;
/** Where the program itself is, whatever its files are called. */
const PROGRAM = /(?:^|\/)(?:src|app)\//;
/** As parts of a check are called: `lib/helper.mjs`, `assertions.py`. */
const HELPER = /^(?:helpers?|harness|assert\w*|expect\w*|check\w*|verify\w*|verif\w*)$/i;

/** How files of a language name those that they load; a name is tried with each ending. */
const LANGUAGES: readonly {
  readonly files: RegExp;
  readonly named: (text: string) => string[];
  readonly endings: readonly string[];
}[] = [
  {
    files: /\.[cm]?[jt]sx?$/,
    named: (text) =>
      all(text, /\b(?:from|import|require)\s{0,10}\(?\s{0,10}["'](\.{1,2}\/[^"'\n]{1,500})["']/g),
    endings: ["", ".js", ".mjs", ".cjs", ".ts", ".mts", "/index.js", "/index.ts"],
  },
  {
    files: /\.py$/,
    named: (text) =>
      [
        ...all(text, /^[ \t]{0,40}import[ \t]+([\w., ]{1,500})/gm).flatMap(modules),
        ...[
          ...text.matchAll(
            /^[ \t]{0,40}from[ \t]+([\w.]{1,300})[ \t]+import[ \t]+([\w, ]{1,500})/gm,
          ),
        ].flatMap(([, from = "", names = ""]) => [
          from,
          ...modules(names).map((name) => `${from}.${name}`),
        ]),
      ].map((module) => `./${module.replace(/^\.+/, "").replaceAll(".", "/")}`),
    endings: [".py", "/__init__.py"],
  },
  {
    files: /(?:\.(?:ba|da|z|k)?sh|(?:^|\/)[^./]+)$/,
    named: (text) =>
      all(text, /([\w./-]{1,300}\.(?:ba|da|z|k)?sh)\b/g).map(
        (name) => `./${name.replace(/^[./]+/, "")}`,
      ),
    endings: [""],
  },
];

const all = (text: string, form: RegExp): string[] =>
  [...text.matchAll(form)].slice(0, LOADED_MAX).flatMap(([, name]) => name ?? []);

const modules = (names: string): string[] =>
  names.split(",").flatMap((one) => one.trim().split(/\s/)[0] || []);

/**
 * Which files that scripts load belong to the check that these are, and not to what is checked: they are called
 * so, or lie with the script where tools lie. Through these it is followed on, through the program it is not.
 *
 * @param run what commands run, as they name it
 */
export async function helperFiles(
  run: readonly string[],
  repository: Repository,
  commit: string,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const named = [...new Set(run)].slice(0, FILES_MAX);
  const places = named.flatMap((one) => RUN_ENDINGS.map((ending) => one + ending));
  const scripts = await existing(places, repository, commit);
  const waiting = [...scripts];
  for (let read = 0; read < FILES_MAX; read += 1) {
    const path = waiting.shift();
    if (path === undefined) break;
    for (const one of await loadedBy(path, repository, commit)) {
      if (found.has(one) || scripts.includes(one) || !isHelper(one, path)) continue;
      found.add(one);
      waiting.push(one);
    }
  }
  return found;
}

function isHelper(path: string, loader: string): boolean {
  if (PROGRAM.test(path)) return false;
  // What is called a check demands something of what lies beside it.
  return isCalledHelper(path) || (TOOLS.test(path) && TOOLS.test(loader) && !isCheck(loader));
}

function isCheck(path: string): boolean {
  return isTestName(path) || isCalledHelper(path);
}

function isCalledHelper(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return name.split(/[._-]+/).some((word) => HELPER.test(word));
}

/** The files of the project that one loads, from its own folder or from the top. */
async function loadedBy(path: string, repository: Repository, commit: string): Promise<string[]> {
  const language = LANGUAGES.find(({ files }) => files.test(path));
  const text = language && (await textAt(repository, commit, path));
  if (language === undefined || text === undefined) return [];
  const found: string[] = [];
  for (const name of new Set(language.named(text.slice(0, TEXT_CHARS_MAX)))) {
    const places = [posix.join(posix.dirname(path), name), posix.normalize(name)];
    const tried = places.flatMap((place) => language.endings.map((ending) => place + ending));
    const [first] = await existing([...new Set(tried)], repository, commit);
    if (first !== undefined) found.push(first);
  }
  return found;
}

async function existing(
  paths: readonly string[],
  repository: Repository,
  commit: string,
): Promise<string[]> {
  const found: string[] = [];
  // One after the other: each question listens for the end of the whole.
  for (const path of paths) {
    if (path.startsWith("..") || path.startsWith("/")) continue;
    if ((await repository.blobAt(commit, path))?.kind === "file") found.push(path);
  }
  return found;
}

async function textAt(
  repository: Repository,
  commit: string,
  path: string,
): Promise<string | undefined> {
  if (path === "." || path.startsWith("..") || path.startsWith("/")) return undefined;
  const file = await readCommitFile(repository, commit, path);
  return file.state === "text" ? file.text : undefined;
}
