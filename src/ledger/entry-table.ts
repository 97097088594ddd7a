import { assert, messageOf, SwornError } from "../base/index.ts";
import type { SealedEntry } from "./entry.ts";
import { type OpenDatabase, SQLITE_BUSY, SQLITE_IOERR, sqliteCode } from "./sqlite.ts";
import { prepareStatements, type Statements } from "./statements.ts";

/** How long a writer that ends waits for readers before it leaves the tidying to the next one. */
const TIDY_TIMEOUT_MS = 100;

/** Longer pieces are made slower, and shorter ones handed out slower. */
const PIECE_LINES = 64;

/** A stored checkpoint: the note that was signed over the first `size` entries. */
export interface StoredCheckpoint {
  readonly size: number;
  readonly note: string;
}

/** The rows of one trace: what SQLite is asked, and what its errors mean. */
export class EntryTable {
  readonly #trace: string;
  readonly #open: OpenDatabase;
  readonly #statements: Statements;
  /** Set after an I/O error: what is on disk is then unknown, and writing on would make it worse. */
  #broken = false;

  constructor(trace: string, open: OpenDatabase) {
    this.#trace = trace;
    this.#open = open;
    try {
      this.#statements = prepareStatements(open);
    } catch (cause) {
      open.close();
      throw unreadable(trace, cause);
    }
  }

  get isBroken(): boolean {
    return this.#broken;
  }

  /** Takes no more entries: the caller no longer knows what is stored. */
  giveUp(): void {
    this.#broken = true;
  }

  /** How many entries are stored, going by the last one; that none is missing shows in reading them. */
  size(): number {
    const { last } = this.#statements.last.get() as { last: number | null };
    return last === null ? 0 : last + 1;
  }

  *read(from: number): Generator<string> {
    const rows = this.#statements.entriesFrom.iterate(from) as Iterator<{ line: string }>;
    try {
      for (let row = this.#next(rows); row; row = this.#next(rows)) yield row.line;
    } finally {
      rows.return?.();
    }
  }

  /** The bytes of all lines in order, some lines at a time, with a line feed between two of them. */
  *pieces(): Generator<Uint8Array<ArrayBuffer>> {
    const size = this.size();
    for (let from = 0; from < size; from += PIECE_LINES) {
      const { piece } = this.#pieceFrom(from);
      // A gap as long as a piece is damage like any other: what is there does not add up to what was signed.
      if (piece !== null) yield piece;
    }
  }

  #pieceFrom(from: number): { piece: Uint8Array<ArrayBuffer> | null } {
    try {
      return this.#statements.piece.get(from, from + PIECE_LINES) as {
        piece: Uint8Array<ArrayBuffer> | null;
      };
    } catch (cause) {
      throw unreadable(this.#trace, cause);
    }
  }

  /** Only the database's own errors are damage; what the reader of the lines throws is its own. */
  #next(rows: Iterator<{ line: string }>): { line: string } | undefined {
    try {
      const { done, value } = rows.next();
      if (done) return undefined;
      // A flipped bit can turn text into a number.
      assert(typeof value.line === "string", "an entry's line is text");
      return value;
    } catch (cause) {
      throw unreadable(this.#trace, cause);
    }
  }

  *checkpoints(): Generator<StoredCheckpoint> {
    const rows = this.#statements.checkpoints.iterate() as Iterable<StoredCheckpoint>;
    for (const row of rows) yield this.#whole(row);
  }

  lastCheckpoint(): StoredCheckpoint | undefined {
    const row = this.#statements.lastCheckpoint.get() as StoredCheckpoint | undefined;
    return row && this.#whole(row);
  }

  checkpointOfSize(size: number): StoredCheckpoint | undefined {
    const row = this.#statements.checkpointOfSize.get(size) as StoredCheckpoint | undefined;
    return row && this.#whole(row);
  }

  #whole(row: StoredCheckpoint): StoredCheckpoint {
    if (typeof row.note === "string" && typeof row.size === "number") return row;
    throw unreadable(this.#trace, "a checkpoint is no text");
  }

  /**
   * Stores entries and the checkpoint over them in one commit; false, and nothing changed, when
   * they do not follow what is stored by now.
   */
  append(entries: readonly SealedEntry[], note: string): boolean {
    const [first, ...rest] = entries;
    assert(first, "there is something to append");
    try {
      return rest.length === 0
        ? this.#insertNext(first, note)
        : this.#insertGroup(first, rest, note);
    } catch (cause) {
      throw this.#failure(cause);
    }
  }

