import type { Priority } from "../schema/finding.ts";
import { plain } from "./inline.ts";
import { type PlaceInText, placesIn } from "./place.ts";
import { confidenceIn, priorityOfWord } from "./priority.ts";

/** The first line of a finding, taken apart. */
export interface Head {
  readonly id: string | undefined;
  readonly title: string;
  readonly priority: Priority | undefined;
  readonly confidence: number | undefined;
  readonly places: readonly PlaceInText[];
  /** What stands behind title and places. */
  readonly rest: string;
  readonly hasBox: boolean;
  /** Whether the priority stands in front of everything else. */
  readonly hasTag: boolean;
}

const ID = "[A-Z][A-Z0-9]{0,15}(?:-[A-Z0-9]{1,15}){0,3}-\\d{1,8}";
/** An id in brackets, the way other text refers to a finding. */
export const BRACKETED_ID = new RegExp(`\\[(${ID})\\](?!\\()`, "g");
/** Numbers that many findings share are no numbers of a finding. */
const SHARED_ID = /^(?:CWE|CVE|RFC|ISO|UTF|SHA|PEP|GHSA|OWASP)-/;
const BOX = /^\[[ xX]\]\s{1,9}/;
const NUMBER = /^(?:(?:finding|issue)\s{0,3})?#?\d{1,5}[.):]\s{1,9}/i;
/** White space and pictures in front of a title. */
const DECORATION = /^[^\p{L}\p{N}\p{P}\p{S}]+|^\p{Extended_Pictographic}\uFE0F?\s{0,3}/u;
const LEADING_ID = new RegExp(`^(?:\\[(${ID})\\]|(${ID})(?=[\\s:*_—–]|$))\\s{0,3}[:—–.-]?\\s{0,3}`);
/** What may stand behind a priority and before its mark: `High severity:`, `Major issue —`. */
const TAG_COMPANION = "(?:[\\s-](?:severity|priority|risk|impact|issue|bug|finding))?";
/** In brackets, before a mark, alone in bold, or a number of the kind that means nothing else: `P1 Title`. */
const LEADING_TAG = new RegExp(
  `^(?:[[(](?:severity:?\\s?|priority:?\\s?)?([A-Za-z0-9]{2,13})${TAG_COMPANION}[\\])]|(?:severity:\\s?|priority:\\s?)?([A-Za-z0-9]{2,13})${TAG_COMPANION}(?=\\s?[:—–]|\\s-\\s|\\s?(?:\\*\\*|__))|(P[0-4])(?=\\s))\\s{0,3}[:—–-]?\\s{0,3}`,
  "i",
);
const TRAILING_TAG = new RegExp(
  `(?:[[(]|[—–-]\\s)(?:severity:?\\s?|priority:?\\s?)?([A-Za-z0-9]{2,13})${TAG_COMPANION}(?=\\s?[\\]),;]|\\s?[—–]|\\s-|\\s?$)`,
  "gi",
);
const CONFIDENCE =
  /[[(]?\b(?:confidence:?\s{0,3}([\d.]{1,8}\s?%?|high|medium|low)|(high|medium|low) confidence)\b[\])%]?/i;

/** Words and marks between two places that say nothing. */
const CONNECTOR = /^[\s*_`(),;:.—–-]*(?:(?:in|at|and|on|also|see|file)[\s*_`(),;:.—–-]*)?$/i;
/** Priorities that mean nothing else in front of or behind a title; `Error: x` is a title. */
const TAG_WORD = /^(?:p[0-4]|critical|blocker|high|major|medium|moderate|low|minor|nit|trivial)$/i;
const priorityOfTag = (word: string): Priority | undefined =>
  TAG_WORD.test(word) ? priorityOfWord(word) : undefined;

/** Takes the head of a finding apart: box, number, priority, id, title and places. */
export function readHead(text: string): Head {
  const hasBox = BOX.test(text.trimStart());
  const start = readStart(text.trimStart().replace(BOX, ""));
  const confident = CONFIDENCE.exec(start.rest);
  const body = confident === null ? start.rest : start.rest.replace(confident[0], "");
  const cut = cutTitle(body, start.mark);
  const behind = start.priority === undefined ? readStart(cut.rest) : undefined;
  return {
    id: start.id,
    confidence: confident === null ? undefined : confidenceIn(confident[1] ?? confident[2] ?? ""),
    hasBox,
    hasTag: start.priority !== undefined,
    ...cut,
    priority:
      start.priority ??
      behind?.priority ??
      trailingPriority(cut.rest) ??
      trailingPriority(cut.title),
    // Behind a place that comes first, the title begins with the priority: "a.js:8: P1: Title".
    title: behind?.priority === undefined ? cut.title : titleBehind(cut.title),
  };
}

function cutTitle(body: string, mark: string): Cut {
  const isBold = mark !== "" && body.includes(mark);
  const split = isBold ? splitAt(body, body.indexOf(mark), mark.length) : [body, ""];
  const [bold = "", after = ""] = split;
  return isBold && plain(bold) !== "" ? boldTitle(bold, after) : plainTitle(bold + after);
}

