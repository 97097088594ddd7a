/** Fewer lines of code than this beside the long ones are a wrapper, and no writing of a person's. */
const ORDINARY_LINES_MIN = 5;
/** Where the long lines hold this many times as much as the others, those are its strings and ends. */
const LONG_TO_ORDINARY_MAX = 20;
/** A picture or a table in one piece, written into ordinary code: a long line, but no code. */
const ONE_PIECE = /["'`](?:data:[\w/+.-]{1,60};base64,)?[\w+/=-]{200,}["'`]/g;

/**
 * Whether a machine pressed this code together: most of its text stands in lines of more than so
 * many characters, and hardly any in others. One long line among ordinary ones, or a long comment,
 * must not keep reviewers from the rest: anybody can add one.
 */
export function isMinified(text: string, longLineChars: number): boolean {
  let [longChars, ordinaryChars, ordinaryLines] = [0, 0, 0];
  for (const line of linesOf(text)) {
    if (isBlankOrComment(line)) continue;
    const length = lengthOf(line, longLineChars);
    if (length > longLineChars) longChars += length;
    else {
      ordinaryChars += length;
      if (/\w/.test(line)) ordinaryLines += 1;
    }
  }
  const isFew =
    ordinaryLines < ORDINARY_LINES_MIN || longChars > ordinaryChars * LONG_TO_ORDINARY_MAX;
  return longChars > ordinaryChars && isFew;
}

function lengthOf(line: string, longLineChars: number): number {
  return line.length > longLineChars ? line.replace(ONE_PIECE, "").length : line.length;
}

function* linesOf(text: string): Generator<string> {
  let from = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
    yield text.slice(from, at);
    from = at + 1;
  }
  yield text.slice(from);
}

/** How much of a line's start shows that it is a comment. */
const START_CHARS = 200;

function isBlankOrComment(line: string): boolean {
  const start = line.slice(0, START_CHARS).trimStart();
  if (start === "") return line.length <= START_CHARS || line.trim() === "";
  if (/^(?:\/\/|#|\*(?!\/))/.test(start)) return true;
  // Licences stand in front of minified code on the same line.
  return start.startsWith("/*") && line.indexOf("*/") >= line.trimEnd().length - 2;
}
