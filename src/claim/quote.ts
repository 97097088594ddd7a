import { lineRange, type Place, readPlaces } from "./place.ts";

/** Text copied from a file, as a reviewer shows it, and what is said about where it stands. */
export interface Quote {
  readonly text: string;
  readonly file?: string;
  readonly line?: number;
  readonly end_line?: number;
}

const COMMENT = /^\s*(?:\/\/+|#+|--+|\/\*+|<!--|\{\/\*|\(\*|;+|%+|"""|'''|REM\b|')\s?/i;
const COMMENT_END = /\s*(?:\*\/\}?|-->|\*\)|"""|''')\s*$/;
const LINES_OF =
  /^lines?:?\s{1,3}L?(\d{1,9})(?:\s{0,3}(?:[-–—]|to|through)\s{0,3}L?(\d{1,9}))?(?:\s{1,3}(?:of|in|from)\s{1,3}(\S.{0,4096}))?$/i;

/** What is known of a block of evidence. */
interface About {
  readonly cited?: Place | undefined;
  /** Nobody says that it is evidence: a diff then shows what stands there and what should. */
  readonly isProposal?: boolean;
}

/**
 * Reads a block of evidence. A comment "Lines a-b of file" tells the place and is no part of the
 * quote; a block may hold several. Line numbers and diff marks go only if every line has them.
 */
export function readQuotes(
  text: string,
  language = "",
  { cited, isProposal = false }: About = {},
): Quote[] {
  const parts: { place: Partial<Place>; lines: string[] }[] = [{ place: {}, lines: [] }];
  for (const line of text.split("\n")) {
    const place = placeOfComment(line, parts.length === 1 && parts[0]?.lines.length === 0);
    if (place === undefined) parts.at(-1)?.lines.push(line);
    else parts.push({ place, lines: [] });
  }
  return parts.flatMap(({ place, lines }) => {
    const bare = withoutMarks(
      withoutBlankEnds(lines),
      { language, isProposal },
      { ...cited, ...place },
    );
    return bare.text.trim() === "" ? [] : [{ ...bare, ...place }];
  });
}

/** The place a comment line tells. A bare `// a.ts:3` counts on the first line only. */
function placeOfComment(line: string, isFirst: boolean): Partial<Place> | undefined {
  if (line.length > 4_300) return undefined;
  const words = line.replace(COMMENT, "").replace(COMMENT_END, "").trim();
  const match = LINES_OF.exec(words);
  if (match !== null && (COMMENT.test(line) || (isFirst && match[3] !== undefined))) {
    const range = lineRange(match[1], match[2]);
    const file = (match[3] ?? "")
      .replace(/^`([^`]+)`$/, "$1")
      .replace(/[:.]$/, "")
      .trim();
    return file === "" ? range : { file, ...range };
  }
  if (!isFirst || !COMMENT.test(line)) return undefined;
  const [place, ...more] = readPlaces(words);
  return more.length === 0 && place?.line !== undefined ? place : undefined;
}

function withoutBlankEnds(lines: readonly string[]): string[] {
  const isText = (line: string): boolean => line.trim() !== "";
  return lines.slice(Math.max(0, lines.findIndex(isText)), lines.findLastIndex(isText) + 1);
}

interface Marked {
  readonly language: string;
  readonly isProposal: boolean;
}

function withoutMarks(lines: string[], marked: Marked, cited: Partial<Place>): Quote {
  return numbered(lines, cited) ?? { text: (diffed(lines, marked) ?? lines).join("\n") };
}

const NUMBERED = /^\s{0,9}(\d{1,9})(?:\s{0,2}[:|→│]|\t)(.*)$/;

/** The lines without their numbers; undefined unless all have ascending ones around the cited line. */
function numbered(lines: readonly string[], cited: Partial<Place>): Quote | undefined {
  const split = lines.map((line) => NUMBERED.exec(line));
  const numbers = split.map((match) => Number(match?.[1]));
  const isAscending = numbers.every((n, i) => i === 0 || n > (numbers[i - 1] ?? Number.NaN));
  const [first, last] = [numbers[0] ?? Number.NaN, numbers.at(-1) ?? Number.NaN];
  if (!isAscending || Number.isNaN(first) || Number.isNaN(last)) return undefined;
  // `1: a` may be the text itself, as in YAML: only numbers that cover the cited line are lines.
  const line = cited.line ?? first;
  if (line < first || line > last || (cited.line === undefined && lines.length < 2))
    return undefined;
  const rest = split.map((match) => match?.[2] ?? "");
  return { text: unpadded(rest).join("\n"), ...lineRange(String(first), String(last)) };
}

/** Takes away the one space between mark and text, if every line has it. */
function unpadded(lines: string[]): string[] {
  const texts = lines.filter((line) => line.trim() !== "");
  return texts.every((line) => line.startsWith(" ")) ? lines.map((line) => line.slice(1)) : lines;
}

/**
 * One side of a diff without its marks; undefined unless every line has one. Of a proposal it is the old
 * side, which is what stands in the source; of evidence the new one, which a change brought. Lines that all
 * start with `-` are a list in YAML and Markdown, and a diff only if the fence says so.
 */
function diffed(lines: readonly string[], { language, isProposal }: Marked): string[] | undefined {
  const isDiff = language === "diff" || language === "patch";
  const body = isDiff
    ? lines.filter((line) => !/^(?:@@|diff --git |--- |\+\+\+ )/.test(line))
    : lines;
  const isMarked = body.every((line) => /^[+-]/.test(line) || (isDiff && /^(?: |$)/.test(line)));
  const hasNew = body.some((line) => line.startsWith("+"));
  if (!isMarked || !(isDiff || hasNew) || body.length === 0) return undefined;
  const isOld = isProposal && (isDiff || body.some((line) => line.startsWith("-")));
  const left = isOld ? "+" : "-";
  const kept = hasNew ? body.filter((line) => !line.startsWith(left)) : body;
  const bare = kept.map((line) => line.slice(1));
  const indents = bare
    .filter((line) => line.trim() !== "")
    .map((line) => /^ */.exec(line)?.[0].length ?? 0);
  return indents.some((indent) => indent === 1) ? unpadded(bare) : bare;
}
