const LINES_MAX = 5_000_000;
/** A language that is missing here counts as fully reached, whatever stands in it. */
const CODE = new RegExp(
  `\\.(?:${[
    "[cm]?[jt]sx?|vue|svelte|astro|coffee|py[wx]?|rb|rake|php|phtml|p[lm]|lua|r|jl",
    "go|rs|zig|nim|d|v|c|cc|cpp|cxx|h|hh|hpp|hxx|mm?|swift|dart|f(?:90|95|03|08)?|pas|ad[bs]",
    "java|kts?|scala|sc|groovy|clj[cs]?|cs|fsx?|vb|hs|mli?|elm|ex|exs|erl|sol",
    "sh|bash|zsh|ksh|fish|psm?1|bat|cmd",
  ].join("|")})$`,
  "i",
);
const TEST =
  /(?:^|\/)(?:tests?|__tests__|spec)\/|\.(?:test|spec)\.[a-z]+$|(?:^|\/)test_[^/]*\.py$|_test\.go$/i;

/** What tools of many languages take for the word not to measure what follows. */
const UNMEASURED =
  /(?:\/[/*]|#|--)[\s*!]*(?:(?:istanbul|c8|v8)\s+ignore\b|node:coverage\s+(?:disable|ignore)\b|pragma:?\s*no\s*(?:cover|branch)\b|:?nocov\b|coverage[:-]ignore\b|[LG]COVR?_EXCL|@?codeCoverageIgnore)|@codeCoverageIgnore|ExcludeFromCodeCoverage|#\[\s*(?:coverage\(\s*off|no_coverage)|\btarpaulin_include\b/i;

/** Whether a line of source takes itself, or what follows, out of what is measured. */
export function isUnmeasured(line: string): boolean {
  return UNMEASURED.test(line);
}

/**
 * Whether tests are expected to reach a file: it has code, and is no test itself.
 *
 * @param start how it begins; a script needs no ending to be run
 */
export function isCovered(path: string, start = ""): boolean {
  return (CODE.test(path) || start.startsWith("#!")) && !TEST.test(path);
}

/** How many of the lines that a change touches tests reach. Lines that hold no code do not count. */
export interface DiffCoverage {
  readonly covered: number;
  readonly measured: number;
  /** Rounded down; undefined where no line of the change was measured, which is no success. */
  readonly percent: number | undefined;
}

/**
 * Reads an lcov report and keeps what it says about changed lines. All lines of a file that the
 * report does not know count as not reached, so that leaving it out of the report does not help.
 *
 * @param changed the added lines of files with code, by path
 * @param root the folder that the report was made in
 */
export function diffCoverage(
  lcov: string,
  changed: ReadonlyMap<string, ReadonlySet<number>>,
  root: string,
): DiffCoverage {
  const { hits, unknown } = readHits(lcov, changed, root);
  const covered = [...hits.values()].filter((count) => count > 0).length;
  const unseen = [...unknown.values()].reduce((total, lines) => total + lines.size, 0);
  const measured = hits.size + unseen;
  return {
    covered,
    measured,
    percent: measured === 0 ? undefined : Math.floor((covered * 100) / measured),
  };
}

/** Reports name files from where they were made, or in full. */
function pathOf(named: string, root: string): string {
  return named.startsWith(`${root}/`) ? named.slice(root.length + 1) : named.replace(/^\.\//, "");
}

/** How often each changed line ran, and the files that the report says nothing of. */
function readHits(lcov: string, changed: ReadonlyMap<string, ReadonlySet<number>>, root: string) {
  const hits = new Map<string, number>();
  const unknown = new Map(changed);
  let wanted: string | undefined;
  for (const line of lcov.split("\n", LINES_MAX)) {
    if (line.startsWith("SF:")) {
      wanted = pathOf(line.slice(3).trim(), root);
      unknown.delete(wanted);
    }
    const [number = "", count = ""] = line.startsWith("DA:") ? line.slice(3).split(",", 2) : [];
    if (wanted === undefined || !changed.get(wanted)?.has(Number(number))) continue;
    const place = `${wanted}:${Number(number)}`;
    hits.set(place, Math.max(hits.get(place) ?? 0, Number(count) || 0));
  }
  return { hits, unknown };
}