const titleBehind = (text: string): string =>
  plain(readStart(text.replace(/^[\s:—–,)-]{1,9}/, "")).rest);

const splitAt = (text: string, at: number, length: number): string[] => [
  text.slice(0, at),
  text.slice(at + length),
];

interface Start {
  id: string | undefined;
  priority: Priority | undefined;
  /** The mark of the bold text that is still open, or nothing. */
  mark: string;
  rest: string;
}

/** Reads number, id and priority in front of a title, in any order, through the marks of bold text. */
function readStart(text: string): Start {
  const start: Start = { id: undefined, priority: undefined, mark: "", rest: text };
  for (let round = 0, before = ""; round < 8 && start.rest !== before; round++) {
    before = start.rest;
    takeMark(start);
    start.rest = start.rest.replace(DECORATION, "").replace(NUMBER, "");
    takeId(start);
    takeTag(start);
  }
  return start;
}

/** A second mark closes the first: `**[SEC-001]** Title`. */
function takeMark(start: Start): void {
  const bold = /^(?:\*\*|__)/.exec(start.rest)?.[0];
  if (bold === undefined) return;
  start.mark = start.mark === "" ? bold : "";
  start.rest = start.rest.slice(2).replace(/^\s{0,3}[:—–-]?\s{0,3}/, "");
}

function takeId(start: Start): void {
  const match = start.id === undefined ? LEADING_ID.exec(start.rest) : null;
  const id = match?.[1] ?? match?.[2];
  if (match === null || id === undefined || SHARED_ID.test(id)) return;
  start.id = id;
  start.rest = start.rest.slice(match[0].length);
}

function takeTag(start: Start): void {
  const match = LEADING_TAG.exec(start.rest);
  const priority = priorityOfTag(match?.[1] ?? match?.[2] ?? match?.[3] ?? "");
  if (match === null || priority === undefined) return;
  start.priority ??= priority;
  start.rest = start.rest.slice(match[0].length);
}

interface Cut {
  readonly title: string;
  readonly places: readonly PlaceInText[];
  readonly rest: string;
}

function boldTitle(bold: string, after: string): Cut {
  const places = placesIn(after);
  const inside = hasLine(places) && !hasLine(placesIn(bold)) ? onlyTitle(bold) : plainTitle(bold);
  const title = inside.title === "" ? plain(after) : inside.title;
  return { title, places: [...inside.places, ...places], rest: leftover(after, places) };
}

const hasLine = (places: readonly PlaceInText[]): boolean =>
  places.some(({ line }) => line !== undefined);

/** A file that a title only speaks of is not where the finding is: that is said behind it. */
function onlyTitle(bold: string): Cut {
  const title = plain(bold).replace(/^[\s:—–,)-]{1,9}/, "");
  return { title: title.replace(/[\s:—–,(-]{1,9}$/, ""), places: [], rest: "" };
}

function plainTitle(text: string): Cut {
  const found = placesIn(text);
  const strong = found.filter((place) => place.line !== undefined);
  const places = strong.length > 0 ? strong : found;
  const [first] = places;
  if (first === undefined) {
    const [title = "", ...more] = text.split("\n");
    return { title: trimmed(title), places, rest: more.join("\n").trim() };
  }
  const before = trimmed(text.slice(0, first.start));
  const rest = leftover(
    text.slice(first.start),
    places.map((place) => moved(place, -first.start)),
  );
  return before === ""
    ? { title: trimmed(rest.split("\n")[0] ?? ""), places, rest }
    : { title: before, places, rest };
}

const moved = (place: PlaceInText, by: number): PlaceInText => ({
  ...place,
  start: place.start + by,
  end: place.end + by,
});

/** The title without the words that lead from it to a place. */
function trimmed(text: string): string {
  return plain(text)
    .replace(/[\s(]{0,9}(?:\b(?:in|at|from|on|of|file)\b[\s:]{0,3})?[\s:—–,(-]{0,9}$/i, "")
    .replace(/^[\s:—–,)-]{1,9}/, "");
}

/** What prose is left when places and the words between them are taken out. */
function leftover(text: string, places: readonly PlaceInText[]): string {
  let from = 0;
  const kept: string[] = [];
  for (const place of places) {
    if (place.start > from) kept.push(text.slice(from, place.start));
    from = Math.max(from, place.end);
  }
  kept.push(text.slice(from));
  const prose = kept.filter((part) => !CONNECTOR.test(part));
  return prose
    .join(" ")
    .replace(/^[\s)*_:—–,.-]{1,9}/, "")
    .trim();
}

function trailingPriority(text: string): Priority | undefined {
  for (const [, word = ""] of text.slice(0, 500).matchAll(TRAILING_TAG)) {
    const priority = priorityOfTag(word);
    if (priority !== undefined) return priority;
  }
  return undefined;
}
