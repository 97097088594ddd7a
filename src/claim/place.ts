import { readInline, type Span } from "./inline.ts";
import { isPathLike } from "./path-like.ts";

/** A place in a file, as written. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly end_line?: number;
}

/** A place, and where in the text it stands. */
export interface PlaceInText extends Place {
  readonly start: number;
  readonly end: number;
}

/** What a host of code puts in front of a path. */
const VIEWS = "blob|blame|src";
const HOSTED = new RegExp(`^https?://[^?#]*?/(?:${VIEWS})/[^/]+/`);
const LINE_MAX = 100_000_000;
const FILE_CHARS_MAX = 4_096;
const DASH = "[-–—]";
const NUMBERS = `L?(\\d{1,9})(?::\\d{1,9})?(?:\\s?(?:${DASH}|to)\\s?L?(\\d{1,9})(?::\\d{1,9})?)?`;
const TAIL = new RegExp(
  `(?::|#|::)${NUMBERS}((?:,\\s?L?\\d{1,9}(?:${DASH}L?\\d{1,9})?){0,20})[.,;:)]?$`,
);
const WORDS = `\\s{0,3}[,(:–—-]?\\s{0,3}(?:at |on )?(?:lines?|L)\\.?:?\\s{0,3}${NUMBERS}\\)?`;
/** What may follow the name of a file: `:10`, `#L10-L20`, ` (lines 10–20)`, `, line 10`. */
const SUFFIX = new RegExp(`[*_]{0,2}(?:(?::|#)${NUMBERS}|${WORDS})`, "iy");
const WORD_TAIL = new RegExp(`^(.{1,4096}?)${WORDS}$`, "i");

/** Lines as numbers; undefined where they are no lines or run backwards. */
export function lineRange(from: string | undefined, to?: string): Omit<Place, "file"> {
  const line = Number(from);
  if (!(line >= 1 && line <= LINE_MAX)) return {};
  const end = Number(to);
  return end > line && end <= LINE_MAX ? { line, end_line: end } : { line };
}

/**
 * Reads text that should be nothing but a place: `a.ts:10`, `a.ts#L10-L20`, `a.ts (lines 3–4)`.
 * `isNamed` says that the context calls it a file, so that a name without an ending will do.
 */
export function readPlaces(text: string, isNamed = false): Place[] {
  const trimmed = text.trim().replace(/^\((.*)\)$/, "$1");
  if (trimmed.length > FILE_CHARS_MAX + 100 || trimmed.includes("\n")) return [];
  const tail = TAIL.exec(trimmed);
  if (tail !== null) return withLines(trimmed.slice(0, tail.index), tail, isNamed);
  const words = WORD_TAIL.exec(trimmed);
  if (words !== null) {
    const file = words[1] ?? "";
    const range = lineRange(words[2], words[3]);
    return isPathLike(file, { isNamed, hasLine: true }) ? [{ file, ...range }] : [];
  }
  return isPathLike(trimmed, { isNamed, hasLine: false }) ? [{ file: trimmed }] : [];
}

function withLines(file: string, tail: RegExpExecArray, isNamed: boolean): Place[] {
  if (!isPathLike(file, { isNamed, hasLine: true })) return [];
  const more = (tail[3] ?? "").split(",").filter((part) => part.trim() !== "");
  const further = more.map((part) => {
    const [from, to] = part.trim().replaceAll("L", "").split(/[-–—]/);
    return { file, ...lineRange(from, to) };
  });
  return [{ file, ...lineRange(tail[1], tail[2]) }, ...further];
}

/** All places named in prose, in order: in backticks, as links or plain. */
export function placesIn(text: string, isNamed = false): PlaceInText[] {
  return readInline(text).flatMap((span) => placesOfSpan(text, span, isNamed));
}

function placesOfSpan(text: string, span: Span, isNamed: boolean): PlaceInText[] {
  if (span.kind === "comment") return [];
  if (span.kind === "text") return placesOfWords(text, span, isNamed);
  const isAfterIn =
    isNamed ||
    /\b(?:in|at|file:?)[\s*_(]{1,4}$/i.test(text.slice(Math.max(0, span.start - 12), span.start));
  const own =
    span.kind === "code" ? readPlaces(span.text, isAfterIn) : placesOfLink(span.text, span.url);
  return withSuffix(text, own, span.start, span.end);
}

function placesOfLink(label: string, url: string): Place[] {
  const shown = readPlaces(label.replaceAll("`", "").replaceAll("*", ""));
  if (shown.some((place) => place.line !== undefined)) return shown;
  const target = readPlaces(decoded(url).replace(HOSTED, ""), true);
  const linked = target.filter(
    (place) => !place.file.includes("://") && !place.file.startsWith("#"),
  );
  return linked.length > 0 ? linked : shown;
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    // A stray percent sign is part of a name, not a reason to lose the place.
    return url;
  }
}

function placesOfWords(text: string, span: Span, isNamed: boolean): PlaceInText[] {
  const found: PlaceInText[] = [];
  for (const { 0: word, index } of span.text.matchAll(/[^\s`*<>"',;|()]+/g)) {
    // Bounded before anything else looks at it: trimming a long run of dots takes quadratic time.
    if (word.length > FILE_CHARS_MAX) continue;
    const start = span.start + index;
    const bare = word.replace(/[.:!?]+$/, "");
    const isWhole = isNamed && bare.length === span.text.trim().length;
    const own = bare.length > 1 ? readPlaces(bare, isWhole) : [];
    found.push(...withSuffix(text, own, start, start + bare.length));
  }
  return found;
}

/** A file named alone takes its lines from the words behind it. */
function withSuffix(text: string, places: Place[], start: number, end: number): PlaceInText[] {
  const [only] = places;
  if (only === undefined) return [];
  if (places.length > 1 || only.line !== undefined) {
    return places.map((place) => ({ ...place, start, end }));
  }
  SUFFIX.lastIndex = end;
  const suffix = SUFFIX.exec(text);
  if (suffix === null) return [{ ...only, start, end }];
  const range = lineRange(suffix[1] ?? suffix[3], suffix[2] ?? suffix[4]);
  return [{ ...only, ...range, start, end: end + suffix[0].length }];
}
