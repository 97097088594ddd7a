/** How a language marks what is not code, and what looks like a comment but is text. */
export interface CommentSyntax {
  readonly line: readonly string[];
  readonly block: readonly (readonly [open: string, close: string])[];
  /** Quotes that end with their line. */
  readonly quotes: string;
  /** Quotes that may hold line ends. */
  readonly longQuotes: readonly string[];
}

const SLASHES: CommentSyntax = {
  line: ["//"],
  block: [["/*", "*/"]],
  quotes: "\"'",
  longQuotes: ["`"],
};
const HASHES: CommentSyntax = {
  line: ["#"],
  block: [],
  quotes: "\"'",
  longQuotes: ['"""', "'''"],
};
const DASHES: CommentSyntax = {
  line: ["--"],
  block: [["/*", "*/"]],
  quotes: "\"'",
  longQuotes: [],
};
const MARKUP: CommentSyntax = { ...SLASHES, block: [...SLASHES.block, ["<!--", "-->"]] };

const BY_LANGUAGE: Readonly<Record<string, CommentSyntax>> = {
  python: HASHES,
  ruby: HASHES,
  perl: HASHES,
  shell: HASHES,
  powershell: HASHES,
  elixir: HASHES,
  makefile: HASHES,
  dockerfile: HASHES,
  php: { ...SLASHES, line: ["//", "#"] },
  terraform: { ...SLASHES, line: ["//", "#"] },
  sql: DASHES,
  lua: DASHES,
  vue: MARKUP,
  svelte: MARKUP,
};

/** The syntax of a language by its name; that of C and its children where it has no row. */
export function commentSyntax(language: string): CommentSyntax {
  return BY_LANGUAGE[language] ?? SLASHES;
}
