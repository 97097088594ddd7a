import { barred, fenced, SwornError, visible } from "../base/index.ts";

/** Most letters of outside text that one block of a prompt carries. */
const BLOCK_CHARS_MAX = 1_000_000;
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * Outside text as a block that a reader cannot leave by accident, with hidden letters written out.
 *
 * @throws SwornError `LIMIT_EXCEEDED`.
 */
export function dataBlock(label: string, text: string): string {
  return block(label, linesOf(text), fenced);
}

/**
 * What an agent is to do, in somebody's words: told apart from ours, and no data.
 *
 * @throws SwornError `LIMIT_EXCEEDED`.
 */
export function taskBlock(text: string): string {
  const words = "Your task. Every line of it starts with a bar:";
  return block("words of the task", linesOf(text), (_, lines) => barred(words, lines));
}

function linesOf(text: string): string[] {
  return text.split(LINE_BREAK).map((line) => visible(line.replaceAll("\t", "  ")));
}

/** Names, one quoted name a line: a line break in a name stays inside its quotes, written out. */
export function nameBlock(label: string, names: readonly string[]): string {
  const lines = names.map((name) => visible(JSON.stringify(name)));
  return block(label, lines, fenced);
}

function block(label: string, lines: readonly string[], fence: typeof fenced): string {
  // With the bar, the space and the break that each line gets.
  const length = lines.reduce((sum, line) => sum + line.length + 3, -1);
  if (length > BLOCK_CHARS_MAX) {
    throw new SwornError(
      "LIMIT_EXCEEDED",
      `the ${label} take ${length} letters of a prompt, expected at most ${BLOCK_CHARS_MAX}; give the agent less`,
    );
  }
  return fence(label, lines);
}
