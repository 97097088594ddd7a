import { SwornError } from "../base/index.ts";

/** Longer or deeper scripts are refused rather than half read. */
const SCRIPT_CHARS_MAX = 262_144;
const DEPTH_MAX = 16;

const SEPARATORS = ";|&()\n";
const BLANKS = " \t\r<>";

/**
 * The simple commands of a shell script, each as its words. Variables stay as they are and nothing is
 * run; what stands in a substitution is read as commands of its own.
 *
 * @throws SwornError `LIMIT_EXCEEDED` when it is too long or nested too deeply to read.
 */
export function shellCommands(script: string, depth = 0): string[][] {
  if (script.length > SCRIPT_CHARS_MAX || depth > DEPTH_MAX) {
    throw new SwornError("LIMIT_EXCEEDED", "a script is too long or nested too deeply to read");
  }
  const reader = new Reader(script, depth);
  reader.read();
  return reader.commands.filter((words) => words.length > 0);
}

class Reader {
  readonly commands: string[][] = [[]];
  readonly #script: string;
  readonly #depth: number;
  #at = 0;
  #word: string | undefined;

  constructor(script: string, depth: number) {
    this.#script = script;
    this.#depth = depth;
  }

  read(): void {
    while (this.#at < this.#script.length) this.#step(this.#script[this.#at] ?? "");
    this.#endCommand();
  }

  #step(character: string): void {
    if (character === "'") this.#single();
    else if (character === '"') this.#double();
    else if (character === "\\") this.#escaped();
    else if (this.#isSubstitution(character)) this.#substitution();
    else if (character === "#" && this.#word === undefined) this.#comment();
    else if (SEPARATORS.includes(character) && !this.#isRedirection()) this.#endCommand(1);
    else if (BLANKS.includes(character)) this.#endWord(1);
    else this.#append(character);
  }

  #append(text: string, length = 1): void {
    this.#word = (this.#word ?? "") + text;
    this.#at += length;
  }

  #endWord(skip = 0): void {
    if (this.#word !== undefined) this.commands.at(-1)?.push(this.#word);
    this.#word = undefined;
    this.#at += skip;
  }

  #endCommand(skip = 0): void {
    this.#endWord(skip);
    this.commands.push([]);
  }

  #single(): void {
    const end = this.#script.indexOf("'", this.#at + 1);
    const stop = end < 0 ? this.#script.length : end;
    this.#append(this.#script.slice(this.#at + 1, stop), stop + 1 - this.#at);
  }

  #double(): void {
    this.#append("");
    while (this.#at < this.#script.length) {
      const character = this.#script[this.#at] ?? "";
      if (character === '"') break;
      if (character === "\\") this.#escaped();
      else if (this.#isSubstitution(character)) this.#substitution();
      else this.#append(character);
    }
    this.#at += 1;
  }

  /** A backslash before a line's end joins lines; before anything else it stands for that. */
  #escaped(): void {
    const next = this.#script[this.#at + 1] ?? "";
    if (next === "\n") this.#at += 2;
    else this.#append(next, 2);
  }

  #comment(): void {
    const end = this.#script.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#script.length : end;
  }

  /** `2>&1` and `>&file` are no ends of commands. */
  #isRedirection(): boolean {
    return this.#script[this.#at] === "&" && /[<>]/.test(this.#script[this.#at - 1] ?? "");
  }

  #isSubstitution(character: string): boolean {
    return character === "`" || (character === "$" && this.#script[this.#at + 1] === "(");
  }

  #substitution(): void {
    const isBacktick = this.#script[this.#at] === "`";
    const from = this.#at + (isBacktick ? 1 : 2);
    const end = isBacktick ? this.#backtickFrom(from) : this.#closingFrom(from);
    this.commands.unshift(...shellCommands(this.#script.slice(from, end), this.#depth + 1));
    this.#append("$()", end + 1 - this.#at);
  }

  #backtickFrom(from: number): number {
    const end = this.#script.indexOf("`", from);
    return end < 0 ? this.#script.length : end;
  }

  #closingFrom(from: number): number {
    let open = 1;
    let at = from;
    for (; at < this.#script.length; at += 1) {
      if (this.#script[at] === "(") open += 1;
      if (this.#script[at] === ")") open -= 1;
      if (open === 0) break;
    }
    return at;
  }
}
