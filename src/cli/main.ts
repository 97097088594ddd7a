import { existsSync } from "node:fs";
import { packageVersion } from "../flow/package-version.ts";
import { harmless, isTalking, RUN_SOCKET } from "../inside/index.ts";
import type { Command } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { commandHelp } from "./help.ts";
import type { Answer, CommandIo, Io } from "./io.ts";

const VERSION_FLAGS = ["--version", "-V", "-v"];

/** Runs one command line and gives the exit code; never ends the process. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  if (VERSION_FLAGS.includes(argv[0] ?? "")) {
    io.out(`${packageVersion()}\n`);
    return 0;
  }
  // Inside a run nobody acts as the operator, whatever the words and the environment say.
  if (isTalking(argv) && existsSync(io.runSocket ?? RUN_SOCKET)) {
    const { speakInside } = await import("./speak-inside.ts");
    return speakInside(argv, io);
  }
  const called = calledBy(argv);
  if (!called) {
    const { answerWithoutCommand } = await import("./unknown-command.ts");
    return answerWithoutCommand(argv, COMMANDS, io);
  }
  const { command, rest } = called;
  const own = command.passesRest ? await ownWords(command, rest) : rest;
  if (own.includes("--help") || own.includes("-h")) {
    io.out(commandHelp(command, io.columns));
    return 0;
  }
  const wantsJson = own.includes("--json");
  const say = (text: string) => (wantsJson ? io.err : io.out)(harmless(text));
  return print(await answer(command, rest, { ...io, say, wantsJson }), wantsJson, io);
}

/** The words that are ours, where another command line follows. */
async function ownWords(command: Command, words: readonly string[]): Promise<readonly string[]> {
  const { partWords } = await import("./own-words.ts");
  return partWords(command, words).own;
}

/** The command that a line begins with, by its name or another name of it, and what follows. */
function calledBy(argv: readonly string[]) {
  for (const command of COMMANDS) {
    for (const path of [command.path, ...(command.aliases ?? [])]) {
      const isCalled = path.every((word, index) => argv[index] === word);
      if (isCalled) return { command, rest: argv.slice(path.length) };
    }
  }
  return undefined;
}

async function answer(command: Command, args: readonly string[], io: CommandIo): Promise<Answer> {
  const { readWords } = await import("./read-words.ts");
  const words = readWords(command, args);
  if (typeof words === "string") return usage(command, words);
  try {
    // Before the command is loaded: its shapes are made then.
    if (command.isBrief) (await import("../schema/uncompiled.ts")).leaveUncompiled();
    const { Arguments, run } = await command.load();
    const parsed = Arguments.safeParse(words);
    if (parsed.success) return await run(parsed.data, io);
    const { argumentWords } = await import("./argument-words.ts");
    return usage(command, argumentWords(command, Arguments, words, parsed.error.issues));
  } catch (error) {
    const { toAnswer } = await import("./failure.ts");
    return { ...toAnswer(error, io), isError: true };
  }
}

function usage(command: Command, what: string): Answer {
  const see = `"sworn ${command.path.join(" ")} --help"`;
  const message = what.endsWith("?") ? `${what} See ${see}` : `${what}; see ${see}`;
  const json = { error: { code: "USAGE", message } };
  return { exit: 2, json, words: `sworn: ${message}`, isError: true };
}

/** With --json the document alone is on stdout and prose goes to stderr; otherwise prose is the output. */
function print(answer: Answer, wantsJson: boolean, io: Io): number {
  const { exit, json, words, bytes, isError, isAnswered } = answer;
  const text = harmless(words.endsWith("\n") || words === "" ? words : `${words}\n`);
  if (bytes && !wantsJson) {
    printBytes(bytes, io);
    return exit;
  }
  if (wantsJson && json !== undefined) io.out(`${harmless(JSON.stringify(json))}\n`);
  const isComplaint = isError === true || (!isAnswered && (exit === 1 || exit === 2));
  (wantsJson || isComplaint ? io.err : io.out)(text);
  return answer.passed ?? exit;
}

/** A file or a program gets the very bytes; a terminal gets text that cannot steer it. */
function printBytes(bytes: Iterable<Buffer>, io: Io): void {
  const decoder = new TextDecoder();
  for (const chunk of bytes) {
    io.out(io.columns === undefined ? chunk : harmless(decoder.decode(chunk, { stream: true })));
  }
}
