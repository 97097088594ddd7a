import { fileKind, isGenerated, isVendored, SourceLines } from "../kind/index.ts";
import type { Found, SourceFile, TreeReading, TreeReviewer } from "../reviewer.ts";
import { type CodeLines, codeLines } from "./code-lines.ts";
import { commentSyntax } from "./comment-syntax.ts";
import { findPairs, type Pair } from "./find-pairs.ts";

/** A file past this is data, whatever it is called. */
const FILE_CHARS_MAX = 2_000_000;
/** So many characters are kept for quotations; with their lines they stay below 300 MB. */
const TREE_CHARS_MAX = 80_000_000;
const FINDINGS_MAX = 100;
/** How many lines of each place are quoted. */
const QUOTED_LINES = 3;
/** Files that are meant to be alike. */
const FIXTURE =
  /(?:^|\/)(?:fixtures?|__fixtures__|testdata|test-data|snapshots?|__snapshots__|golden|mocks?|__mocks__|samples?|migrations)\//i;

/** A reading that also says which files it left out. */
export interface DuplicateReading extends TreeReading {
  /** Files that were not compared, each with the reason. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
  finish(): Found[];
}

/** Finds blocks of code that stand in two places, in one file or across the tree. */
export const duplicate: Omit<TreeReviewer, "start"> & { start(): DuplicateReading } = {
  name: "duplicate",
  role: "looks for blocks of code that stand in two places",
  prefix: "DUP",
  covers: (path) =>
    fileKind(path, "").form === "code" && isVendored(path) === undefined && !FIXTURE.test(path),
  start: () => new Reading(),
};

class Reading implements DuplicateReading {
  readonly skipped: { path: string; why: string }[] = [];
  readonly #files: SourceFile[] = [];
  readonly #lines: CodeLines[] = [];
  #chars = 0;

  take(file: SourceFile): void {
    const why = isGenerated(file.path, file.text) ?? this.#tooLarge(file);
    if (why !== undefined) {
      this.skipped.push({ path: file.path, why });
      return;
    }
    const { language } = fileKind(file.path, file.text);
    this.#chars += file.text.length;
    this.#files.push(file);
    this.#lines.push(codeLines(file.text, commentSyntax(language)));
  }

  finish(): Found[] {
    const pairs = findPairs(this.#lines).toSorted((a, b) => b.tokens - a.tokens);
    const shown = pairs.slice(0, FINDINGS_MAX);
    return shown.map((pair, at) => {
      const found = this.#toFound(pair);
      const more = pairs.length - shown.length;
      return at === FINDINGS_MAX - 1 && more > 0
        ? { ...found, issue: `${found.issue} The tree has ${more} more pairs that are not listed.` }
        : found;
    });
  }

  #tooLarge({ text }: SourceFile): string | undefined {
    if (text.length > FILE_CHARS_MAX) return `longer than ${FILE_CHARS_MAX} characters`;
    if (this.#chars + text.length <= TREE_CHARS_MAX) return undefined;
    return `the files before it reach ${TREE_CHARS_MAX} characters`;
  }

  #toFound({ first, second, lines }: Pair): Found {
    const [one, other] = [this.#place(first, lines), this.#place(second, lines)];
    return {
      title: `${lines} lines of code stand twice: ${one.words} and ${other.words}`.slice(0, 500),
      priority: "P3",
      category: "duplicate-block",
      citations: [one.citation, other.citation],
      issue: `${one.words} and ${other.words} are the same but for white space and comments. A fix in one place is easily forgotten in the other.`,
      fix: "Keep one of them and call it from both places, unless they are alike by chance.",
    };
  }

  #place({ file, from }: Pair["first"], lines: number) {
    const source = this.#files[file] ?? { path: "", text: "" };
    const numbers = this.#lines[file]?.numbers;
    const start = numbers?.[from] ?? 1;
    const end = numbers?.[from + lines - 1] ?? start;
    const quoted = numbers?.[from + QUOTED_LINES - 1] ?? start;
    return {
      citation: new SourceLines(source).cite(start, quoted),
      words: `${source.path} lines ${start} to ${end}`,
    };
  }
}
