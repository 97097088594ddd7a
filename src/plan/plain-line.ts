import { isPlain, SwornError } from "../base/index.ts";

/**
 * Text that may stand in a prompt's own sentences: one line, nothing hidden, no backtick that could
 * end the code it stands in.
 *
 * @throws SwornError `INPUT_INVALID`, naming the field.
 */
export function plainLine(field: string, text: string): string {
  if (text.trim() === "" || !isPlain(text) || text.includes("`")) {
    throw new SwornError(
      "INPUT_INVALID",
      `${field} is ${JSON.stringify(text.slice(0, 100))}, expected one line of plain text without backticks; change it in the contract`,
    );
  }
  return text;
}
