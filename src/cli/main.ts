import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Command } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { commandHelp, overview } from "./help.ts";
import type { Answer, CommandIo, Io } from "./io.ts";

/** Runs one command line and gives the exit code; never ends the process. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  if (argv[0] === "--version" || argv[0] === "-V") {
    io.out(`${version()}\n`);
    return 0;
  }
  const command = COMMANDS.find(({ path }) => path.every((word, index) => argv[index] === word));
  if (!command) return answerWithoutCommand(argv, io);
  const rest = argv.slice(command.path.length);
  if (rest.includes("--help") || rest.includes("-h")) {
    io.out(commandHelp(command));
    return 0;
  }
  const wantsJson = rest.includes("--json");
  const say = (text: string) => (wantsJson ? io.err : io.out)(harmless(text));
  return print(await answer(command, rest, { ...io, say }), wantsJson, io);
}

function answerWithoutCommand(argv: readonly string[], io: Io): number {
  const group = COMMANDS.filter(({ path }) => path[0] === argv[0]);
  const asksHelp =
    argv.length === 0 || argv.includes("--help") || argv.includes("-h") || argv[0] === "help";
  if (asksHelp) {
    io.out(overview(group.length > 0 ? group : COMMANDS));
    return 0;
  }
  const known = (group.length > 0 ? group : COMMANDS).map(({ path }) => path.join(" ")).join(", ");
  const message = `sworn: there is no command "${argv.slice(0, 2).join(" ")}"; expected one of: ${known}`;
  if (argv.includes("--json")) io.out(`${JSON.stringify({ error: { code: "USAGE", message } })}\n`);
  io.err(`${message}\nRun "sworn --help" for what each does.\n`);
  return 2;
}

async function answer(command: Command, args: readonly string[], io: CommandIo): Promise<Answer> {
  const words = readWords(command, args);
  if (typeof words === "string") return usage(command, words);
  try {
    const { Arguments, run } = await command.load();
    const parsed = Arguments.safeParse(words);
    if (parsed.success) return await run(parsed.data, io);
    const issue = parsed.error.issues[0];
    return usage(command, `${issue?.path.join(".")}: ${issue?.message}`);
  } catch (error) {
    const { toAnswer } = await import("./failure.ts");
    return toAnswer(error);
  }
}

/** The words of a command line by name, positionals and options alike; or what is wrong with them. */
function readWords(command: Command, args: readonly string[]): string | Record<string, unknown> {
  try {
    const options = { ...command.options, json: { type: "boolean" as const } };
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const expected = command.positionals ?? [];
    const missing = expected.slice(positionals.length).find(({ optional }) => !optional);
    if (missing) return `${missing.name} is missing: expected ${missing.about}`;
    if (positionals.length > expected.length) {
      return `"${positionals[expected.length]}" is one word too many`;
    }
    const { json: _, ...given } = values;
    return {
      ...given,
      ...Object.fromEntries(positionals.map((word, i) => [expected[i]?.name, word])),
    };
  } catch (error) {
    return error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
  }
}

function usage(command: Command, what: string): Answer {
  const message = `${what}; see "sworn ${command.path.join(" ")} --help"`;
  return { exit: 2, json: { error: { code: "USAGE", message } }, words: `sworn: ${message}` };
}

/** With --json the document alone is on stdout and prose goes to stderr; otherwise prose is the output. */
function print({ exit, json, words }: Answer, wantsJson: boolean, io: Io): number {
  const text = harmless(words.endsWith("\n") || words === "" ? words : `${words}\n`);
  if (wantsJson) io.out(`${harmless(JSON.stringify(json))}\n`);
  const isComplaint = exit === 1 || exit === 2;
  (wantsJson || isComplaint ? io.err : io.out)(text);
  return exit;
}

/**
 * Text from records and scripts is somebody else's: what could move a cursor or turn the reading
 * direction is shown as an escape, which in JSON still means the same character.
 */
function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === "\n" ? character : escaped(character),
  );
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

function version(): string {
  const manifest = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}
