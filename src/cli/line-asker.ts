import { SwornError } from "../base/index.ts";
import type { CommandIo } from "./io.ts";
import type { Asker } from "./scaffold-questions.ts";

const LINE_CHARS_MAX = 20_000;

/**
 * Puts questions to whoever types, or to a file of lines: one line an answer. A person is asked again
 * where an answer cannot be one; lines of a file would answer the wrong questions from there on.
 */
export function lineAsker(io: CommandIo): Asker {
  const lines = linesOf(io);
  const isPerson = io.isTerminal && io.stdin === undefined;
  return async (question, expected) => {
    for (;;) {
      io.err(`${question}\n> `);
      const { value, done } = await lines.next();
      if (done) return undefined;
      const said = value.trim();
      if (!isPerson || said === "" || (expected?.holds(said) ?? true)) return value;
      io.err(`expected ${expected?.words}, found ${JSON.stringify(said)}\n`);
    }
  };
}

async function* linesOf(io: CommandIo): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunksOf(io)) {
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

/** Ctrl-C takes the input away in the middle of a line; that is no failure of the input. */
async function* chunksOf(io: CommandIo): AsyncGenerator<Buffer> {
  try {
    yield* io.input();
  } catch (error) {
    io.signal.throwIfAborted();
    throw error;
  }
}
