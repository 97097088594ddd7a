import type { Citation, Verdict } from "../../schema/finding.ts";
import { pathsMeant } from "./cited-path.ts";
import { type Located, locate, PLACES_MAX } from "./locate.ts";
import type { ShownCode } from "./named-code.ts";
import { nearLine, nearPath } from "./near.ts";
import { type Quote, readQuote, saysSomething } from "./quote.ts";
import type { ReadEntry, SourceCache } from "./source-cache.ts";
import type { SourceText } from "./source-text.ts";
import type { Place } from "./text-view.ts";
import { withHidden } from "./written-out.ts";

/** What the source says about one citation. */
export interface CheckedCitation {
  readonly verdict: Verdict;
  readonly reason: string;
  /** The file as the tree calls it; as written, where there is none. */
  readonly path: string;
  readonly found?: { readonly file: string; readonly line: number } | undefined;
  /** Nothing was quoted, and everything else is in order. */
  readonly isBare?: true | undefined;
  /** Why another file than the named one was looked at. */
  readonly instead?: string | undefined;
  readonly source?: SourceText;
  /** The lines of the source that hold what was quoted, or were meant to. */
  readonly lines?: Place | undefined;
}

/** Files that a path without its folders may mean; a name that more of them have says nothing. */
const MEANT_MAX = 20;

type Outcome = Omit<CheckedCitation, "path">;

/**
 * Compares a citation with the source. The text counts; the line only says where to look first. What
 * was read before is compared at once: of thousands of findings in a few files hardly one has to wait.
 */
export function checkCitation(
  citation: Citation,
  cache: SourceCache,
): CheckedCitation | Promise<CheckedCitation> {
  const meant = pathsMeant(citation.file);
  const [written] = meant;
  if (written === undefined) {
    const reason = `${shown(citation.file)} is outside the repository`;
    return { verdict: "HALLUCINATED", reason, path: citation.file };
  }
  const entry = cache.ready(written);
  return entry?.kind === "text"
    ? checkEntry(citation, written, entry)
    : readAndCheck(citation, written, meant, cache);
}

async function readAndCheck(
  citation: Citation,
  written: string,
  meant: readonly string[],
  cache: SourceCache,
): Promise<CheckedCitation> {
  for (const path of meant) {
    const entry = await cache.read(path);
    if (entry.kind === "moved") return checkMoved(citation, path, entry.to, cache);
    if (entry.kind !== "absent") return checkEntry(citation, path, entry);
  }
  return (
    (await checkShort(citation, written, cache)) ?? {
      path: written,
      ...(await checkAbsent(citation, written, cache)),
    }
  );
}

/**
 * A path without the folders in front of it, as it is called where its author stood. Where several files
 * end in it, the quoted text has to be in one of them alone.
 */
async function checkShort(
  citation: Citation,
  path: string,
  cache: SourceCache,
): Promise<CheckedCitation | undefined> {
  const paths = (await cache.paths()).filter((one) => one.endsWith(`/${path}`));
  if (paths.length === 0 || paths.length > MEANT_MAX) return undefined;
  const checked: CheckedCitation[] = [];
  for (const one of paths) checked.push(checkEntry(citation, one, await cache.read(one)));
  const held = checked.filter(({ verdict }) => verdict !== "HALLUCINATED");
  const [only = checked[0], ...others] = held;
  if (only === undefined) return undefined;
  const why = `there is no file ${shown(path)}; ${shown(only.path)} ends in that`;
  if (others.length === 0) return elsewhere(only, citation, why);
  const reason = `${paths.length} files end in ${shown(path)}, and which of them is meant is not said`;
  return { verdict: "UNVERIFIED", reason, path };
}

async function checkMoved(citation: Citation, path: string, to: string, cache: SourceCache) {
  const checked = checkEntry(citation, to, await cache.read(to));
  return elsewhere(checked, citation, `${shown(path)} was renamed to ${shown(to)}`);
}

/** What was found in another file than the one that was named: at best it is not where it was said to be. */
function elsewhere(checked: CheckedCitation, { line }: Citation, why: string): CheckedCitation {
  const { path, found, verdict } = checked;
  const told = { ...checked, reason: `${why}; ${checked.reason}`, instead: why };
  return verdict === "CONFIRMED"
    ? { ...told, verdict: "INACCURATE", found: { file: path, line: found?.line ?? line ?? 1 } }
    : told;
}

