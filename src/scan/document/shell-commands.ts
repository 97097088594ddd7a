import type { Fence, Mention } from "./markdown.ts";
import { resolveIn, type TreePaths } from "./tree-paths.ts";

/** One command of a fenced block. */
export interface Command {
  readonly words: readonly string[];
  readonly line: number;
  /** The folder it runs in, as far as the block tells. */
  readonly folder: string;
}

const SHELLS = new Set([
  "sh",
  "bash",
  "shell",
  "zsh",
  "console",
  "terminal",
  "shell-session",
  "shellsession",
]);
/** From here on the reader is in a folder of their own. */
const OWN_PROJECT =
  /^(?:mkdir|git init|npm (?:init|create|exec)|npx (?:create-|degit|--yes create)|yarn (?:init|create)|pnpm (?:init|create|dlx)|cargo new|rails new|ssh|docker (?:run|exec)|kubectl exec|wget|curl|tar|unzip|touch|cat >|cp|mv|tee)\b/;
/** Signs after which words cannot be told apart without a shell. */
const UNREADABLE = /<<|`|\$\(|\bfor\b.{0,200}\bdo\b|\bwhile\b|\bif\b.{0,200}\bthen\b|[{}]/;
const WORDS_MAX = 40;
const JOINED_CHARS_MAX = 4_000;
const PROMPT = /^\s{0,40}\$ /;

/**
 * The commands of a block that a reader would type at the root of the tree. Reading stops where the
 * block leaves the tree or sets up another project: what follows is not about this one.
 */
export function commandsOf(fence: Fence, start: string, paths: TreePaths): Command[] {
  if (!SHELLS.has(fence.language)) return [];
  const block = new Block(start, paths);
  for (const { text, line } of wholeLines(typedLines(fence))) block.take(text, line);
  return block.commands;
}

class Block {
  readonly commands: Command[] = [];
  readonly #paths: TreePaths;
  /** Undefined once the block is about something else. */
  #folder: string | undefined;
  #hasCloned = false;

  constructor(folder: string, paths: TreePaths) {
    this.#folder = folder;
    this.#paths = paths;
  }

  take(text: string, line: number): void {
    if (UNREADABLE.test(text)) this.#folder = undefined;
    for (const part of text.split(/&&|\|\||[;|]/)) this.#takeCommand(wordsOf(part), line);
  }

  #takeCommand(words: readonly string[], line: number): void {
    const whole = words.join(" ");
    if (OWN_PROJECT.test(whole)) this.#folder = undefined;
    if (this.#folder === undefined || words.length === 0) return;
    if (whole.startsWith("git clone")) this.#hasCloned = true;
    if (words[0] === "cd") this.#enter(this.#folder, words[1] ?? "");
    else this.commands.push({ words, line, folder: this.#folder });
  }

  #enter(from: string, to: string): void {
    const target = resolveIn(from, to.replace(/^["']|["']$/g, ""));
    if (target !== undefined && !to.startsWith("/") && this.#paths.hasFolder(target)) {
      this.#folder = target;
    } else this.#folder = this.#hasCloned && /^[\w.-]{1,100}\/?$/.test(to) ? "" : undefined;
  }
}

/** With prompts in the block, only what follows one was typed, or continues it; the rest is output. */
function typedLines({ lines }: Fence): Mention[] {
  if (!lines.some(({ text }) => PROMPT.test(text))) return [...lines];
  let continues = false;
  return lines.flatMap(({ text, line }) => {
    if (!continues && !PROMPT.test(text)) return [];
    const typed = text.replace(continues ? /^\s{0,40}>? ?/ : PROMPT, "");
    continues = typed.trimEnd().endsWith("\\");
    return [{ text: typed, line }];
  });
}

/** Joins lines that end with a backslash, and leaves comments out. */
function wholeLines(lines: readonly Mention[]): Mention[] {
  const whole: Mention[] = [];
  let before = "";
  for (const { text, line } of lines) {
    const joined = `${before}${text}`.trim();
    const continues = joined.endsWith("\\") && joined.length < JOINED_CHARS_MAX;
    before = continues ? `${joined.slice(0, -1)} ` : "";
    if (!continues && joined !== "" && !joined.startsWith("#")) whole.push({ text: joined, line });
  }
  return whole;
}

function wordsOf(part: string): string[] {
  const words = part
    .replace(/(?:^|\s)#.{0,2000}$/, "")
    .trim()
    .split(/\s+/, WORDS_MAX);
  // Variables for one command, and what only starts another one.
  let from = 0;
  while (/^(?:[A-Z_][A-Z0-9_]{0,60}=\S{0,200}|sudo|time|env|exec|then|do)$/.test(words[from] ?? ""))
    from += 1;
  return words.slice(from).filter((word) => word !== "");
}
