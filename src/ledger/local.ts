import { existsSync, renameSync, rmSync } from "node:fs";
import { messageOf, type Signer, SwornError, sha256Hex } from "../base/index.ts";
import { GENESIS_PREV } from "../schema/index.ts";
import { signCheckpoint } from "./checkpoint.ts";
import type { SealedEntry } from "./entry.ts";
import type { HeadFile } from "./heads.ts";
import { createDatabase, type OpenDatabase, openDatabase } from "./sqlite.ts";
import { prepareStatements, type Statements } from "./statements.ts";
import { TreeHead } from "./tree.ts";

/** Where a ledger ends: how many entries it has and the hash of the last one. */
export interface Head {
  readonly size: number;
  readonly hash: string;
}

/** A stored checkpoint: the note that was signed over the first `size` entries. */
export interface StoredCheckpoint {
  readonly size: number;
  readonly note: string;
}

/** Entries that were signed elsewhere: their lines, the checkpoint over them, the head they must reach. */
export interface ForeignEntries {
  readonly pieces: AsyncIterable<Buffer> | Iterable<Buffer>;
  readonly note: string;
  readonly head: string;
}

/**
 * One trace on this machine: SQLite in WAL mode, one commit a group of entries, the checkpoint in
 * the same commit, the head remembered outside after it. It checks the chain it reads, and knows
 * nothing of what entries mean.
 */
export class LocalLedger {
  readonly trace: string;
  readonly #open: OpenDatabase;
  readonly #heads: HeadFile | undefined;
  readonly #statements: Statements;
  #tree = new TreeHead();
  #hash = GENESIS_PREV;
  /** Set after an I/O error: what is on disk is then unknown, and writing on would make it worse. */
  #broken = false;

  private constructor(trace: string, open: OpenDatabase, heads: HeadFile | undefined) {
    this.trace = trace;
    this.#open = open;
    this.#heads = heads;
    this.#statements = prepareStatements(open);
  }

  /** Starts an empty ledger. The outside head is there before the first entry can be. */
  static create(trace: string, path: string, heads: HeadFile, signer: Signer): LocalLedger {
    heads.remember(0, signCheckpoint({ trace, size: 0, root: new TreeHead().root() }, signer));
    createWhole(path);
    return LocalLedger.openForAppend(trace, path, heads);
  }

  static openForAppend(trace: string, path: string, heads: HeadFile): LocalLedger {
    return new LocalLedger(trace, openDatabase(path, false), heads);
  }

  /**
   * Stores entries that were signed elsewhere, with the checkpoint over them: all or none, and
   * only when they end in the head they were verified with.
   *
   * @throws SwornError `ALREADY_EXISTS` when there are entries already, `LEDGER_CORRUPT` when the
   * content is not what was verified.
   */
  static async receive(
    trace: string,
    path: string,
    heads: HeadFile,
    content: ForeignEntries,
  ): Promise<void> {
    if (!existsSync(path)) createWhole(path);
    const ledger = LocalLedger.openForAppend(trace, path, heads);
    try {
      if (ledger.hasNews()) throw new SwornError("ALREADY_EXISTS", `${trace} has entries already`);
      await ledger.#fill(content);
    } finally {
      ledger.close();
    }
  }

  /** Opens one unmoving view of the ledger; what others append meanwhile is not in it. */
  static openForReading(trace: string, path: string): LocalLedger {
    const open = openDatabase(path, true);
    open.db.exec("BEGIN");
    return new LocalLedger(trace, open, undefined);
  }

