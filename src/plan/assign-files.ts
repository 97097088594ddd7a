import picomatch from "picomatch";
import { SwornError } from "../base/index.ts";

/** Most files that are dealt out at once. */
const FILES_MAX = 1_000_000;
/** Text that explains; everything else is what it explains. */
const REFERENCE = /\.(md|mdx|markdown|rst|adoc|txt)$/i;

/** An agent that can be given files. */
export interface Assignee {
  readonly name: string;
  /** Globs; the person who starts the team writes them, never the reviewed tree. */
  readonly scope: readonly string[];
  /** The most files it is given. */
  readonly budget: number;
}

/** How files are dealt; by default each to one reader, source first. */
export interface AssignOptions {
  /** Lets several agents have the same file; otherwise each file has one reader. */
  readonly overlap?: boolean;
  readonly readOrdering?: "source_first" | "reference_first";
}

/** A file that nobody was given, and why. */
export interface UncoveredFile {
  readonly file: string;
  readonly why: "no agent's scope" | "over the budget";
}

/** Who reads what, and what nobody reads. */
export interface Assignment {
  /** In the agents' order; the files in the order they are to be read. */
  readonly given: readonly { readonly name: string; readonly files: readonly string[] }[];
  readonly gaps: readonly UncoveredFile[];
}

/**
 * Deals out files. A file goes to the agent with the narrowest scope that still has room, so that
 * one who can read anything does not use up what only another can read. The answer depends on
 * the set of files and on nothing else: not on their order, not on chance.
 *
 * @throws SwornError `LIMIT_EXCEEDED`, or `INPUT_INVALID` for a glob that cannot be read.
 */
export function assignFiles(
  files: readonly string[],
  agents: readonly Assignee[],
  options: AssignOptions = {},
): Assignment {
  if (files.length > FILES_MAX) {
    throw new SwornError("LIMIT_EXCEEDED", `${files.length} files, expected at most ${FILES_MAX}`);
  }
  const ordered = inReadingOrder(new Set(files), options.readOrdering ?? "source_first");
  const readers = agents.map((agent) => new Reader(agent));
  const able = ordered.map((file) => readers.filter((reader) => reader.takesIn(file)));
  const gaps = ordered.flatMap((file, index) => deal(file, able[index] ?? [], options));
  return { given: readers.map(({ agent, files }) => ({ name: agent.name, files })), gaps };
}

/** Gives one file to whoever can read it; the answer is the gap, where nobody has room. */
function deal(file: string, able: readonly Reader[], { overlap }: AssignOptions): UncoveredFile[] {
  const free = able.filter((reader) => reader.hasRoom).toSorted(byScope);
  for (const reader of overlap ? free : free.slice(0, 1)) reader.files.push(file);
  if (free.length > 0) return [];
  return [{ file, why: able.length === 0 ? "no agent's scope" : "over the budget" }];
}

const byScope = (a: Reader, b: Reader): number => a.scopeFiles - b.scopeFiles;

class Reader {
  readonly agent: Assignee;
  readonly files: string[] = [];
  /** How many files its scope takes in, room or not. */
  scopeFiles = 0;
  readonly #matches: (file: string) => boolean;

  constructor(agent: Assignee) {
    this.agent = agent;
    this.#matches = matcherOf(agent);
  }

  /** Asked once for each file. */
  takesIn(file: string): boolean {
    const isInScope = this.#matches(file);
    if (isInScope) this.scopeFiles += 1;
    return isInScope;
  }

  get hasRoom(): boolean {
    return this.files.length < this.agent.budget;
  }
}

/**
 * Nested patterns in parentheses are switched off: matching them can take exponential time. A dot
 * matches every letter: a line break in a name must not hide a file from all scopes.
 */
function matcherOf({ name, scope }: Assignee): (file: string) => boolean {
  const options = { dot: true, noextglob: true, nonegate: true, windows: false, flags: "s" };
  try {
    const matchers = scope.map((glob) => picomatch(glob, options));
    return (file) => matchers.some((matches) => matches(file));
  } catch (cause) {
    throw new SwornError("INPUT_INVALID", `the scope of ${name} holds a glob that cannot be read`, {
      cause,
    });
  }
}

function inReadingOrder(
  files: ReadonlySet<string>,
  ordering: "source_first" | "reference_first",
): string[] {
  const sorted = [...files].toSorted();
  const sources = sorted.filter((file) => !REFERENCE.test(file));
  const references = sorted.filter((file) => REFERENCE.test(file));
  return ordering === "source_first" ? [...sources, ...references] : [...references, ...sources];
}