async function checkAbsent(citation: Citation, path: string, cache: SourceCache): Promise<Outcome> {
  const above = path.split("/").map((_, depth, all) => all.slice(0, depth).join("/"));
  for (const folder of above.slice(1)) {
    const { kind } = await cache.read(folder);
    // What is behind these is not part of the tree, and was not looked at.
    if (kind === "submodule" || kind === "link") {
      const reason = `${shown(path)} is behind the ${kind} ${shown(folder)}, which is not followed`;
      return { verdict: "UNVERIFIED", reason };
    }
  }
  const paths = await cache.paths();
  if (paths.some((one) => one.startsWith(`${path}/`))) return checkFolder(citation, path);
  const near = nearPath(path, paths);
  const hint = near === undefined ? "" : `; the nearest name is ${shown(near)}`;
  return { verdict: "HALLUCINATED", reason: `there is no file ${shown(path)}${hint}` };
}

function checkFolder({ line, quote }: Citation, path: string): Outcome {
  return line === undefined && readQuote(quote) === undefined
    ? {
        verdict: "UNVERIFIED",
        reason: `${shown(path)} is a folder: nothing was quoted`,
        isBare: true,
      }
    : { verdict: "HALLUCINATED", reason: `${shown(path)} is a folder, and no text is in it` };
}

function checkEntry(citation: Citation, path: string, entry: ReadEntry): CheckedCitation {
  if (entry.kind !== "text") {
    return { verdict: "UNVERIFIED", reason: whyUnread(path, entry), path };
  }
  const { source, at } = entry;
  const outcome = checkText(citation, path, source);
  const { verdict, found, isBare } = outcome;
  let { reason } = outcome;
  if (at === "base") reason += "; the change deletes this file; it was compared as it was before";
  if (source.isLatin1) reason += "; the file is not UTF-8 and was read as Latin-1";
  const lines = found ? { from: found.line, to: found.line } : citedLines(citation);
  return { verdict, reason, path, found, isBare, source, lines };
}

function whyUnread(path: string, entry: Exclude<ReadEntry, { kind: "text" }>): string {
  switch (entry.kind) {
    case "binary":
      return `${shown(path)} is a binary file; quotes cannot be compared with it`;
    case "too-large":
      return `${shown(path)} has ${entry.size} bytes, which is too large to compare`;
    case "unreadable":
      return `${shown(path)} could not be read: ${entry.why}`;
    case "link":
      return `${shown(path)} is a link, and links are not followed`;
    case "submodule":
      return `${shown(path)} is a submodule, whose content is not part of this repository`;
    case "moved":
      return `${shown(path)} was renamed more than once, to ${shown(entry.to)}`;
    case "absent":
      return `${shown(path)} was not found again`;
  }
}

function checkText(citation: Citation, path: string, source: SourceText): Outcome {
  const cited = citedLines(citation);
  const lineCount = source.plain.lineCount;
  const isPast = cited !== undefined && cited.to > lineCount;
  const past = `line ${cited?.to} is past the end: ${shown(path)} has ${lineCount} lines`;
  const quote = readQuote(citation.quote);
  const bare = (reason: string): Outcome =>
    isPast
      ? { verdict: "HALLUCINATED", reason: past }
      : { verdict: "UNVERIFIED", reason, isBare: true };
  if (quote === undefined) {
    const place = cited === undefined ? "the file exists" : "the line exists";
    return bare(`${place}, but nothing was quoted`);
  }
  const located = locateAsMeant(source, quote, cited);
  if (located !== undefined) {
    // A bracket is somewhere in every file: it puts no wrong line right.
    if (!saysSomething(quote)) return bare("nothing was quoted but punctuation");
    const judged = judge(located, cited, path);
    if (!isPast || judged.verdict !== "CONFIRMED") return judged;
    const found = { file: path, line: located.place.from };
    return { verdict: "INACCURATE", reason: `${past}; ${judged.reason}`, found };
  }
  const near = nearLine(source.plain, quote.whole);
  const hint = near === undefined ? "" : `; line ${near} is similar`;
  const text = `the quoted text is not in ${shown(path)}${hint}`;
  return { verdict: "HALLUCINATED", reason: isPast ? `${past}, and ${text}` : text };
}