  /** The end of what {@link catchUp} has seen. */
  get head(): Head {
    return { size: this.#tree.size, hash: this.#hash };
  }

  /** Whether others have appended since the last {@link catchUp}. */
  hasNews(): boolean {
    return this.#storedSize() > this.#tree.size;
  }

  get root(): string {
    return this.#tree.root();
  }

  /** Stored lines from a place on, unchecked. */
  *read(from = 0): Generator<string> {
    for (const row of this.#statements.entriesFrom.iterate(from) as Iterable<{ line: string }>)
      yield row.line;
  }

  /** Stored checkpoints, oldest first, unchecked. */
  *checkpoints(): Generator<StoredCheckpoint> {
    yield* this.#statements.checkpoints.iterate() as Iterable<StoredCheckpoint>;
  }

  lastCheckpoint(): StoredCheckpoint | undefined {
    return this.#statements.lastCheckpoint.get() as StoredCheckpoint | undefined;
  }

  checkpointOfSize(size: number): StoredCheckpoint | undefined {
    return this.#statements.checkpointOfSize.get(size) as StoredCheckpoint | undefined;
  }

  /**
   * Hands out the lines that were appended since the last call, after taking each into the chain.
   *
   * @throws SwornError `LEDGER_CORRUPT` when a line does not follow the one before it.
   */
  catchUp(visit: (line: string, seq: number) => void): void {
    for (const line of this.read(this.#tree.size)) {
      const seq = this.#tree.size;
      // In canonical order `prev` and `seq` stand side by side; the signature binds both.
      if (!line.includes(`,"prev":"${this.#hash}","seq":${seq},"sig":"`)) {
        throw new SwornError(
          "LEDGER_CORRUPT",
          `entry ${seq} of ${this.trace} does not follow entry ${seq - 1}; run "sworn trace fsck ${this.trace}"`,
        );
      }
      visit(line, seq);
      this.#hash = sha256Hex(line);
      this.#tree.append(this.#hash);
    }
  }

  /**
   * Appends entries that were sealed to follow `expected`, all or none, and signs the checkpoint.
   * On return they are on disk.
   *
   * @returns false when another process was faster: catch up, judge again, retry.
   * @throws SwornError `LEDGER_WRITE_FAILED` when nothing was written, `LEDGER_COMMIT_UNKNOWN` when
   * only a look at the store can tell; the ledger then takes no more entries until it is reopened.
   */
  append(expected: Head, entries: readonly SealedEntry[], signer: Signer): boolean {
    if (this.#broken || !this.#heads) {
      throw new SwornError(
        "STORE_READ_ONLY",
        `${this.trace} is open for reading only; open it again to append`,
      );
    }
    const tree = this.#tree.copy();
    for (const entry of entries) tree.append(entry.hash);
    const note = signCheckpoint({ trace: this.trace, size: tree.size, root: tree.root() }, signer);
    if (this.#write(expected, entries, note) === "lost-race") return false;
    this.#tree = tree;
    this.#hash = entries.at(-1)?.hash ?? this.#hash;
    this.#heads.remember(tree.size, note);
    return true;
  }

  async #fill({ pieces, note, head }: ForeignEntries): Promise<void> {
    let rest = "";
    let seq = 0;
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    this.#statements.begin.run();
    for await (const piece of pieces) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#statements.insert.run(seq++, line, null);
    }
    this.#statements.sign.run(note, seq - 1);
    this.catchUp(() => {});
    // Without a commit, closing takes all of it back.
    if (this.#hash !== head) {
      throw new SwornError(
        "LEDGER_CORRUPT",
        `the entries of ${this.trace} changed while they were read`,
      );
    }
    this.#statements.commit.run();
    this.#heads?.remember(seq, note);
  }

  /** About how many bytes the entries take. */
  storedBytes(): number {
    const { page_count } = this.#open.db.prepare("PRAGMA page_count").get() as {
      page_count: number;
    };
    const { page_size } = this.#open.db.prepare("PRAGMA page_size").get() as { page_size: number };
    return page_count * page_size;
  }

  /** What SQLite itself finds wrong with its file; empty when nothing. */
  storageProblems(): string[] {
    const rows = this.#open.db.prepare("PRAGMA integrity_check(20)").all() as {
      integrity_check: string;
    }[];
    return rows.map((row) => row.integrity_check).filter((text) => text !== "ok");
  }

  /**
   * Ends the use of the ledger. The SQLite binding keeps a closed connection alive until its
   * statements are collected, so what would outlive us is ended by hand: the snapshot of a reader,
   * which would hold up everybody's clean-up, and the write-ahead log of a writer.
   */
  close(): void {
    const { db } = this.#open;
    try {
      if (db.isTransaction) this.#statements.rollback.run();
      if (this.#heads && !this.#broken) db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // Only tidying: everything acknowledged is on disk in the log already.
    }
    this.#heads?.close();
    this.#open.close();
  }

  #write(expected: Head, entries: readonly SealedEntry[], note: string): "written" | "lost-race" {
    let committing = false;
    try {
      this.#statements.begin.run();
      if (!this.#isHead(expected)) {
        this.#statements.rollback.run();
        return "lost-race";
      }
      const last = entries.length - 1;
      for (const [index, { seq, line }] of entries.entries()) {
        this.#statements.insert.run(seq, line, index === last ? note : null);
      }
      committing = true;
      this.#statements.commit.run();
      return "written";
    } catch (cause) {
      throw this.#failure(cause, committing);
    }
  }

  /** Entries are never changed, so the same number of them is the same head. */
  #isHead({ size }: Head): boolean {
    return this.#storedSize() === size;
  }

  #storedSize(): number {
    const { last } = this.#statements.last.get() as { last: number | null };
    return last === null ? 0 : last + 1;
  }

  #failure(cause: unknown, committing: boolean): SwornError {
    if (/database is locked|SQLITE_BUSY/.test(messageOf(cause))) {
      return new SwornError(
        "LEDGER_BUSY",
        `${this.trace} is locked by another process; try again`,
        { cause },
      );
    }
    this.#broken = true;
    try {
      if (this.#open.db.isTransaction) this.#statements.rollback.run();
    } catch {
      // The store is closed to us either way; SQLite rolls back when it is opened next.
    }
    // A commit whose fsync failed may still be there after reopening: that is unknown, not failed.
    return committing
      ? new SwornError(
          "LEDGER_COMMIT_UNKNOWN",
          `${this.trace}: the disk failed during a commit (${messageOf(cause)}); run "sworn trace fsck ${this.trace}" to see whether it is there`,
          { cause },
        )
      : new SwornError(
          "LEDGER_WRITE_FAILED",
          `${this.trace}: nothing was written: ${messageOf(cause)}`,
          { cause },
        );
  }
}

/** Makes an empty database under another name first, so that a half-made one is never found. */
function createWhole(path: string): void {
  const unfinished = `${path}.new`;
  rmSync(unfinished, { force: true });
  createDatabase(unfinished).close();
  renameSync(unfinished, path);
}
