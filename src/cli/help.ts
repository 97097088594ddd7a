import type { Command } from "./command.ts";
import { firstCommands, otherCommands } from "./help-groups.ts";
import { wordsOf, wrap } from "./wrap.ts";

const COLUMNS = 80;
const INDENT = "  ";
/** Where what a command does begins; a longer one has it on the next line. */
const LEFT_MAX = 25;

/** Every command on one screen or little more: the first ones with what they do, the others by name. */
export function overview(commands: readonly Command[]): string {
  const others = otherCommands(commands);
  const width = Math.max(...others.map(({ title }) => title.length)) + INDENT.length;
  return [
    "sworn puts coding agents under oath: what they did is recorded, signed, checked.",
    "",
    ...rowsOf(firstCommands(commands)),
    "",
    ...others.flatMap(({ title, commands: named }) => besides(title, width, listed(named))),
    "",
    ...wrap(
      wordsOf(
        '"sworn <command> --help" says what one does, with an example; "sworn trace --help" does so for all that begin with trace.',
      ),
      COLUMNS,
    ),
    ...closing(),
  ].join("\n");
}

/** Some commands, each with what it does. */
export function groupHelp(commands: readonly Command[]): string {
  return [...rowsOf(commands), "", ...closing()].join("\n");
}

function closing(): string[] {
  const words =
    "Every command takes --json: one JSON document on stdout. Exit codes: 0 done, 1 the machine failed, 2 wrong usage or input, 3 refused, 4 does not verify; what they mean for a command is in its own help.";
  return [...wrap(wordsOf(words), COLUMNS), ""];
}

function rowsOf(commands: readonly Command[]): string[] {
  const lefts = commands.map((command) => usage(command).length);
  const width = Math.min(LEFT_MAX, Math.max(...lefts)) + 2 * INDENT.length;
  return commands.flatMap((command) =>
    besides(`${INDENT}${usage(command)}`, width, wordsOf(command.summary)),
  );
}

/** The names of commands, none of which is broken. */
function listed(commands: readonly Command[]): readonly string[] {
  const last = commands.length - 1;
  return commands.map(({ path }, at) => `${path.join(" ")}${at === last ? "" : ","}`);
}

/** A word, and beside it a text that keeps to its own column; below it where the word is too long. */
function besides(
  left: string,
  width: number,
  text: readonly string[],
  columns = COLUMNS,
): string[] {
  const lines = wrap(text, columns - width).map((line) => `${" ".repeat(width)}${line}`);
  if (left.length + INDENT.length > width) {
    return [...wrap(wordsOf(left), columns, INDENT + INDENT), ...lines];
  }
  return lines.map((line, at) => (at === 0 ? left.padEnd(width) + line.slice(width) : line));
}

/** One command in full, with an example; on a terminal in lines that fit it. */
export function commandHelp(command: Command, columns = Number.POSITIVE_INFINITY): string {
  const arguments_ = (command.positionals ?? []).map(
    ({ name, about }) => [`<${name}>`, about] as const,
  );
  const options = Object.entries(command.options ?? {}).map(
    ([name, { type }]) =>
      [
        `--${name}${type === "string" ? " <value>" : ""}`,
        `${command.required?.includes(name) ? "(required) " : ""}${command.notes?.[name] ?? ""}`,
      ] as const,
  );
  const rows = [...arguments_, ...options, ["--json", "one JSON document on stdout"] as const];
  const exits = Object.entries({ ...ALWAYS, ...command.exits });
  return [
    ...wrap(wordsOf(usage(command)), columns, INDENT + INDENT),
    "",
    ...wrap(wordsOf(command.summary), columns - INDENT.length).map((line) => `${INDENT}${line}`),
    "",
    ...columnsOf(rows, columns),
    "",
    ...wrap(wordsOf(`Example: ${command.example}`), columns, INDENT + INDENT),
    ...(command.more === undefined ? [] : ["", ...refilled(command.more, columns)]),
    "",
    "Exit codes:",
    ...columnsOf(exits, columns),
    "",
  ].join("\n");
}

/** Words, and what they mean beside them. */
function columnsOf(
  rows: readonly (readonly [left: string, right: string])[],
  columns: number,
): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2 * INDENT.length;
  return rows.flatMap(([left, right]) =>
    besides(`${INDENT}${left}`, width, wordsOf(right), columns),
  );
}

/** Prose is filled anew where a line of it is too long; what is set in stays a line of its own. */
function refilled(lines: readonly string[], columns: number): string[] {
  if (lines.every((line) => line.length <= columns)) return [...lines];
  const parts: string[] = [];
  for (const line of lines) {
    const last = parts.at(-1);
    const goesOn = last !== undefined && ![last, line].some((one) => /^(?: |$)/.test(one));
    if (goesOn) parts[parts.length - 1] = `${last} ${line}`;
    else parts.push(line);
  }
  return parts.flatMap((part) =>
    wrap(wordsOf(part), columns, part.startsWith(" ") ? INDENT + INDENT : ""),
  );
}

const ALWAYS = { 0: "done", 1: "the machine failed", 2: "wrong usage or input" };

function usage({ path, positionals = [], required = [] }: Command): string {
  const words = positionals.map(({ name, optional }) => (optional ? `[${name}]` : `<${name}>`));
  return ["sworn", ...path, ...words, ...required.map((name) => `--${name} <value>`)].join(" ");
}
