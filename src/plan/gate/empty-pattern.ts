/** Lines as every file of text has them. */
const ORDINARY = ["a", "B", "7", "_", "}", ";"];
/** What no line can hold: a line's end, something behind the end or before the beginning, nothing at all. */
const NEVER =
  /\(\?!\)|\[\^\\s\\S\]|\[\^\\S\\s\]|\[\]|(?<!\\)\$[\w ]|[\w ]\^|(?<!\\)(?:\\\\)*\\[nr0]|[\n\r\0]/;

/** Why a pattern says the same of nearly every file; undefined when it may be one that only the work meets. */
export function emptyPattern(pattern: string, present: boolean): string | undefined {
  const expression = toExpression(pattern);
  if (expression === undefined) return "it is no regular expression (with the flag u)";
  // A file ends with a line's end, so that its last line is an empty one.
  if (expression.test("")) {
    return present
      ? "it is found in every line: name what only the work writes"
      : "it is found in every line, so no file is without it";
  }
  if (NEVER.test(pattern)) return "no line can match it: name what a line holds";
  const isAnchored = pattern.startsWith("^") && pattern.endsWith("$");
  if (present && !isAnchored && ORDINARY.some((line) => expression.test(line))) {
    return "one character is enough for it, which nearly every file has: name what only the work writes";
  }
  return undefined;
}

function toExpression(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "u");
  } catch {
    // What cannot be read cannot be looked for.
    return undefined;
  }
}
