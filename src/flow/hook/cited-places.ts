import { posix } from "node:path";
import type { SourceTree } from "../../verify/citation/index.ts";

/** A place in a file, as prose names it: `src/a.ts:12`. */
interface CitedPlace {
  readonly path: string;
  readonly line: number;
  /** Whether it stands in backticks, as what is meant to be looked up. */
  readonly isQuoted: boolean;
  /** Whether the sentence speaks of how things were, or only shows what is meant. */
  readonly isPast: boolean;
  /** What the sentence says stands there, in backticks behind the place or in a block below it. */
  readonly quote: string | undefined;
}

const PLACES_MAX = 200;
const QUOTE_CHARS_MAX = 10_000;
const PLACE =
  /(`|(?<=^|[\s(]))([\p{L}\p{N}_@.-]{1,200}(?:\/[\p{L}\p{N}_@.-]{1,200}){1,20}\.[A-Za-z0-9]{1,10}):(\d{1,7})(?!\d)/gu;
/** What is gone is cited as it was, perhaps long ago. */
const GONE = /\b(?:deleted|removed|renamed|moved|used to|was in|formerly|e\.g\.|for example)\b/i;
const SENTENCE_END = /(?<=[.!?;])\s+/;
/** What stands between a place and what it is said to hold. */
const SAYS = /^`?\s*(?:says|reads|contains|has|holds|is|shows|:|=|—|–|-)\s*:?\s*`([^`\n]{3,300})`/u;
/** Then a block follows that shows what stands there. */
const BLOCK_FOLLOWS = /(?:says|reads|contains|has|holds|is|shows)?\s*:\s*$/u;

/** A place that somebody cites, and what came of looking for it. */
interface JudgedPlace {
  readonly place: string;
  readonly state: "there" | "missing" | "unknown";
  readonly why: string;
}

/** What was found under a path: the texts of it that can be read, and whether there is one that cannot. */
interface Meant {
  readonly texts: readonly string[];
  readonly isUnread: boolean;
}

/**
 * Places that a message cites outside of any finding and that no tree has. Only paths with a folder
 * count: a bare name can be anything. A file that is known by its end is believed to be meant.
 *
 * @param under the folder that the message was written in, below the top of the tree
 */
export async function missingPlaces(
  message: string,
  trees: readonly SourceTree[],
  under: string,
): Promise<string[]> {
  const judged = await judgePlaces(message, trees, under);
  const missing = judged.filter(({ state }) => state === "missing");
  return missing.map(({ place, why }) => `\`${place}\`: ${why}`);
}

/** The same, with those that are there and those of which nobody knows. */
export async function judgePlaces(
  message: string,
  trees: readonly SourceTree[],
  under: string,
): Promise<JudgedPlace[]> {
  const places = placesIn(message);
  if (places.length === 0) return [];
  const paths = [...new Set((await Promise.all(trees.map((tree) => tree.paths()))).flat())];
  const tops = new Set(paths.map((path) => path.split("/")[0] ?? ""));
  const judged: JudgedPlace[] = [];
  for (const place of places) {
    // As it stands, too: what git ignores is in no list, and lies there all the same.
    const own = [place.path, posix.join(under, place.path)];
    const near = place.isQuoted ? paths.filter((path) => isMeant(path, place.path)) : [];
    const meant = await textsOf([...new Set([...own, ...near])], trees);
    // Without quotes it may be a line of somebody's log, unless it begins where files of this tree do.
    const isOurs = place.isQuoted || own.some((path) => tops.has(path.split("/")[0] ?? ""));
    judged.push({ place: `${place.path}:${place.line}`, ...judge(place, meant, isOurs) });
  }
  return judged;
}

