/** What a reader of code needs to know about a language: enough to colour it, never enough to parse it. */
export interface Language {
  /** As a fence or a page names it. */
  readonly name: string;
  readonly lineComment: string;
  readonly blockComment?: readonly [open: string, close: string];
  /** Quotes that end at the end of the line. */
  readonly quotes: readonly string[];
  /** Quotes that go on over lines, longest first. */
  readonly longQuotes: readonly string[];
  readonly keywords: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const SCRIPT_WORDS =
  "abstract as async await break case catch class const continue debugger default delete do else " +
  "enum export extends false finally for from function get if implements import in instanceof " +
  "interface let new null of private protected public readonly return satisfies set static super " +
  "switch this throw true try type typeof undefined var void while yield";
const PYTHON_WORDS =
  "False None True and as assert async await break case class continue def del elif else except " +
  "finally for from global if import in is lambda match nonlocal not or pass raise return self " +
  "try while with yield";
const C_WORDS =
  "abstract auto bool boolean break byte case catch chan char class const continue crate default " +
  "defer delete do double else enum explicit extends extern false final float fn for func go goto " +
  "if impl implements import inline int interface let long loop match mod mut namespace new nil " +
  "null nullptr operator override package private protected pub public range ref return select " +
  "self short signed sizeof static string struct super switch template this throw trait true try " +
  "type typedef typename union unsafe unsigned use using var virtual void volatile where while yield";

const script = (name: string): Language => ({
  name,
  lineComment: "//",
  blockComment: ["/*", "*/"],
  quotes: ['"', "'"],
  longQuotes: ["`"],
  keywords: words(SCRIPT_WORDS),
});
const cLike = (name: string): Language => ({
  name,
  lineComment: "//",
  blockComment: ["/*", "*/"],
  quotes: ['"', "'"],
  longQuotes: [],
  keywords: words(C_WORDS),
});
const PYTHON: Language = {
  name: "python",
  lineComment: "#",
  quotes: ['"', "'"],
  longQuotes: ['"""', "'''"],
  keywords: words(PYTHON_WORDS),
};

/** Plain text: nothing in it is coloured, and a remark about it starts with a hash. */
export const PLAIN: Language = {
  name: "",
  lineComment: "#",
  quotes: [],
  longQuotes: [],
  keywords: new Set(),
};

const BY_ENDING = new Map<string, Language>([
  ...["js", "jsx", "mjs", "cjs"].map((ending) => [ending, script("js")] as const),
  ...["ts", "tsx", "mts", "cts"].map((ending) => [ending, script("ts")] as const),
  ...["py", "pyi"].map((ending) => [ending, PYTHON] as const),
  ...["c", "h"].map((ending) => [ending, cLike("c")] as const),
  ...["cc", "cpp", "cxx", "hpp"].map((ending) => [ending, cLike("cpp")] as const),
  ...["java", "go", "rs", "cs", "kt", "swift", "php"].map(
    (ending) => [ending, cLike(ending)] as const,
  ),
]);

/** The language of a file by the ending of its name; what is unknown is plain. */
export function languageOf(file: string): Language {
  const ending = /\.([A-Za-z0-9]{1,8})$/.exec(file)?.[1]?.toLowerCase() ?? "";
  return BY_ENDING.get(ending) ?? PLAIN;
}
