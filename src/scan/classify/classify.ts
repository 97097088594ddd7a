import { CLASSIFICATIONS, type Classification, type Sidecar } from "../../schema/manifest.ts";
import { SourceLines } from "../kind/index.ts";
import { textsOf } from "./decode-text.ts";
import { findAll, hashOf, type SearchOptions, type Weight } from "./find-all.ts";
import { secretFileRule } from "./secret-file.ts";
import { type Budget, unpack } from "./unpack.ts";

/** One reason for a classification. It says where and, as a hash, what; never the text. */
export interface ClassFinding {
  readonly rule: string;
  /** Counted from 1; 0 for the file as a whole. */
  readonly line: number;
  readonly sha256: string;
  /** The file inside an archive, where it was found in one. */
  readonly member?: string;
}

/** What a file may be shown to, and why. */
export interface Judgement extends Sidecar {
  /** Keys, tokens, settings: a run with such an output does not complete. */
  readonly isBlocking: boolean;
  /** Waits for a reviewer before it is given to anybody. */
  readonly isFlagged: boolean;
  readonly findings: readonly ClassFinding[];
}

export interface ClassifyOptions extends SearchOptions {
  /** Of a file in which nothing was found; nothing is public because nobody objected. */
  readonly baseline?: Classification;
}

/** Larger files are not looked into, and say so. */
export const CLASSIFY_BYTES_MAX = 268_435_456;
/** Everything inside one file, all levels together. */
const UNPACKED_BYTES_MAX = 268_435_456;
const MEMBERS_MAX = 20_000;
/** A package in a package: `.tar.gz` takes two. */
const LEVELS_MAX = 4;
/** Most findings that are listed for one file; their effect does not depend on the list. */
const FINDINGS_MAX = 1_000;

/** ELF, PE, and Mach-O in its four spellings. */
const PROGRAMS = ["7f454c46", "4d5a", "feedface", "feedfacf", "cefaedfe", "cffaedfe"];
/** Every program names whom to write to about it; a key in one is a key all the same. */
const OF_PROGRAMS: readonly Weight[] = ["contact"];

function ignoredIn(bytes: Buffer): readonly Weight[] {
  const start = bytes.toString("hex", 0, 4);
  return PROGRAMS.some((magic) => start.startsWith(magic)) ? OF_PROGRAMS : [];
}

interface Reading {
  readonly options: ClassifyOptions;
  readonly findings: ClassFinding[];
  readonly weights: Set<Weight | "opaque">;
  readonly budget: Budget;
}

/**
 * Judges one file by its name and content. What cannot be looked into (locked, too large, of an
 * unknown packing) is restricted and flagged: not looked at is never harmless.
 */
export function classify(
  path: string,
  bytes: Uint8Array,
  options: ClassifyOptions = {},
): Judgement {
  const budget = { bytes: UNPACKED_BYTES_MAX, members: MEMBERS_MAX };
  const reading: Reading = { options, findings: [], weights: new Set(), budget };
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  look(reading, path, buffer, undefined, 0);
  return judged(reading);
}

/** What holds for a file that nobody looks into, because it is too large to be read at once. */
export function notLookedInto(path: string, options: ClassifyOptions = {}): Judgement {
  const budget = { bytes: 0, members: 0 };
  const reading: Reading = { options, findings: [], weights: new Set(), budget };
  note(reading, "too-large", "opaque", path, undefined);
  return judged(reading);
}

function look(
  reading: Reading,
  path: string,
  bytes: Buffer,
  member: string | undefined,
  level: number,
): void {
  if (bytes.length > CLASSIFY_BYTES_MAX) {
    note(reading, "too-large", "opaque", path, member);
    return;
  }
  const asWhole = secretFileRule(path, bytes);
  if (asWhole !== undefined) note(reading, asWhole, "blocking", path, member);
  for (const text of textsOf(bytes)) search(reading, text, member, ignoredIn(bytes));
  const unpacked = unpack(bytes, reading.budget);
  if (unpacked === undefined) return;
  if (unpacked.opaque !== undefined || level >= LEVELS_MAX) {
    note(reading, "not-looked-into", "opaque", path, member);
  }
  if (level >= LEVELS_MAX) return;
  for (const inside of unpacked.members) {
    const name = inside.path === "" ? path.replace(/\.(?:gz|tgz)$/i, "") : inside.path;
    look(reading, name, inside.bytes, inside.path === "" ? member : inside.path, level + 1);
  }
}

function note(
  reading: Reading,
  rule: string,
  weight: Weight | "opaque",
  path: string,
  member: string | undefined,
): void {
  reading.weights.add(weight);
  add(reading, { rule, line: 0, sha256: hashOf(path, reading.options) }, member);
}

function search(
  reading: Reading,
  text: string,
  member: string | undefined,
  ignored: readonly Weight[],
): void {
  const stretches = findAll(text, reading.options).filter(
    ({ weight }) => !ignored.includes(weight),
  );
  if (stretches.length === 0) return;
  const lines = new SourceLines({ path: "", text });
  for (const { rule, weight, start, end } of stretches) {
    reading.weights.add(weight);
    const sha256 = hashOf(text.slice(start, end), reading.options);
    add(reading, { rule, line: lines.lineAt(start), sha256 }, member);
  }
}

function add({ findings }: Reading, finding: ClassFinding, member: string | undefined): void {
  if (findings.length >= FINDINGS_MAX) return;
  findings.push(
    member === undefined ? finding : { ...finding, member: member.slice(0, 1_000).toWellFormed() },
  );
}

function judged({ weights, findings, options }: Reading): Judgement {
  const isBlocking = weights.has("blocking");
  const pii = weights.has("personal") || weights.has("contact");
  const isGrave =
    isBlocking || ["secret", "personal", "opaque"].some((one) => weights.has(one as Weight));
  const baseline = options.baseline ?? "internal";
  const least = pii ? stricter(baseline, "internal") : baseline;
  const classification = isGrave ? "restricted" : least;
  return { classification, pii, isBlocking, isFlagged: isGrave || pii, findings };
}

/** The stricter of two classifications. */
export function stricter(one: Classification, other: Classification): Classification {
  return CLASSIFICATIONS.indexOf(one) > CLASSIFICATIONS.indexOf(other) ? one : other;
}
