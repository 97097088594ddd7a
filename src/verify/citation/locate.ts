import type { Quote } from "./quote.ts";
import { type SourceText, withoutMarks } from "./source-text.ts";
import type { Place, TextView } from "./text-view.ts";

/** How many places of a text are looked at; beyond it the number is "at least". */
export const PLACES_MAX = 1_000;

/** Where a quote was found. */
export interface Located {
  /** The cited lines where it is there, otherwise the nearest place. */
  readonly place: Place;
  readonly isAtCited: boolean;
  /** Whether white space alone had to be overlooked. */
  readonly isExact: boolean;
  /** In how many places it is, when not at the cited one. */
  readonly count: number;
}

type Find = (view: TextView, pattern: string, lines?: Place) => ReturnType<TextView["exact"]>;

const exactly: Find = (view, pattern, lines) =>
  view.exact(pattern, PLACES_MAX, lines).filter((stretch) => isWhole(view.text, stretch));
const squeezed: Find = (view, pattern) =>
  view.squeezed(pattern, PLACES_MAX).filter((stretch) => isWhole(view.text, stretch));

/** Finds a quote: exactly, then without regard to a document's marks, then without regard to white space. */
export function locate(source: SourceText, quote: Quote, cited?: Place): Located | undefined {
  const { plain, unmarked } = source;
  const bare = unmarked === undefined ? quote : mapQuote(quote, withoutMarks);
  return (
    locateIn(plain, quote, exactly, cited) ??
    (unmarked && locateIn(unmarked, bare, exactly, cited)) ??
    inexact(locateIn(unmarked ?? plain, bare, squeezed, cited))
  );
}

function mapQuote({ whole, parts }: Quote, map: (text: string) => string): Quote {
  return { whole: map(whole), parts: parts.map(map) };
}

function inexact(located: Located | undefined): Located | undefined {
  return located && { ...located, isExact: false };
}

function locateIn(view: TextView, quote: Quote, find: Find, cited?: Place): Located | undefined {
  const single = quote.parts.length === 1 ? (quote.parts[0] ?? "") : quote.whole;
  // First where it should be: a text that stands in thousands of places is right there too.
  const around = cited && linesAround(cited, single);
  const there = around && find === exactly ? placesOf(view, [single], find, around) : [];
  const right = cited && there.find((place) => fits(place, cited));
  if (right) return { place: right, isAtCited: true, isExact: true, count: 1 };
  const anywhere = placesOf(view, [single], find);
  const places = anywhere.length > 0 ? anywhere : placesOf(view, quote.parts, find);
  return places.length === 0 ? undefined : choose(places, cited);
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
function placesOf(view: TextView, parts: readonly string[], find: Find, lines?: Place): Place[] {
  const [first = "", ...later] = parts;
  const starts = find(view, first, lines);
  const others = later.map((part) => find(view, part));
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
  const extra = quoted.split("\n").length - 1;
  return { from: Math.max(1, cited.from - extra), to: cited.to + extra };
}

const WORD = /[\p{L}\p{N}_$]/u;

/** A quote that begins or ends within a word is not what is written there: `user` in `superuser`. */
function isWhole(text: string, { start, end }: { start: number; end: number }): boolean {
  const joins = (at: number) => WORD.test(text.charAt(at - 1)) && WORD.test(text.charAt(at));
  return !(start > 0 && joins(start)) && !(end < text.length && joins(end));
}
