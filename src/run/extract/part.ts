/** From which line to which, both counted from 1 and included; fences and delimiters belong to it. */
export type LineRange = readonly [number, number];

/** Where the name of a file stood. */
export type ExtractForm = "backticks" | "info" | "comment" | "header" | "heredoc" | "indented";

/** A stretch of a response that could be a file, before anybody has judged it. */
export interface Part {
  readonly lines: LineRange;
  /** The paragraph before it, unless another part took that. */
  readonly lead: string;
  /** The paragraph before that one. */
  readonly context: string;
  /** The name in a `--- name ---` line right before it. */
  readonly header?: string;
  /** The info string; undefined where the part has no fence. */
  readonly info?: string;
  readonly kind: "fence" | "indented" | "raw" | "heredoc" | "stray";
  readonly content: string;
  /** The words right after it. */
  readonly after: string;
  /** Set where it cannot be taken, whatever its name is. */
  readonly problem?: string;
}

/** A whole file that a response holds. */
export interface FoundFile {
  readonly path: string;
  readonly content: string;
  readonly lines: LineRange;
  readonly form: ExtractForm;
}

/** Something that could have been a file and is not taken. */
export interface RefusedPart {
  readonly path?: string;
  readonly reason: string;
  readonly lines: LineRange;
}

/** What was passed over on purpose, because nobody would take it for a file. */
export interface PartAside {
  readonly reason: string;
  readonly lines: LineRange;
}

/** What came of one part. */
export interface Judged {
  readonly files: readonly FoundFile[];
  readonly refused: readonly RefusedPart[];
  readonly aside: readonly PartAside[];
}

export const NOTHING: Judged = { files: [], refused: [], aside: [] };

/** A part that is not taken, and why. */
export function refusedPart(lines: LineRange, reason: string, path?: string): Judged {
  const refused = path === undefined ? { reason, lines } : { path, reason, lines };
  return { ...NOTHING, refused: [refused] };
}