function judge(
  place: CitedPlace,
  { texts, isUnread }: Meant,
  isOurs: boolean,
): Omit<JudgedPlace, "place"> {
  const { path, line, quote, isPast } = place;
  const longest = Math.max(0, ...texts.map(linesIn));
  const wrong = (why: string) =>
    ({ state: isOurs && !isPast ? "missing" : "unknown", why }) as const;
  // What could not be looked at is not known to be missing.
  if (isUnread) return { state: "unknown", why: `${path} could not be looked at` };
  if (texts.length === 0) return wrong(`there is no file ${path}`);
  if (line > longest) return wrong(`${path} has ${longest === 1 ? "1 line" : `${longest} lines`}`);
  if (quote === undefined) {
    return { state: "there", why: "the place is there; what is said of it was not looked up" };
  }
  const at = texts.map((text) => stateOf(quote, text, line));
  if (at.includes("here")) return { state: "there", why: "it is there, as quoted" };
  return at.includes("elsewhere")
    ? { state: "unknown", why: `what is quoted stands elsewhere in ${path}` }
    : wrong(`${path} does not hold what is quoted`);
}

const LINES_NEAR = 3;

/** Where a quotation stands in a text, whatever the white space in it. */
function stateOf(quote: string, text: string, line: number): "here" | "elsewhere" | "nowhere" {
  const plain = (words: string) => words.replace(/\s+/g, "");
  const wanted = plain(quote);
  if (wanted === "" || !plain(text).includes(wanted)) return "nowhere";
  const count = quote.trim().split("\n").length;
  const around = text
    .split("\n")
    .slice(Math.max(0, line - 1 - LINES_NEAR), line + LINES_NEAR + count);
  return plain(around.join("\n")).includes(wanted) ? "here" : "elsewhere";
}

async function textsOf(paths: readonly string[], trees: readonly SourceTree[]): Promise<Meant> {
  const texts: string[] = [];
  let isUnread = false;
  for (const path of paths) {
    for (const tree of trees) {
      const entry = await tree.find(path);
      if (entry.kind === "file") texts.push(Buffer.from(entry.bytes).toString("utf8"));
      else if (entry.kind !== "absent") isUnread = true;
    }
  }
  return { texts, isUnread };
}

function placesIn(message: string): CitedPlace[] {
  const found = new Map<string, CitedPlace>();
  const lines = message.split("\n");
  for (const [at, line] of lines.entries()) {
    for (const place of line.split(SENTENCE_END).flatMap((one) => placesOf(one, lines, at))) {
      const key = `${place.path}:${place.line} ${place.quote ?? ""}`;
      if (found.size >= PLACES_MAX && !found.has(key)) return [...found.values()];
      // Said once of now, it is not of the past.
      const isPast = place.isPast && (found.get(key)?.isPast ?? true);
      found.set(key, { ...place, isPast });
    }
  }
  return [...found.values()];
}

function placesOf(sentence: string, lines: readonly string[], at: number): CitedPlace[] {
  const isPast = GONE.test(sentence);
  return [...sentence.matchAll(PLACE)].flatMap(
    ({ 0: all, 1: mark, 2: path = "", 3: line, index }) => {
      const plain = path.replace(/^(?:\.\/)+/, "");
      if (plain.includes("..")) return [];
      const rest = sentence.slice(index + all.length);
      const quote = SAYS.exec(rest)?.[1] ?? blockBelow(lines, at, rest);
      return [{ path: plain, line: Number(line), isQuoted: mark === "`", isPast, quote }];
    },
  );
}

/** The block that a line leads to with its colon. */
function blockBelow(lines: readonly string[], at: number, rest: string): string | undefined {
  if (!BLOCK_FOLLOWS.test(rest.replace(/^`/, ""))) return undefined;
  const from = lines.findIndex((line, index) => index > at && line.trim() !== "");
  const fence = /^\s*(`{3,}|~{3,})/.exec(lines[from] ?? "")?.[1];
  if (fence === undefined) return undefined;
  const to = lines.findIndex((line, index) => index > from && line.trim().startsWith(fence));
  const block = lines.slice(from + 1, to < 0 ? undefined : to).join("\n");
  return block.trim() === "" || block.length > QUOTE_CHARS_MAX ? undefined : block;
}

/** Either may name more of the way: prose leaves folders out, and sometimes says the project's own. */
function isMeant(path: string, cited: string): boolean {
  return path === cited || path.endsWith(`/${cited}`) || cited.endsWith(`/${path}`);
}

/** A line feed ends a line; what stands behind the last one is a line of its own only when it is something. */
function linesIn(text: string): number {
  const lines = text.split("\n").length;
  return text.endsWith("\n") || text === "" ? lines - 1 : lines;
}
