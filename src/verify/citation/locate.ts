import type { Quote } from "./quote.ts";
import { type SourceText, withoutMarks } from "./source-text.ts";
import type { Place, Stretch, TextView } from "./text-view.ts";
import { isWithinWord } from "./word-code.ts";

/** How many places of a text are looked at; beyond it the number is "at least". */
export const PLACES_MAX = 1_000;
/** Lines up to this size are decoded and searched as a string; no text is in more places than that. */
const DECODED_BYTES_MAX = 1_000;
/** How many lines "and so on" may stand for: two pieces of a long file say nothing about each other. */
const LEFT_OUT_LINES_MAX = 200;

/** Where a quote was found. */
export interface Located {
  /** The cited lines where it is there, otherwise the nearest place. */
  readonly place: Place;
  readonly isAtCited: boolean;
  /** Whether white space alone had to be overlooked. */
  readonly isExact: boolean;
  /** In how many places it is, when not at the cited one. */
  readonly count: number;
  /** Its parts are there in this order, but so far apart that they are no one quote. */
  readonly isScattered?: true;
}

/** One way of finding a text. */
interface Search {
  /** Where it stands that touches some lines: no others count for a quote that is in its place. */
  near(view: TextView, pattern: string, lines: Place): Place[];
  everywhere(view: TextView, pattern: string): Stretch[];
}

const EXACTLY: Search = {
  near: (view, pattern, lines) =>
    view.sizeOf(lines) <= DECODED_BYTES_MAX
      ? placesIn(view.textOf(lines), pattern, lines.from)
      : wholeOnes(view, view.exact(pattern, PLACES_MAX, lines)).map((one) => view.placeOf(one)),
  everywhere: (view, pattern) => wholeOnes(view, view.exact(pattern, PLACES_MAX)),
};

const SQUEEZED: Search = {
  near: (view, pattern, lines) =>
    wholeOnes(view, view.squeezedAround(pattern, PLACES_MAX, lines)).map((one) =>
      view.placeOf(one),
    ),
  everywhere: (view, pattern) => wholeOnes(view, view.squeezed(pattern, PLACES_MAX)),
};

/** Finds a quote: exactly, then without regard to a document's marks, then without regard to white space. */
export function locate(source: SourceText, quote: Quote, cited?: Place): Located | undefined {
  const { plain, unmarked } = source;
  const bare = unmarked === undefined ? quote : mapQuote(quote, withoutMarks);
  return (
    locateIn(plain, quote, EXACTLY, cited) ??
    (unmarked && locateIn(unmarked, bare, EXACTLY, cited)) ??
    inexact(locateIn(unmarked ?? plain, bare, SQUEEZED, cited))
  );
}

function mapQuote({ whole, parts }: Quote, map: (text: string) => string): Quote {
  return { whole: map(whole), parts: parts.map(map) };
}

function inexact(located: Located | undefined): Located | undefined {
  return located && { ...located, isExact: false };
}

function locateIn(
  view: TextView,
  quote: Quote,
  search: Search,
  cited?: Place,
): Located | undefined {
  const single = quote.parts.length === 1 ? (quote.parts[0] ?? "") : quote.whole;
  // First where it should be: a text that stands in thousands of places is right there too.
  const right =
    cited &&
    search.near(view, single, linesAround(cited, single)).find((place) => fits(place, cited));
  if (right) return { place: right, isAtCited: true, isExact: true, count: 1 };
  const anywhere = placesOf(view, [single], search);
  if (anywhere.length > 0) return choose(anywhere, cited);
  const places = placesOf(view, quote.parts, search);
  const linesMax = newlinesIn(quote.whole) + LEFT_OUT_LINES_MAX;
  const close = places.filter(({ from, to }) => to - from <= linesMax);
  if (close.length > 0) return choose(close, cited);
  return places.length === 0 ? undefined : { ...choose(places, cited), isScattered: true };
}

function choose(places: readonly Place[], cited: Place | undefined): Located {
  const count = places.length;
  const right = cited && places.find((place) => fits(place, cited));
  if (right) return { place: right, isAtCited: true, isExact: true, count };
  const distance = ({ from }: Place) => Math.abs(from - (cited?.from ?? 0));
  const place = places.reduce((best, one) => (distance(one) < distance(best) ? one : best));
  return { place, isAtCited: false, isExact: true, count };
}

/** The parts one after the other; each later one at its first place behind the one before. */
function placesOf(view: TextView, parts: readonly string[], search: Search): Place[] {
  const [first = "", ...later] = parts;
  const starts = search.everywhere(view, first);
  const others = later.map((part) => search.everywhere(view, part));
  return starts.flatMap(({ start, end }) => {
    let last: number | undefined = end;
    for (const places of others) {
      const behind: number = last ?? Number.POSITIVE_INFINITY;
      last = places.find((place) => place.start >= behind)?.end;
    }
    return last === undefined ? [] : [view.placeOf({ start, end: last })];
  });
}

/** One lies within the other: a few lines of a long stretch, or a line within a quoted block. */
function fits(place: Place, cited: Place): boolean {
  const isInside = place.from >= cited.from && place.to <= cited.to;
  return isInside || (place.from <= cited.from && place.to >= cited.to);
}

function linesAround(cited: Place, quoted: string): Place {
  const extra = newlinesIn(quoted);
  return { from: Math.max(1, cited.from - extra), to: cited.to + extra };
}

/** A quote that begins or ends within a word is not what is written there: `user` in `superuser`. */
function wholeOnes({ bytes }: TextView, found: readonly Stretch[]): Stretch[] {
  return found.filter(
    ({ start, end }) => !(start > 0 && isWithinWord(bytes, start)) && !isWithinWord(bytes, end),
  );
}

/** The same in a few lines that were decoded, which is faster and enough for most quotes. */
function placesIn(text: string, pattern: string, firstLine: number): Place[] {
  const places: Place[] = [];
  if (pattern === "") return places;
  let [line, counted] = [firstLine, 0];
  const lines = newlinesIn(pattern.slice(0, -1));
  for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) {
    line += newlinesIn(text.slice(counted, at));
    counted = at;
    const isCut = joins(text, at) || joins(text, at + pattern.length);
    if (!isCut) places.push({ from: line, to: line + lines });
  }
  return places;
}

const WORD = /[\p{L}\p{N}_$]/u;

function joins(text: string, at: number): boolean {
  return WORD.test(text.charAt(at - 1)) && WORD.test(text.charAt(at));
}

function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
