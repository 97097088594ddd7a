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
 * Deals out files. A file goes first to the agent with the narrowest scope that names it and still
 * has room; what no narrower glob names is shared between those who can read anything, in stretches,
 * so that each of them has some of it. The answer depends on the set of files and on nothing else:
 * not on their order, not on chance.
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
  const named = ordered.map((file) => readers.filter((reader) => reader.names(file)));
  const left = ordered.filter(
    (file, at) => !deal(file, named[at] ?? [], options) || options.overlap,
  );
  const nobodys = share(left, readers, options);
  const place = new Map(ordered.map((file, at) => [file, at]));
  const inOrder = (a: string, b: string) => (place.get(a) ?? 0) - (place.get(b) ?? 0);
  const isAlone = (file: string) => !readers.some((reader) => reader.takes(file));
  return {
    given: readers.map(({ agent, files: own }) => ({
      name: agent.name,
      files: [...own].toSorted(inOrder),
    })),
    gaps: nobodys.map((file) => ({
      file,
      why: isAlone(file) ? "no agent's scope" : "over the budget",
    })),
  };
}

/** Gives one file to whoever's scope names it; says whether somebody has it now. */
function deal(file: string, able: readonly Reader[], { overlap }: AssignOptions): boolean {
  const free = able.filter(({ room }) => room > 0).toSorted((a, b) => a.scopeFiles - b.scopeFiles);
  for (const reader of overlap ? free : free.slice(0, 1)) reader.files.add(file);
  return free.length > 0;
}

/**
 * Shares the rest between those who can read anything; who reads nothing else comes first. Gives
 * what nobody has then.
 */
function share(
  left: readonly string[],
  readers: readonly Reader[],
  { overlap }: AssignOptions,
): string[] {
  const open = readers.filter((reader) => reader.takesAnything);
  const generalists = [
    ...open.filter((one) => !one.hasField),
    ...open.filter((one) => one.hasField),
  ];
  if (overlap) {
    for (const reader of generalists) for (const file of left) reader.give(file);
    return left.filter((file) => !readers.some(({ files }) => files.has(file)));
  }
  let from = 0;
  for (const [reader, count] of sharesOf(left.length, generalists)) {
    for (const file of left.slice(from, from + count)) reader.files.add(file);
    from += count;
  }
  return left.slice(from);
}

/** How many files each is to have: everybody one, as far as they go, and the more the more room. */
function sharesOf(count: number, readers: readonly Reader[]): Map<Reader, number> {
  const shares = new Map(readers.map((reader) => [reader, 0]));
  const rooms = new Map(readers.map((reader) => [reader, reader.room]));
  for (let left = count; left > 0; left -= 1) {
    let [next, least] = [undefined as Reader | undefined, 1];
    for (const [reader, share] of shares) {
      const fullness = share / (rooms.get(reader) ?? 0);
      if (fullness < least) [next, least] = [reader, fullness];
    }
    if (next === undefined) break;
    shares.set(next, (shares.get(next) ?? 0) + 1);
  }
  return shares;
}

/** A glob that takes in every file says nothing about what its agent is for. */
const ANYTHING = /^(?:\*\*|\*\*\/\*{1,2})$/;

class Reader {
  readonly agent: Assignee;
  readonly files = new Set<string>();
  /** How many files its scope names, room or not. */
  scopeFiles = 0;
  readonly takesAnything: boolean;
  /** Whether its scope also names files of its own field. */
  readonly hasField: boolean;
  readonly #names: (file: string) => boolean;

  constructor(agent: Assignee) {
    this.agent = agent;
    const named = agent.scope.filter((glob) => !ANYTHING.test(glob));
    this.takesAnything = named.length < agent.scope.length;
    this.hasField = named.length > 0;
    this.#names = matcherOf({ ...agent, scope: named });
  }

  /** Asked once for each file. */
  names(file: string): boolean {
    const isNamed = this.#names(file);
    if (isNamed) this.scopeFiles += 1;
    return isNamed;
  }

  takes(file: string): boolean {
    return this.takesAnything || this.#names(file);
  }

  give(file: string): void {
    if (this.room > 0) this.files.add(file);
  }

  get room(): number {
    return this.agent.budget - this.files.size;
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
