import { posix } from "node:path";
import type { SourceTree } from "../../verify/citation/index.ts";

/** A place in a file, as prose names it: `src/a.ts:12`. */
interface CitedPlace {
  readonly path: string;
  readonly line: number;
  /** Whether it stands in backticks, as what is meant to be looked up. */
  readonly isQuoted: boolean;
}

const PLACES_MAX = 200;
const PLACE =
  /(`|(?<=^|[\s(]))([\p{L}\p{N}_@.-]{1,200}(?:\/[\p{L}\p{N}_@.-]{1,200}){1,20}\.[A-Za-z0-9]{1,10}):(\d{1,7})(?!\d)/gu;
/** What is gone is cited as it was. */
const GONE = /\b(?:deleted|removed|renamed|moved|used to|was in|formerly|e\.g\.|for example)\b/i;

/** A place that somebody cites, and why there is none; undefined where it is there. */
interface JudgedPlace {
  readonly place: string;
  readonly why: string | undefined;
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
  return judged.flatMap(({ place, why }) => (why === undefined ? [] : [`\`${place}\`: ${why}`]));
}

/** The same, with those that are there. */
export async function judgePlaces(
  message: string,
  trees: readonly SourceTree[],
  under: string,
): Promise<JudgedPlace[]> {
  const places = placesIn(message);
  if (places.length === 0) return [];
  const paths = [...new Set((await Promise.all(trees.map((tree) => tree.paths()))).flat())];
  const judged: JudgedPlace[] = [];
  for (const place of places) {
    // As it stands, too: what git ignores is in no list, and lies there all the same.
    const own = [place.path, posix.join(under, place.path)];
    // Without quotes it may be a line of a log: it counts only where it is a file of this tree.
    const near = place.isQuoted ? paths.filter((path) => isMeant(path, place.path)) : [];
    const meant = [...own, ...near];
    const why = await whyMissing(place, [...new Set(meant)], trees);
    judged.push({ place: `${place.path}:${place.line}`, why });
  }
  return judged;
}

async function whyMissing(
  { path, line, isQuoted }: CitedPlace,
  meant: readonly string[],
  trees: readonly SourceTree[],
): Promise<string | undefined> {
  const longest = await longestOf(meant, trees);
  // What could not be looked at is not known to be missing.
  if (longest === undefined) return undefined;
  if (longest === 0) return isQuoted ? `there is no file ${path}` : undefined;
  return line <= longest ? undefined : `${path} has ${longest} lines`;
}

/** The most lines that one of the files has; 0 where there is none, undefined where one cannot be read. */
async function longestOf(
  meant: readonly string[],
  trees: readonly SourceTree[],
): Promise<number | undefined> {
  let longest = 0;
  for (const one of meant) {
    for (const tree of trees) {
      const entry = await tree.find(one);
      if (entry.kind === "absent") continue;
      if (entry.kind !== "file") return undefined;
      longest = Math.max(longest, linesIn(entry.bytes));
    }
  }
  return longest;
}

function placesIn(message: string): CitedPlace[] {
  const found = new Map<string, CitedPlace>();
  for (const line of message.split("\n")) {
    if (GONE.test(line)) continue;
    for (const [, quote, path = "", number = ""] of line.matchAll(PLACE)) {
      if (found.size >= PLACES_MAX) return [...found.values()];
      const plain = path.replace(/^(?:\.\/)+/, "");
      if (!plain.includes(".."))
        found.set(`${plain}:${number}`, {
          path: plain,
          line: Number(number),
          isQuoted: quote === "`",
        });
    }
  }
  return [...found.values()];
}

/** Either may name more of the way: prose leaves folders out, and sometimes says the project's own. */
function isMeant(path: string, cited: string): boolean {
  return path === cited || path.endsWith(`/${cited}`) || cited.endsWith(`/${path}`);
}

function linesIn(bytes: Uint8Array): number {
  let lines = 1;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1;
  return lines;
}
