import { nearest } from "../flow/words/nearest.ts";
import type { Command } from "./command.ts";
import { commandHelp, groupHelp, overview } from "./help.ts";
import type { Io } from "./io.ts";

/** Fewer letters begin too many words. */
const BEGINNING_CHARS_MIN = 3;

/** Answers a command line that names no command: with help where it asks for it, else with what was meant. */
export function answerWithoutCommand(
  argv: readonly string[],
  commands: readonly Command[],
  io: Io,
): number {
  const words = leadingWords(argv[0] === "help" ? argv.slice(1) : argv);
  const group = commands.filter(({ path }) => path[0] === words[0]);
  if (asksForHelp(argv)) {
    io.out(helpFor(argv[0] === "help" ? words : words.slice(0, 1), commands, group, io.columns));
    return 0;
  }
  const message = `sworn: ${whatLacks(words, group, commands) ?? `there is no command "${argv[0]}"`}`;
  if (argv.includes("--json")) io.out(`${JSON.stringify({ error: { code: "USAGE", message } })}\n`);
  io.err(`${message}\nRun "sworn --help" for what each does.\n`);
  return 2;
}

function whatLacks(
  words: readonly string[],
  group: readonly Command[],
  commands: readonly Command[],
): string | undefined {
  if (words.length === 0) return undefined;
  const next = group.map(({ path }) => path.slice(1).join(" ")).filter((word) => word !== "");
  const name = words.join(" ");
  if (next.length > 0 && words.length === 1) {
    return `"sworn ${name}" lacks its second word; expected one of: ${next.join(", ")}`;
  }
  const meant = meantBy(words, group.length > 0 ? group : commands);
  const then = meant && `; did you mean "sworn ${meant.path.join(" ")}"?`;
  const among = next.length > 0 ? `; expected one of: ${next.join(", ")}` : "";
  return `there is no command "${name}"${then ?? among}`;
}

/** `sworn help trace ls` says what `sworn trace ls --help` does. */
function helpFor(
  words: readonly string[],
  commands: readonly Command[],
  group: readonly Command[],
  columns: number | undefined,
): string {
  const asked = commandOf(words, commands);
  if (asked !== undefined) return commandHelp(asked, columns);
  if (group.length > 0) return groupHelp(group);
  const short = commands.find(({ path }) => path.length > 1 && path.at(-1) === words[0]);
  return short === undefined ? overview(commands) : shortHelp(short, columns);
}

/** What stands before the first option: only that can name a command. */
function leadingWords(argv: readonly string[]): readonly string[] {
  const until = argv.findIndex((word) => word.startsWith("-"));
  return (until < 0 ? argv : argv.slice(0, until)).slice(0, 2);
}

function commandOf(words: readonly string[], commands: readonly Command[]): Command | undefined {
  const isCalled = (path: readonly string[]) => path.every((word, at) => word === words[at]);
  return commands.find(({ path, aliases = [] }) => [path, ...aliases].some(isCalled));
}

function asksForHelp(argv: readonly string[]): boolean {
  return argv.length === 0 || argv[0] === "help" || argv.includes("--help") || argv.includes("-h");
}

function shortHelp(command: Command, columns: number | undefined): string {
  const path = command.path.join(" ");
  return `"sworn ${command.path.at(-1)}" is "sworn ${path}":\n\n${commandHelp(command, columns)}`;
}

/** The shortest command that begins so: whoever stopped before its end meant that, and no other one. */
function begunBy(
  word: string,
  commands: readonly Command[],
  nameOf: (command: Command) => string,
): Command | undefined {
  if (word.length < BEGINNING_CHARS_MIN) return undefined;
  return (
    commands
      // Where a whole word is there already, it is the next one that is not known.
      .filter((command) => nameOf(command).startsWith(word) && nameOf(command)[word.length] !== " ")
      .toSorted((one, other) => nameOf(one).length - nameOf(other).length)[0]
  );
}

/** The command whose words, or one of whose words, are near to what was written. */
function meantBy(words: readonly string[], commands: readonly Command[]): Command | undefined {
  const named = (word: string | undefined, nameOf: (command: Command) => string) => {
    const name = nearest(word ?? "", commands.map(nameOf));
    return commands.find((command) => nameOf(command) === name);
  };
  const wholeOf = ({ path }: Command) => path.join(" ");
  const lastOf = ({ path }: Command) => path.at(-1) ?? "";
  return (
    commands.find((command) => lastOf(command) === words[0]) ??
    begunBy(words.join(" "), commands, wholeOf) ??
    named(words.join(" "), wholeOf) ??
    named(words[0], lastOf) ??
    named(words[1], lastOf)
  );
}
