import { programName } from "./command-words.ts";
import { shellCommands } from "./shell-words.ts";
import { uploadBy } from "./upload-tools.ts";
import { commandsBehind, literalsOf, scriptsOf } from "./wrapped-command.ts";

/** Commands inside commands inside commands: deeper, or more of them, than anybody means is refused. */
const DEPTH_MAX = 8;
const COMMANDS_MAX = 2_000;
const UNREADABLE = "a command that is nested too deeply or too long to be looked through";

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;

/**
 * The upload commands that a command line calls, in a few words each; empty when there is none.
 *
 * It looks through shells, wrappers, package runners and strings of inline code. It does not see
 * what a script in a file does or what variables hold: that nothing can be reached is what stops those.
 */
export function uploadCommandsIn(argv: readonly string[]): string[] {
  const search = new Search();
  try {
    search.command(argv, 0);
  } catch {
    // Fail closed: what cannot be read to its end may hide anything.
    return [UNREADABLE];
  }
  return [...search.found];
}

/** One look through a command line, with a bound on all of it together. */
class Search {
  readonly found = new Set<string>();
  #commands = 0;

  command(words: readonly string[], depth: number): void {
    this.#count(depth);
    const start = words.findIndex((word) => !ASSIGNMENT.test(word));
    if (start < 0) return;
    const program = programName(words[start] ?? "");
    const args = words.slice(start + 1);
    const upload = uploadBy(program, args);
    if (upload !== undefined) this.found.add(upload);
    for (const script of scriptsOf(program, args)) this.#script(script, depth + 1);
    for (const inner of commandsBehind(program, args)) this.command(inner, depth + 1);
    this.#code(literalsOf(program, args), depth + 1);
  }

  #script(script: string, depth: number): void {
    this.#count(depth);
    for (const words of shellCommands(script)) this.command(words, depth);
  }

  /** Inline code: each of its strings may be a script, and strings in a row may be a command. */
  #code(literals: readonly string[], depth: number): void {
    for (const [at, literal] of literals.entries()) {
      this.#script(literal, depth);
      this.command(literals.slice(at, at + 16), depth);
    }
  }

  #count(depth: number): void {
    this.#commands += 1;
    if (depth > DEPTH_MAX || this.#commands > COMMANDS_MAX) throw new RangeError(UNREADABLE);
  }
}
