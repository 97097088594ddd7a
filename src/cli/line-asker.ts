import { SwornError } from "../base/index.ts";
import type { CommandIo } from "./io.ts";
import type { Asker } from "./scaffold-questions.ts";

const LINE_CHARS_MAX = 20_000;

/** Puts questions to whoever types, or to a file of lines: one line an answer. */
export function lineAsker(io: CommandIo): Asker {
  const lines = linesOf(io);
  return async (question) => {
    io.err(`${question}\n> `);
    const { value, done } = await lines.next();
    return done ? undefined : value;
  };
}

async function* linesOf(io: CommandIo): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of io.input()) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    rest = parts.pop() ?? "";
    if (rest.length > LINE_CHARS_MAX) {
      throw new SwornError(
        "LIMIT_EXCEEDED",
        `expected answers of at most ${LINE_CHARS_MAX} letters`,
      );
    }
    yield* parts;
  }
  if (rest !== "") yield rest;
  return undefined;
}
