import { type Json, parseJson } from "../../base/index.ts";

const LINE_CHARS_MAX = 100_000;
const FENCE = /^\s{0,3}(?:`{3,}|~{3,})\S*\s*$/;

/** The object in the last line of an answer, whatever fences stand around it; undefined without one. */
export function lastJson(words: string): Json | undefined {
  const line = words
    .split("\n")
    .findLast((one) => one.trim() !== "" && !FENCE.test(one))
    ?.trim();
  if (line === undefined || line.length > LINE_CHARS_MAX || !line.startsWith("{")) return undefined;
  try {
    return parseJson(line, LINE_CHARS_MAX * 4);
  } catch {
    // Whoever asked treats no answer and an unreadable one alike.
    return undefined;
  }
}
