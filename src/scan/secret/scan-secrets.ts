import { SourceLines } from "../kind/index.ts";
import { type Candidate, withoutOverlaps } from "./candidate.ts";
import {
  ALIGNMENTS,
  alignmentOf,
  decodeAround,
  type Needle,
  needlesOf,
  PERCENT_SIGNS,
  placed,
} from "./encoded.ts";
import { entropyOf } from "./entropy.ts";
import { findHeld } from "./held.ts";
import { KeywordTable } from "./keyword-table.ts";
import { KEYWORDS, matchAt, RULES } from "./match-rules.ts";

/** One secret in a text. It says where, never what. */
export interface SecretHit {
  /** The rule that found it; `held-secret` for one that the caller named. */
  readonly rule: string;
  readonly line: number;
  readonly column: number;
  /** In characters, as it stands in the text. */
  readonly length: number;
  /** The first three characters and a mask; only the mask where three would tell too much. */
  readonly preview: string;
  /** Bits a character. */
  readonly entropy: number;
}

export interface SecretOptions {
  /** Secrets that must not appear in any form. Pass the same list again: a table is kept for it. */
  readonly held?: readonly string[];
}

/** Most places that are remembered in one text; past it, the text is one large secret anyway. */
const CANDIDATES_MAX = 10_000;
/** Decoding starts anew only so far before the end of the stretch that was decoded last. */
const DECODED_OVERLAP_CHARS = 4_096;
const PREVIEW_CHARS = 3;
const PREVIEWED_CHARS_MIN = 16;

/**
 * Finds secrets in a text: known formats, values with a telling name, either of them behind one
 * level of base64, hex or percent encoding, and the secrets that the caller holds. Nothing that the
 * text says about the scan (a comment to ignore a line) is obeyed.
 */
export function scanSecrets(text: string, options: SecretOptions = {}): SecretHit[] {
  const lines = new SourceLines({ path: "", text });
  return findSecrets(text, options).map(({ rule, start, end, value }) => {
    const line = lines.lineAt(start);
    return {
      rule,
      line,
      column: start - lines.startOf(line) + 1,
      length: end - start,
      preview: `${value.length < PREVIEWED_CHARS_MIN ? "" : value.slice(0, PREVIEW_CHARS)}***`,
      entropy: Math.round(entropyOf(value) * 100) / 100,
    };
  });
}

/** The stretches of a text that are secrets, in order and without overlaps. */
export function findSecrets(text: string, { held = [] }: SecretOptions = {}): Candidate[] {
  const found: Candidate[] = held.length === 0 ? [] : findHeld(text, held);
  scanTable ??= makeScanTable();
  const { table, needles } = scanTable;
  const decodedTo = new Float64Array(ALIGNMENTS);
  table.scan(text, (number, at) => {
    if (found.length >= CANDIDATES_MAX) return;
    const needle = needles[number];
    if (needle === undefined) {
      matchKeyword(text, number, at, found);
      return;
    }
    const alignment = alignmentOf(needle, at);
    if (at < (decodedTo[alignment] ?? 0)) return;
    decodedTo[alignment] = matchEncoded(text, at, needle, found);
  });
  return withoutOverlaps(found);
}

function matchKeyword(text: string, number: number, at: number, found: Candidate[]): void {
  for (const rule of KEYWORDS[number]?.placed ?? []) {
    const candidate = matchAt(rule, text, at);
    if (candidate !== undefined) found.push(candidate);
  }
}

/** Gives back up to where needles need no second look. */
function matchEncoded(text: string, at: number, needle: Needle, found: Candidate[]): number {
  const decoded = decodeAround(text, at, needle);
  const before = found.length;
  plainTable ??= new KeywordTable(KEYWORDS.map(({ keyword }) => keyword));
  plainTable.scan(decoded.text, (number, offset) =>
    matchKeyword(decoded.text, number, offset, found),
  );
  for (let index = before; index < found.length; index += 1) {
    found[index] = placed(found[index] as Candidate, decoded, text);
  }
  return decoded.end - at < DECODED_OVERLAP_CHARS
    ? decoded.end
    : decoded.end - DECODED_OVERLAP_CHARS;
}

interface ScanTable {
  readonly table: KeywordTable;
  /** By number; undefined for the keywords as they are, which come first. */
  readonly needles: readonly (Needle | undefined)[];
}

/** Made when first needed: most commands never scan anything. */
let scanTable: ScanTable | undefined;
let plainTable: KeywordTable | undefined;

function makeScanTable(): ScanTable {
  const keywords = KEYWORDS.map(({ keyword }) => keyword);
  const spelled = new Set(RULES.flatMap((rule) => rule.keywords));
  const encoded = [...spelled].flatMap(needlesOf).concat(PERCENT_SIGNS);
  return {
    table: new KeywordTable([...keywords, ...encoded.map(({ text }) => text)]),
    needles: [...keywords.map(() => undefined), ...encoded],
  };
}
