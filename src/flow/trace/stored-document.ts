import type * as z from "zod";
import { decodeUtf8, messageOf, parseJson, readPlainFile, SwornError } from "../../base/index.ts";
import { issueWords } from "../words/issue-words.ts";

/**
 * Reads a document that lies in the store, where others can have put anything in its place.
 *
 * @throws SwornError `STORE_UNREADABLE`, naming the file and what is wrong with it in one line.
 */
export function readStored<Shape extends z.ZodType>(
  path: string,
  shape: Shape,
  bytesMax: number,
): z.output<Shape> {
  const input = inputIn(path, bytesMax);
  const parsed = shape.safeParse(input);
  if (parsed.success) return parsed.data;
  throw unreadable(path, issueWords(parsed.error.issues, { shape, input }));
}

function inputIn(path: string, bytesMax: number): unknown {
  try {
    return parseJson(decodeUtf8(readPlainFile(path, bytesMax, "refuse")), bytesMax);
  } catch (cause) {
    throw unreadable(path, messageOf(cause), { cause });
  }
}

function unreadable(path: string, why: string, options?: ErrorOptions): SwornError {
  return new SwornError("STORE_UNREADABLE", `${path} cannot be read: ${why}`, options);
}
