import { randomBytes } from "node:crypto";
import { existsSync, linkSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import {
  assert,
  messageOf,
  type Signer,
  SwornError,
  sha256Hex,
  syncFolder,
} from "../base/index.ts";
import { GENESIS_PREV } from "../schema/index.ts";
import { claimOf, signCheckpoint } from "./checkpoint.ts";
import type { SealedEntry } from "./entry.ts";
import { EntryTable, type StoredCheckpoint } from "./entry-table.ts";
import type { HeadFile } from "./heads.ts";
import { createDatabase, openDatabase } from "./sqlite.ts";
import { TreeHead } from "./tree.ts";

/** Where a ledger ends: how many entries it has and the hash of the last one. */
export interface Head {
  readonly size: number;
  readonly hash: string;
}

/** What a ledger is opened for: one view of it, all that comes, or to write. */
type LedgerUse = "read" | "follow" | "append";

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
  /**
   * The checkpoints kept outside, as they were before the ledger was opened. A head is remembered
   * after its commit, so read in this order none can be ahead of a sound ledger.
   */
  readonly outsideNotes: readonly string[];
  readonly #table: EntryTable;
  /** Where heads are remembered; undefined for a reader. */
  readonly #heads: HeadFile | undefined;
  #tree = new TreeHead();
  #hash = GENESIS_PREV;

  private constructor(trace: string, path: string, heads: HeadFile | undefined, use: LedgerUse) {
    this.trace = trace;
    this.outsideNotes = heads?.notes() ?? [];
    if (heads?.isUsed() === true && !existsSync(path)) throw gone(trace, path);
    const open = openDatabase(path, use !== "append");
    if (use === "read") open.db.exec("BEGIN");
    this.#table = new EntryTable(trace, open);
    this.#heads = use === "append" ? heads : undefined;
  }

  /**
   * Starts an empty ledger. The outside head is there before the first entry can be.
   *
   * @throws SwornError `LEDGER_WRITE_FAILED` when the disk does not take it.
   */
  static create(trace: string, path: string, heads: HeadFile, signer: Signer): LocalLedger {
    try {
      heads.remember(0, signCheckpoint({ trace, size: 0, root: new TreeHead().root() }, signer));
      createWhole(path);
      return LocalLedger.openForAppend(trace, path, heads);
    } catch (cause) {
      const message = `${trace} could not be begun, and nothing was written: ${messageOf(cause)}`;
      throw new SwornError("LEDGER_WRITE_FAILED", message, { cause });
    }
  }

  static openForAppend(trace: string, path: string, heads: HeadFile): LocalLedger {
    return new LocalLedger(trace, path, heads, "append");
  }

  /** Opens one unmoving view of the ledger; what others append meanwhile is not in it. */
  static openForReading(trace: string, path: string, heads?: HeadFile): LocalLedger {
    return new LocalLedger(trace, path, heads, "read");
  }

  /** Opens the ledger for reading on: {@link catchUp} gives what others appended meanwhile. */
  static openForFollowing(trace: string, path: string): LocalLedger {
    return new LocalLedger(trace, path, undefined, "follow");
  }

  /**
   * Stores entries that were signed elsewhere, with the checkpoint over them: all or none, and
   * only when they end in the head they were verified with.
   *
   * @throws SwornError `ALREADY_EXISTS` when there are entries already, `LEDGER_BEHIND` when more
   * were acknowledged here, `LEDGER_CORRUPT` when the content is not what was verified.
   */
  static async receive(
    trace: string,
    path: string,
    heads: HeadFile,
    { pieces, note, head }: ForeignEntries,
  ): Promise<void> {
    const known = Math.max(0, ...heads.notes().map((one) => claimOf(one, trace)?.size ?? 0));
    const offered = claimOf(note, trace)?.size ?? 0;
    if (known > offered) {
      throw new SwornError(
        "LEDGER_BEHIND",
        `${trace}: ${known} entries were acknowledged here, the bundle has ${offered}`,
      );
    }
    if (!existsSync(path)) createWhole(path);
    const ledger = LocalLedger.openForAppend(trace, path, heads);
    try {
      ledger.#table.begin();
      if (ledger.hasNews()) throw new SwornError("ALREADY_EXISTS", `${trace} has entries already`);
      await ledger.#table.fill(pieces, note);
      ledger.catchUp(() => {});
      // Without a commit, closing takes all of it back.
      if (ledger.head.hash !== head) {
        throw new SwornError(
          "LEDGER_CORRUPT",
          `the entries of ${trace} changed while they were read`,
        );
      }
      ledger.#table.commit();
      heads.remember(ledger.head.size, note);
    } finally {
      ledger.close();
    }
  }

  /** The end of what {@link catchUp} has seen. */
  get head(): Head {
    return { size: this.#tree.size, hash: this.#hash };
  }

  get root(): string {
    return this.#tree.root();
  }

  /** Whether others have appended since the last {@link catchUp}. */
  hasNews(): boolean {
    return this.#table.size() > this.#tree.size;
  }

  /** Stored lines from a place on, unchecked. */
  read(from = 0): Generator<string> {
    return this.#table.read(from);
  }

  /** All stored lines, unchecked, in pieces: each some lines with a line feed between two of them. */
  pieces(): Generator<Uint8Array<ArrayBuffer>> {
    return this.#table.pieces();
  }

  /** Stored checkpoints, oldest first, unchecked. */
  checkpoints(): Generator<StoredCheckpoint> {
    return this.#table.checkpoints();
  }

  lastCheckpoint(): StoredCheckpoint | undefined {
    return this.#table.lastCheckpoint();
  }

  checkpointOfSize(size: number): StoredCheckpoint | undefined {
    return this.#table.checkpointOfSize(size);
  }

  storedBytes(): number {
    return this.#table.storedBytes();
  }

  storageProblems(): string[] {
    return this.#table.problems();
  }

  /**
   * Hands out the lines that were appended since the last call, after taking each into the chain,
   * and gives the checkpoint that was stored last at that moment.
   *
   * @throws SwornError `LEDGER_CORRUPT` when a line does not follow the one before it.
   */
  catchUp(visit: (line: string, seq: number) => void): StoredCheckpoint | undefined {
    return this.#table.atOnce(() => {
      this.#takeNew(visit);
      return this.#table.lastCheckpoint();
    });
  }

  #takeNew(visit: (line: string, seq: number) => void): void {
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
    if (!this.#heads || this.#table.isBroken) {
      throw new SwornError(
        "STORE_READ_ONLY",
        `${this.trace} is open for reading only; open it again to append`,
      );
    }
    assert(entries[0]?.seq === expected.size, "entries are sealed to follow the expected head");
    if (expected.size !== this.#tree.size || expected.hash !== this.#hash) return false;
    const tree = this.#tree.copy();
    for (const entry of entries) tree.append(entry.hash);
    const note = signCheckpoint({ trace: this.trace, size: tree.size, root: tree.root() }, signer);
    if (!this.#table.append(entries, note)) return false;
    this.#tree = tree;
    this.#hash = entries.at(-1)?.hash ?? this.#hash;
    this.#rememberHead(this.#heads, tree.size, note);
    return true;
  }

  /** The entries are stored by now; without their head remembered they are not acknowledged. */
  #rememberHead(heads: HeadFile, size: number, note: string): void {
    try {
      heads.remember(size, note);
    } catch (cause) {
      this.#table.giveUp();
      throw new SwornError(
        "LEDGER_COMMIT_UNKNOWN",
        `${this.trace}: ${size} entries are stored, but their head could not be remembered outside the store (${messageOf(cause)}); see "sworn trace show ${this.trace}" before you record again`,
        { cause },
      );
    }
  }

  close(): void {
    this.#heads?.close();
    this.#table.close(this.#heads !== undefined);
  }
}

/** What is kept outside knows of entries, so that this is no trace that never began. */
function gone(trace: string, path: string): SwornError {
  const next = `put it back from a backup, or see "sworn trace recover ${trace}"`;
  const what = `the ledger of ${trace} is gone (${path}), and entries were recorded in it`;
  return new SwornError("STORE_UNREADABLE", `${what}; ${next}`);
}

/**
 * Makes an empty database under a name of its own first, so that a half-made one is never found. A
 * link, unlike a rename, does not replace what another process made meanwhile.
 */
function createWhole(path: string): void {
  const unfinished = `${path}.${randomBytes(6).toString("hex")}.new`;
  const log = `${unfinished}-wal`;
  try {
    createDatabase(unfinished);
    // Closing moves the log into the file. On a full disk it stays, with the tables in it, and says nothing.
    if (existsSync(log)) throw new Error("there is no room for it on the disk");
    linkSync(unfinished, path);
    syncFolder(dirname(path));
  } catch (error) {
    if (!existsSync(path)) throw error;
  } finally {
    for (const one of [unfinished, log, `${unfinished}-shm`]) rmSync(one, { force: true });
  }
}
