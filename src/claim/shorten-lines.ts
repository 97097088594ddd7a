/** Stands for what was taken out of a line; the character behind it says which. Both are private-use characters. */
const MARK = "\uE000";
const FIRST = 0xe001;
const LAST = 0xf8ff;
const TAKEN_OUT = /\uE000[\uE001-\uF8FF]/g;
const PRIVATE = /[\uE000-\uF8FF]/;
/** Less than this is not worth the trouble. */
const CHARS_MIN = 12;
/**
 * The front of a line up to its first letter. Which block a line belongs to is decided in it: marks of
 * lists and quotations, indentation, hashes. A line with a letter is no rule and closes no fence.
 */
const FRONT = /^[^A-Za-z]{0,40}[A-Za-z]/;
/** Cells, HTML and its ends, fences, and hashes that close a heading, wherever they stand. */
const TELLING = /[|<>]|```|~~~|#\s*$/;

/** Lines that a parser of blocks reads faster, and the way back. */
export interface Shortened {
  readonly lines: readonly string[];
  /** Puts everything back that was taken out of a text. */
  restore(text: string): string;
}

/**
 * Takes the middle out of lines of prose and code. The parser looks at each character in turn, and
 * with its inline marks switched off none of these can change what it says.
 */
export function shortenLines(lines: readonly string[]): Shortened {
  // Somebody else's private-use characters could be taken for ours.
  if (lines.some((line) => PRIVATE.test(line))) return { lines, restore: (text) => text };
  const taken: string[] = [];
  const short = lines.map((line) => {
    const front = TELLING.test(line) ? undefined : FRONT.exec(line)?.[0].length;
    // The last character stays, and white space behind it: two spaces are a line break.
    const end = line.trimEnd().length - 1;
    if (front === undefined || end - front < CHARS_MIN || FIRST + taken.length > LAST) return line;
    taken.push(line.slice(front, end));
    const which = String.fromCharCode(FIRST + taken.length - 1);
    return `${line.slice(0, front)}${MARK}${which}${line.slice(end)}`;
  });
  const restore = (text: string) =>
    text.includes(MARK)
      ? text.replace(TAKEN_OUT, (mark) => taken[mark.charCodeAt(1) - FIRST] ?? mark)
      : text;
  return { lines: short, restore };
}
