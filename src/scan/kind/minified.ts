/** Fewer lines of code than this beside the long ones are a wrapper, and no writing of a person's. */
const ORDINARY_LINES_MIN = 5;
/** How many long lines one ordinary one may stand for. */
const LONG_TO_ORDINARY_MAX = 10;

/**
 * Whether a machine pressed this code together: most of its text stands in lines of more than so
 * many characters, and hardly any in others. One long line among ordinary ones, or a long comment,
 * must not keep reviewers from the rest: anybody can add one.
 */
export function isMinified(text: string, longLineChars: number): boolean {
  let [chars, longChars, longLines, ordinaryLines] = [0, 0, 0, 0];
  for (const line of linesOf(text)) {
    if (isBlankOrComment(line)) continue;
    chars += line.length;
    if (line.length > longLineChars) {
      longChars += line.length;
      longLines += 1;
    } else if (/\w/.test(line)) ordinaryLines += 1;
  }
  const isFew =
    ordinaryLines < ORDINARY_LINES_MIN || ordinaryLines * LONG_TO_ORDINARY_MAX < longLines;
  return longChars > chars / 2 && isFew;
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
