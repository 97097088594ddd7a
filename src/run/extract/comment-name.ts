import { isNameLike } from "./name-like.ts";

/** How comments begin and end, in the languages people write files in; longer beginnings first. */
const COMMENTS: readonly (readonly [string, string])[] = [
  ["{/*", "*/}"],
  ["<!--", "-->"],
  ["<%#", "%>"],
  ["<%--", "--%>"],
  ["{{!--", "--}}"],
  ["{#", "#}"],
  ["{-", "-}"],
  ["(*", "*)"],
  ["/**", "*/"],
  ["/*", "*/"],
  ["///", ""],
  ["//!", ""],
  ["//", ""],
  ["@REM ", ""],
  ["@rem ", ""],
  ["REM ", ""],
  ["rem ", ""],
  ["dnl ", ""],
  ["::", ""],
  ["..", ""],
  ["--", ""],
  ["##", ""],
  ["#", ""],
  [";;", ""],
  [";", ""],
  ["%", ""],
  ["!", ""],
];
/** Beginnings of comments that are quotes elsewhere: they count for a name and nothing else. */
const QUOTES: typeof COMMENTS = [
  ["'", ""],
  ['"', ""],
];
const LINE_CHARS_MAX = 1_100;

/** What a line says that is a comment and nothing else; undefined for every other line. */
export function commentText(line: string, kinds = COMMENTS): string | undefined {
  if (line.length > LINE_CHARS_MAX) return undefined;
  const text = line.trim();
  const kind = kinds.find(([begin, end]) => isBetween(text, begin, end));
  if (kind === undefined) return undefined;
  return text.slice(kind[0].length, text.length - kind[1].length).trim();
}

function isBetween(text: string, begin: string, end: string): boolean {
  return text.length >= begin.length + end.length && text.startsWith(begin) && text.endsWith(end);
}

/** The file's name where the line is a comment that holds nothing else. */
export function commentName(line: string): string | undefined {
  const text = commentText(line) ?? commentText(line, QUOTES);
  if (text === undefined || text === "" || line.startsWith("#!")) return undefined;
  const said = /^(?:file|filename|filepath|path)\s?:\s?(.+)$/i.exec(text)?.[1];
  if (said !== undefined) return isNameLike(said.replaceAll(" ", "_")) ? said : undefined;
  return isNameLike(text) ? text : undefined;
}