  /** Everything that `read` asks for is answered from one moment, whatever others write meanwhile. */
  atOnce<T>(read: () => T): T {
    const { db } = this.#open;
    if (db.isTransaction) return read();
    this.#statements.snapshot.run();
    try {
      return read();
    } finally {
      this.#statements.rollback.run();
    }
  }

  begin(): void {
    this.#statements.begin.run();
  }

  /** Stores lines as they come, in a transaction that only `commit` ends well. */
  async fill(pieces: AsyncIterable<Buffer> | Iterable<Buffer>, note: string): Promise<void> {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    let rest = "";
    let seq = 0;
    for await (const piece of pieces) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#statements.insert.run(seq++, line, null);
    }
    this.#statements.sign.run(note, seq - 1);
  }

  commit(): void {
    this.#statements.commit.run();
  }

  /** About how many bytes the entries take. */
  storedBytes(): number {
    const { bytes } = this.#statements.bytes.get() as { bytes: number };
    return bytes;
  }

  /** What SQLite itself finds wrong with its file; empty when nothing. */
  problems(): string[] {
    const rows = this.#statements.integrity.all() as { integrity_check: string }[];
    return rows.map((row) => row.integrity_check).filter((text) => text !== "ok");
  }

  /**
   * Ends the use of the database. The SQLite binding keeps a closed connection alive until its
   * statements are collected, so what would outlive us is ended by hand: the snapshot of a reader,
   * which would hold up everybody's clean-up, and the write-ahead log of a writer.
   */
  close(isWriter: boolean): void {
    const { db } = this.#open;
    try {
      if (db.isTransaction) this.#statements.rollback.run();
      // Not for long: whoever reads for a while must not keep a writer from ending.
      if (isWriter && !this.#broken) {
        db.exec(`PRAGMA busy_timeout = ${TIDY_TIMEOUT_MS}; PRAGMA wal_checkpoint(TRUNCATE)`);
      }
    } catch {
      // Only tidying: everything acknowledged is on disk in the log already.
    }
    this.#open.close();
  }

  /** One entry is one statement, and so a transaction by itself. */
  #insertNext({ seq, line }: SealedEntry, note: string | null): boolean {
    return this.#statements.insertNext.run(seq, line, note).changes === 1;
  }

  #insertGroup(first: SealedEntry, rest: readonly SealedEntry[], note: string): boolean {
    this.#statements.begin.run();
    if (!this.#insertNext(first, null)) {
      this.#statements.rollback.run();
      return false;
    }
    const last = rest.length - 1;
    for (const [index, { seq, line }] of rest.entries()) {
      this.#statements.insert.run(seq, line, index === last ? note : null);
    }
    this.#statements.commit.run();
    return true;
  }

  #failure(cause: unknown): SwornError {
    const kind = sqliteCode(cause);
    this.#broken = kind !== SQLITE_BUSY;
    try {
      if (this.#open.db.isTransaction) this.#statements.rollback.run();
    } catch {
      // The store is closed to us then; SQLite rolls back when it is opened next.
      this.#broken = true;
    }
    if (kind === SQLITE_BUSY) {
      const message = `${this.#trace} is locked by another process; try again`;
      return new SwornError("LEDGER_BUSY", message, { cause });
    }
    // A commit whose write or fsync failed may still be there after reopening: unknown, not failed.
    return kind === undefined || kind === SQLITE_IOERR
      ? new SwornError(
          "LEDGER_COMMIT_UNKNOWN",
          `${this.#trace}: the disk failed during a commit (${messageOf(cause)}); run "sworn trace fsck ${this.#trace}" to see whether it is there`,
          { cause },
        )
      : new SwornError(
          "LEDGER_WRITE_FAILED",
          `${this.#trace}: nothing was written: ${messageOf(cause)}`,
          { cause },
        );
  }
}

function unreadable(trace: string, cause: unknown): SwornError {
  return new SwornError(
    "STORE_UNREADABLE",
    `the ledger of ${trace} is damaged: ${messageOf(cause)}; run "sworn trace fsck ${trace}"`,
    { cause },
  );
}
