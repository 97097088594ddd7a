import type { PersonalStretch } from "./personal-hit.ts";

/** The lines that machines read on travel documents (ICAO 9303), by how long each is. */
const LINES_BY_LENGTH: ReadonlyMap<number, number> = new Map([
  [44, 2],
  [36, 2],
  [30, 3],
]);
const LINE_CHARS_MAX = 44;
/** As they stand in a file, or escaped in a text. */
const LINE_END = /(?:\r?\n|\\r\\n|\\n)[ \t]{0,12}/y;
const LINE = /[A-Z0-9<]{30,44}(?![A-Z0-9<])/y;
/** The country of specimens. */
const UTOPIA = "UTO";

/** A travel document around the filler that ends a family name: `ERIKSSON<<ANNA`. */
export function passportAt(text: string, at: number): PersonalStretch | undefined {
  const lines = linesAround(text, at);
  if (lines === undefined) return undefined;
  const [first = "", second = ""] = lines.texts;
  if (!/^[PIACV]/.test(first) || first.slice(2, 5) === UTOPIA) return undefined;
  const isSound = first.length === 30 ? isCard(first, second) : isBooklet(second);
  if (!isSound) return undefined;
  return { rule: "passport-mrz", severity: "high", start: lines.start, end: lines.end };
}

/** The name is in the first line of two, and in the third of three. */
function linesAround(text: string, at: number) {
  const line = lineAround(text, at);
  const count = LINES_BY_LENGTH.get(line.end - line.start);
  if (count === undefined) return undefined;
  const length = line.end - line.start;
  const start = count === 2 ? line.start : startBefore(text, line.start, length, 2);
  if (start === undefined) return undefined;
  const texts: string[] = [];
  let here = start;
  for (let number = 0; number < count; number += 1) {
    if (number > 0) here += lengthAt(LINE_END, text, here);
    const end = here + lengthAt(LINE, text, here);
    if (end - here !== length) return undefined;
    texts.push(text.slice(here, end));
    here = end;
  }
  return { start, end: here, texts };
}

function lineAround(text: string, at: number): { start: number; end: number } {
  let start = at;
  while (start > 0 && at - start <= LINE_CHARS_MAX && isFiller(text, start - 1)) start -= 1;
  return { start, end: start + lengthAt(LINE, text, start) };
}

/** Goes back over whole lines; an escaped line end would read as a part of the line before it. */
function startBefore(text: string, from: number, length: number, lines: number) {
  const ends = [1, 2, 3, 4].map((size) => size + length);
  let start = from;
  for (let number = 0; number < lines; number += 1) {
    const before = ends.find((size) => {
      const begin = start - size;
      if (begin < 0 || lengthAt(LINE, text, begin) !== length) return false;
      return lengthAt(LINE_END, text, begin + length) === size - length;
    });
    if (before === undefined) return undefined;
    start -= before;
  }
  return start;
}

function isFiller(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 60 || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

/** Passports and visas: number, birth and expiry in the second line, each with its check digit. */
function isBooklet(line: string): boolean {
  return hasCheck(line, 0, 9) && hasCheck(line, 13, 19) && hasCheck(line, 21, 27);
}

function isCard(first: string, second: string): boolean {
  return hasCheck(first, 5, 14) && hasCheck(second, 0, 6) && hasCheck(second, 8, 14);
}

function hasCheck(line: string, from: number, to: number): boolean {
  const weights = [7, 3, 1];
  let sum = 0;
  for (let at = from; at < to; at += 1) {
    const sign = line[at] ?? "<";
    sum += (sign === "<" ? 0 : Number.parseInt(sign, 36)) * (weights[(at - from) % 3] ?? 0);
  }
  return String(sum % 10) === line[to];
}
