/** What a commit holds, and when it was made, in seconds since 1970. */
export interface CommitFacts {
  readonly tree: string;
  readonly seconds: number;
}

const STORES_MAX = 8;
const COMMITS_MAX = 1_000;
const ANSWER_BYTES_MAX = 256 << 10;
const ALL_BYTES_MAX = 8 << 20;
/** Commands that say the same for ever where everything in their arguments is named by its hash. */
const LASTING: ReadonlySet<string> = new Set(["ls-tree", "diff-tree"]);
/** How a listing tells of an object that is not there: that can change. */
const MISSING = " BAD\t";

/**
 * What git has said about objects of one store. They are named by the hash of what they are, so that an
 * answer about them holds for as long as the process runs, and each start of git that it spares is a copy
 * of this whole process. The oldest answers go when there are too many; of commits the first ones stay.
 */
export class ObjectMemory {
  static readonly #stores = new Map<string, ObjectMemory>();
  readonly #answers = new Map<string, Buffer>();
  readonly #commits = new Map<string, CommitFacts>();
  #bytes = 0;

  /** The memory of the store in a folder. */
  static of(objects: string): ObjectMemory {
    const memory = ObjectMemory.#stores.get(objects) ?? new ObjectMemory();
    ObjectMemory.#stores.delete(objects);
    ObjectMemory.#stores.set(objects, memory);
    for (const [oldest] of ObjectMemory.#stores) {
      if (ObjectMemory.#stores.size <= STORES_MAX) break;
      ObjectMemory.#stores.delete(oldest);
    }
    return memory;
  }

  commit(id: string): CommitFacts | undefined {
    return this.#commits.get(id);
  }

  keepCommit(id: string, facts: CommitFacts): void {
    if (this.#commits.size < COMMITS_MAX) this.#commits.set(id, facts);
  }

  /** What git said to exactly these arguments; undefined where it has to be asked. */
  answer(args: readonly string[]): Buffer | undefined {
    return this.#answers.get(keyOf(args));
  }

  /** How many bytes of an answer to these arguments are worth keeping; none of one that does not last. */
  room(args: readonly string[]): number {
    return LASTING.has(args[0] ?? "") ? ANSWER_BYTES_MAX : -1;
  }

  /** Keeps a whole answer of a git that ended well. */
  keep(args: readonly string[], answer: Buffer): void {
    const key = keyOf(args);
    const isKept = answer.length <= this.room(args) && !this.#answers.has(key);
    if (!isKept || answer.includes(MISSING)) return;
    this.#answers.set(key, answer);
    this.#bytes += answer.length;
    for (const [oldest, { length }] of this.#answers) {
      if (this.#bytes <= ALL_BYTES_MAX) break;
      this.#answers.delete(oldest);
      this.#bytes -= length;
    }
  }
}

function keyOf(args: readonly string[]): string {
  return args.join("\0");
}
