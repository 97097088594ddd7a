import { textOf } from "../json-value.ts";

const TAIL_CHARS = 1_000;
const EXIT = /^(?:Command exited with code|Exit Code): [1-9]/m;

/**
 * Whether the result of a call says that its command failed. Gemini CLI and Qwen Code call it a
 * success whatever the command's exit code was, and put that into the words at the end.
 */
export function tellsFailure(output: unknown): boolean {
  return EXIT.test((textOf(output) ?? "").slice(-TAIL_CHARS));
}
