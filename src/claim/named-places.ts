import { SwornError } from "../base/index.ts";
import type { Block } from "./block.ts";
import { splitHtmlComments } from "./inline.ts";
import { hasFileEnding } from "./path-like.ts";
import { type PlaceInText, placesIn } from "./place.ts";

/** A line of a file that a report speaks of, in a finding or beside one. */
export interface NamedPlace {
  readonly file: string;
  readonly line: number;
  readonly end_line?: number;
  /** The line of the report that names it; 0 where the report has no lines. */
  readonly at: number;
}

/** Most places one report may name: as many as it may have findings. */
const PLACES_MAX = 20_000;
const FENCED = /```[\s\S]*?(?:```|$)/g;
const AROUND_CHARS = 80;
/** What lies outside of every repository: what a run left, and what others installed. */
const FOREIGN =
  /:|^~|^\/(?:usr|lib|etc|opt|tmp|var|proc|dev|nix)\/|(?:^|\/)(?:node_modules|site-packages)\//;
const STEP = "(?:[\\s`*(]|the |an? |new |file |test |it |is |to |in |into |as |at |from ){1,6}$";
/** Said of what is yet to be, was before, or is left by a run: it need not be in the source. */
const NOT_THERE_BEFORE = new RegExp(
  `(?:\\b(?:no|new|missing|absent)(?: such)? (?:file|line)|\\b(?:creat|generat|sav|delet|remov|renam|mov)(?:e|es|ed|ing)|\\b(?:produc|writ)(?:e|es|ing)|\\b(?:produced|wrote|written|formerly|previously|was|were)|\\boutputs?)${STEP}`,
  "i",
);
const NOT_THERE_AFTER =
  /^[\s`*)]{0,4}(?:(?:does|do|did)(?: not|n['’]t) exist|no longer exists?|(?:is|was|were|has been|will be) (?:missing|absent|removed|deleted|renamed|moved|created|generated|written|produced|not there))\b/i;

/**
 * Every line of a file that a report names outside of quoted code, whatever part it stands in: what is
 * said beside the findings is read and believed as they are, and a place can be made up there as well.
 *
 * @throws SwornError `LIMIT_EXCEEDED` for more places than a report can have findings.
 */
export function namedPlaces(blocks: readonly Block[]): NamedPlace[] {
  return distinct(placesOfBlocks(blocks));
}

const placesOfBlocks = (blocks: readonly Block[]): NamedPlace[] => blocks.flatMap(ofBlock);

/** The same place said again is one. */
function distinct(places: readonly NamedPlace[]): NamedPlace[] {
  const known = new Map<string, NamedPlace>();
  for (const place of places) {
    const name = `${place.file}:${place.line}-${place.end_line ?? ""}`;
    if (!known.has(name)) known.set(name, place);
    if (known.size > PLACES_MAX) throw tooMany();
  }
  return [...known.values()];
}

function ofBlock(block: Block): NamedPlace[] {
  switch (block.kind) {
    case "heading":
    case "paragraph":
      return placesNamed(block.text, block.line);
    case "list":
      return block.items.flatMap((item) => placesOfBlocks(item.blocks));
    case "table":
      return block.rows.flatMap(({ cells, line }) =>
        cells.flatMap((cell) => placesNamed(cell.replaceAll("\n", " "), line)),
      );
    case "quote":
      // A note in the form of a quotation is its author's; any other quotation may be of code.
      return /^\[!\w{1,20}\]/.test(block.text) ? placesNamed(block.text, block.line) : [];
    case "html":
      return /<(?:pre|code)\b/i.test(block.text)
        ? []
        : placesNamed(splitHtmlComments(block.text).prose, block.line);
    case "code":
    case "break":
      return [];
  }
}

/** The same for texts that are no document, with the code in their fences left out. */
export function placesOfTexts(texts: readonly string[]): NamedPlace[] {
  const telling = texts.filter((text) => /[:#]L?\d|\bline/i.test(text));
  return distinct(telling.flatMap((text) => placesNamed(text.replace(FENCED, " "), 0)));
}

function placesNamed(text: string, from: number): NamedPlace[] {
  let [line, counted] = [from, 0];
  return placesIn(text).flatMap((place) => {
    for (; counted < place.start; counted += 1) if (from > 0 && text[counted] === "\n") line += 1;
    if (place.line === undefined || !isOfSource(text, place)) return [];
    const end = place.end_line === undefined ? {} : { end_line: place.end_line };
    return [{ file: place.file, line: place.line, ...end, at: line }];
  });
}

/** A wrong suspicion costs a whole report its credit: hosts, other trees and what is not said to be there are left out. */
function isOfSource(text: string, { file, start, end }: PlaceInText): boolean {
  if (!hasFileEnding(file) || FOREIGN.test(file) || text.slice(start, end).includes("://")) {
    return false;
  }
  const before = text.slice(Math.max(0, start - AROUND_CHARS), start);
  return (
    !NOT_THERE_BEFORE.test(before) && !NOT_THERE_AFTER.test(text.slice(end, end + AROUND_CHARS))
  );
}

function tooMany(): SwornError {
  return new SwornError(
    "LIMIT_EXCEEDED",
    `the report names more than ${PLACES_MAX} lines of files; split it, or report only what matters`,
  );
}
