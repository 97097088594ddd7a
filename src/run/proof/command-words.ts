import { basename, posix } from "node:path";

/** One command of a line, and the folder of the project that it is started in. */
export interface OneCommand {
  readonly words: readonly string[];
  readonly folder: string;
}

const SHELL = /^(?:ba|da|z|k)?sh$/;
/** Words that only lead up to the program: settings of its environment, and what starts it. */
const BEFORE = /^(?:\w+=.*|env|timeout|time|nice|nohup|exec|command|npx|bunx|-.*|\d+[smh]?)$/s;
const MANAGER = /^(?:npm|pnpm|yarn|bun)$/;
/** Programs that look at the files they are given, and run none of them. */
const READERS = new Set(
  (
    "cat grep egrep fgrep rg test [ ls diff cmp head tail wc jq sort uniq cut tr stat file find sha256sum md5sum echo " +
    "printf true false rm cp mv mkdir touch cd git eslint biome oxlint prettier tsc ruff black mypy flake8 pylint"
  ).split(" "),
);
/** What comes next is code of the plan's own. */
const INLINE = /^(?:-[a-z]*[ecp]|--eval|--print|--check)$/;

/** The commands in an argv: itself, or those of the line that it hands to a shell. */
export function commandsIn(argv: readonly string[]): OneCommand[] {
  const at = argv.findIndex((word) => !BEFORE.test(word));
  const rest = argv.slice(Math.max(at, 0));
  const line = rest.findIndex((word, index) => index > 0 && /^-\w*c$/.test(word));
  if (!SHELL.test(basename(rest[0] ?? "")) || line < 0) return [{ words: rest, folder: "" }];
  return commandsOfLine(rest[line + 1] ?? "");
}

/** The commands of a line as a shell takes it apart, roughly: more of them do no harm. */
export function commandsOfLine(line: string): OneCommand[] {
  const found: OneCommand[] = [];
  let folder = "";
  for (const part of line.split(/&&|\|\||[;|&\n()`]/)) {
    const words = part.split(/\s+/).flatMap((word) => word.replace(/^["']+|["']+$/g, "") || []);
    if (words[0] === "cd") folder = posix.join(folder, words[1] ?? "");
    const commands = commandsIn(words).map((one) => ({
      words: one.words,
      folder: posix.join(folder, one.folder),
    }));
    found.push(...commands.filter((one) => one.words.length > 0));
  }
  return found;
}

/** The script that a package manager, or node, is told to run; undefined for any other command. */
export function scriptOf([program = "", ...words]: readonly string[]): string | undefined {
  const name = basename(program);
  if (name === "node") {
    const at = words.findIndex((word) => /^--run(?:=|$)/.test(word));
    return at < 0 ? undefined : (words[at]?.split("=")[1] ?? words[at + 1]);
  }
  if (!MANAGER.test(name)) return undefined;
  const said = words.filter((word) => !word.startsWith("-") && !/^run(?:-script)?$/.test(word));
  const [script = "test"] = said;
  return /^(?:t|tst)$/.test(script) ? "test" : script;
}

/** Whether a command only looks at files, or is a shell's own word for where and how. */
export function runsNothing([program = ""]: readonly string[]): boolean {
  return READERS.has(basename(program)) || /^(?:set|export|exit|:|trap|umask)$/.test(program);
}

/** Whether one of the commands is this program, however it is reached. */
export function isStarted(program: RegExp, { words }: OneCommand): boolean {
  return words.some((word) => program.test(basename(word).replace(/\.[cm]?js$/, "")));
}

/**
 * Whether a command runs this file of the project: as its program, as the script of its interpreter, or
 * as what an option before that names. What comes after is given to the script and looked at by it.
 */
export function runsFile(path: string, command: OneCommand): boolean {
  return namesRun(command).some((name) => isNamed(path, name));
}

/** What a command runs of the project, as it names it: endings may be missing, and some are no files of it. */
export function namesRun({ words, folder }: OneCommand): string[] {
  return filesRun(words).map((word) => posix.join(folder, word));
}

function filesRun(words: readonly string[]): string[] {
  const [program = "", ...rest] = words;
  const name = basename(program);
  if (READERS.has(name)) return [];
  if (!MANAGER.test(name)) return [program, ...firstOperand(rest)];
  return /^(?:exec|x|dlx)$/.test(rest[0] ?? "") ? filesRun(rest.slice(1).filter(isWord)) : [];
}

/** What an interpreter is told to run, with the values of the options before it. */
function firstOperand(words: readonly string[]): string[] {
  const module = words.indexOf("-m");
  const inline = words.findIndex((word) => INLINE.test(word));
  // Behind an option it may be that option's value, and the script is still to come.
  const script = words.findIndex((word, at) => isWord(word) && isWord(words[at - 1] ?? ""));
  const end = Math.min(...[module, inline, script].map((at) => (at < 0 ? words.length : at)));
  const before = words.slice(0, end).map((word) => word.replace(/^-[^=]*=/, ""));
  if (end === module) return [...before, (words[end + 1] ?? "").replaceAll(".", "/")];
  return end === script ? [...before, words[end] ?? ""] : before;
}

function isWord(word: string): boolean {
  return !word.startsWith("-");
}

/** Interpreters add endings, and look into folders. */
function isNamed(path: string, word: string): boolean {
  if (word === "." || word === "") return false;
  const rest = path.startsWith(word) ? path.slice(word.length) : undefined;
  return (
    rest !== undefined && /^(?:$|\.\w+$|\/(?:index\.\w+|__main__\.py|package\.json)$)/.test(rest)
  );
}
