import type { Citation } from "../../schema/finding.ts";
import { SECRET } from "../file-members.ts";
import { SourceLines } from "../kind/index.ts";
import type { FileReviewer, Found, SourceFile } from "../reviewer.ts";
import type { Candidate } from "./candidate.ts";
import { findSecrets } from "./scan-secrets.ts";

/** Most secrets reported one by one for a file. */
const FINDINGS_MAX = 50;
/** Longest quotation from beside a secret. */
const QUOTE_CHARS_MAX = 200;
/** How far from a secret a quotation may be taken. */
const NEARBY_CHARS = 500;
/** Less than this between secrets is punctuation and proves nothing. */
const QUOTE_CHARS_MIN = 3;
/** Values with a telling name are mostly made up in such places. */
const REHEARSAL =
  /(?:^|\/)(?:tests?|__tests__|spec|specs|fixtures?|__fixtures__|testdata|mocks?|__mocks__|examples?|docs?|e2e)\/|[._-](?:test|spec|mock|fixture|example|sample)s?\.|\.md$|^\.env\.(?:example|sample|template)$/i;

/**
 * Finds secrets in files. A report is read by many, so it never repeats a secret: the quotation is
 * taken from beside it, and where nothing is left only file and line are cited.
 */
export const secret: FileReviewer = {
  ...SECRET,
  review: (file) => {
    const secrets = findSecrets(file.text);
    if (secrets.length === 0) return [];
    const lines = new SourceLines(file);
    const shown = secrets.slice(0, FINDINGS_MAX);
    const more = secrets.length - shown.length;
    return shown.map((one, at) =>
      toFound({ file, lines, secrets }, one, at === FINDINGS_MAX - 1 ? more : 0),
    );
  },
};

interface Reading {
  readonly file: SourceFile;
  readonly lines: SourceLines;
  readonly secrets: readonly Candidate[];
}

function toFound(reading: Reading, one: Candidate, more: number): Found {
  const isGuess = one.rule.startsWith("assigned-");
  const further = more > 0 ? ` The file has ${more} more that are not listed.` : "";
  return {
    title: `The source holds ${one.description} (${one.rule})`,
    priority: isGuess && REHEARSAL.test(reading.file.path) ? "P3" : one.priority,
    category: "secret",
    citations: [citationBeside(reading, one)],
    issue: `Whoever can read the repository, now or in its history, can use it. The secret itself is left out of this report; the quotation is the text beside it.${further}`,
    fix: "Revoke it and make a new one, keep that outside the repository, and remove this one from the history. Removing the line alone leaves it in every clone.",
  };
}

/** The line of the secret, or of the header before it, quoted without any secret. */
function citationBeside(reading: Reading, one: Candidate): Citation {
  const { file, lines } = reading;
  const line = lines.lineAt(one.start);
  const quote = quoteBeside(reading, line, one);
  if (quote !== undefined) return { file: file.path, line, quote };
  const header = lines.lineAt(one.matchStart);
  const headerQuote = header < line ? quoteBeside(reading, header, one) : undefined;
  return headerQuote === undefined
    ? { file: file.path, line }
    : { file: file.path, line: header, quote: headerQuote };
}

/** The longest part of the line that shares no character with a secret and does not repeat one. */
function quoteBeside(reading: Reading, line: number, one: Candidate): string | undefined {
  const { secrets, file } = reading;
  const [start, end] = nearby(reading, line, one);
  const inside = secrets.filter((other) => other.start < end && other.end > start);
  const parts: { text: string; isBefore: boolean }[] = [];
  let from = start;
  for (const other of inside) {
    parts.push({ text: file.text.slice(from, other.start), isBefore: other.start <= one.start });
    from = Math.max(from, other.end);
  }
  parts.push({ text: file.text.slice(from, end), isBefore: false });
  const values = inside.flatMap((other) => [other.value, file.text.slice(other.start, other.end)]);
  const quotes = parts
    .flatMap(({ text, isBefore }) => split(text, values).map((piece) => ({ piece, isBefore })))
    .map(({ piece, isBefore }) => cut(piece.trim(), isBefore))
    .filter((piece) => piece.length >= QUOTE_CHARS_MIN && /\w/.test(piece));
  return quotes.toSorted((a, b) => b.length - a.length)[0];
}

/** The part of a line that is worth looking at: a hostile one has thousands of secrets in a row. */
function nearby({ lines }: Reading, line: number, one: Candidate): [number, number] {
  const start = lines.startOf(line);
  const end = start + lines.textOf(line).length;
  if (one.start < start || one.start >= end) return [start, Math.min(end, start + NEARBY_CHARS)];
  return [
    Math.max(start, one.start - NEARBY_CHARS),
    Math.max(one.start, Math.min(end, one.end + NEARBY_CHARS)),
  ];
}

function split(text: string, values: readonly string[]): string[] {
  let pieces = [text];
  for (const value of new Set(values)) {
    if (value !== "") pieces = pieces.flatMap((piece) => piece.split(value));
  }
  return pieces;
}

/** Keeps the end that is nearest to the secret. */
function cut(piece: string, isBefore: boolean): string {
  return isBefore ? piece.slice(-QUOTE_CHARS_MAX) : piece.slice(0, QUOTE_CHARS_MAX);
}