/**
 * A place without a quote, held against the code that the prose shows: what stands there bears it out.
 * What does not stand in the file is a lie only where the words say that it does and no other file is cited,
 * because prose also shows what could be there instead; but it is told of.
 */
export function checkShown(
  citation: Citation,
  bare: CheckedCitation,
  shownCode: readonly ShownCode[],
  isOnlyFile: boolean,
): CheckedCitation {
  const { source, path } = bare;
  if (source === undefined || bare.isBare !== true) return bare;
  const checked = shownCode.map((one) => ({
    ...one,
    outcome: checkText({ ...citation, quote: one.code }, path, source),
  }));
  const isThere = ({ outcome }: { outcome: Outcome }): boolean =>
    outcome.verdict !== "HALLUCINATED" && outcome.isBare !== true;
  const absent = checked.filter((one) => one.isWhole && !isThere(one));
  const refuted = isOnlyFile ? absent.find(({ isSaidThere }) => isSaidThere) : undefined;
  if (refuted !== undefined) {
    const reason = `it says that \`${shown(refuted.code)}\` stands there, which is not in ${shown(path)}`;
    return { ...bare, verdict: "HALLUCINATED", reason, isBare: undefined };
  }
  const found = checked.filter(isThere).map(({ outcome }) => outcome);
  const best = found.find(({ verdict }) => verdict === "CONFIRMED") ?? found[0];
  if (best === undefined) return absent[0] === undefined ? bare : nothingElse(bare, absent[0].code);
  const supported = { ...bare, ...best, isBare: undefined };
  return bare.instead === undefined ? supported : elsewhere(supported, citation, bare.instead);
}

function nothingElse(bare: CheckedCitation, code: string): CheckedCitation {
  const reason = `\`${shown(code)}\` is not in ${shown(bare.path)}, and nothing else was quoted`;
  return { ...bare, reason };
}

/** As it is written, or else with the hidden characters that a report writes out. */
function locateAsMeant(source: SourceText, quote: Quote, cited: Place | undefined) {
  const located = locate(source, quote, cited);
  const hidden = located === undefined ? readQuote(withHidden(quote.whole)) : undefined;
  return hidden === undefined ? located : locate(source, hidden, cited);
}

/** The lines that a citation names; a range the wrong way round is taken as meant. */
function citedLines({ line, end_line }: Citation): Place | undefined {
  const ends = [line, end_line].filter((one) => one !== undefined);
  return ends.length === 0 ? undefined : { from: Math.min(...ends), to: Math.max(...ends) };
}

function judge(located: Located, cited: Place | undefined, path: string): Outcome {
  const { place, isAtCited, isExact, count, isScattered } = located;
  const found = { file: path, line: place.from };
  if (isScattered) {
    const reason = `the quoted parts stand far apart, in lines ${place.from} to ${place.to}`;
    return { verdict: "INACCURATE", reason, found };
  }
  const isRight = isAtCited || (cited === undefined && count === 1);
  if (!isExact || !isRight) {
    const differs = isExact ? "" : ", but its white space differs";
    return { verdict: "INACCURATE", reason: `${whereItIs(located, cited)}${differs}`, found };
  }
  const reason = `the quoted text is at line ${place.from}`;
  return { verdict: "CONFIRMED", reason, ...(cited === undefined ? { found } : {}) };
}

function whereItIs({ place, isAtCited, count }: Located, cited: Place | undefined): string {
  if (isAtCited) return "the quoted text is there";
  if (count === 1) return `the quoted text is at line ${place.from}`;
  const many = count >= PLACES_MAX ? `at least ${PLACES_MAX}` : `${count}`;
  const which = cited === undefined ? "the first" : "the nearest";
  return `the quoted text is in ${many} places, ${which} at line ${place.from}`;
}

/** A name out of a report, short and without control characters: it is going to a terminal. */
export function shown(name: string): string {
  const plain = name.replace(/\p{Cc}/gu, "?");
  return plain.length > 200 ? `${plain.slice(0, 200)}…` : plain;
}
