import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { messageOf, ownedBy, SwornError, syncFile } from "../base/index.ts";

/** Marks a file as ours: "Swrn". */
const APPLICATION_ID = 0x5377726e;
const LAYOUT_VERSION = 1;
/** Older versions can corrupt a database in WAL mode when a checkpoint meets a reset. */
const SQLITE_VERSION_MIN = [3, 51, 3] as const;
/** How long a writer waits for another one before it gives up. */
const BUSY_TIMEOUT_MS = 30_000;

/** A commit takes milliseconds; whoever holds the lock longer than this is stuck, or not one of us. */
const RETIRE_TIMEOUT_MS = 3_000;

/** A database that is open, and what must happen when it is closed. */
export interface OpenDatabase {
  readonly db: DatabaseSyncInstance;
  close(): void;
}

/** The empty database, which is the same for every trace, once one was made. */
let emptyDatabase: Buffer | undefined;

/**
 * Creates an empty database for a trace, on disk when it returns. Nobody may know its name before:
 * what is half-made is thrown away, so that it is enough to wait for the disk once, at the end.
 */
export function createDatabase(path: string): void {
  if (emptyDatabase === undefined) makeDatabase(path);
  else writeFileSync(path, emptyDatabase, { flag: "wx", mode: 0o644 });
  syncFile(path);
}

/** As SQLite makes it, which takes several times as long as writing down what it made before. */
function makeDatabase(path: string): void {
  const { db, close } = open(path, false);
  db.exec(`
    PRAGMA synchronous = OFF;
    PRAGMA journal_mode = MEMORY;
    PRAGMA application_id = ${APPLICATION_ID};
    PRAGMA user_version = ${LAYOUT_VERSION};
    CREATE TABLE entry (seq INTEGER PRIMARY KEY, line TEXT NOT NULL, checkpoint TEXT);
    PRAGMA journal_mode = WAL;
  `);
  close();
  // A log that is still there holds what the file lacks: then it is not the whole database.
  if (!existsSync(`${path}-wal`)) emptyDatabase = readFileSync(path);
}

/**
 * Opens the database of a trace.
 *
 * @throws SwornError `STORE_UNREADABLE` when it is not one of ours or SQLite cannot read it.
 */
export function openDatabase(path: string, readOnly: boolean): OpenDatabase {
  if (!existsSync(path)) throw new SwornError("NOT_FOUND", `there is no ledger at ${path}`);
  try {
    const opened = openOrCopy(path, readOnly);
    assertLayout(opened, path);
    if (!readOnly) setDurable(opened.db);
    return opened;
  } catch (cause) {
    if (cause instanceof SwornError) throw cause;
    if (!readOnly && /readonly|unable to open/.test(messageOf(cause))) {
      throw new SwornError("STORE_READ_ONLY", `${path} cannot be written to: ${messageOf(cause)}`, {
        cause,
      });
    }
    throw unreadable(path, messageOf(cause), { cause });
  }
}

function unreadable(path: string, why: string, options?: ErrorOptions): SwornError {
  const message = `${path} cannot be read as a ledger: ${why}; run "sworn trace fsck"`;
  return new SwornError("STORE_UNREADABLE", message, options);
}

/**
 * Makes a ledger refuse new entries for good, also from processes that have it open.
 *
 * @throws SwornError `LEDGER_BUSY` when another process is writing: its entry would be lost.
 */
export function retireDatabase(path: string): void {
  let opened: OpenDatabase | undefined;
  try {
    opened = open(path, false);
    opened.db.exec(`PRAGMA busy_timeout = ${RETIRE_TIMEOUT_MS}`);
    opened.db.exec(
      "CREATE TRIGGER IF NOT EXISTS set_aside BEFORE INSERT ON entry BEGIN SELECT RAISE(ABORT, 'this ledger was set aside by a recovery'); END",
    );
  } catch (cause) {
    if (sqliteCode(cause) === SQLITE_BUSY) {
      throw new SwornError("LEDGER_BUSY", `${path} is in use by another process; try again`, {
        cause,
      });
    }
    // A file too damaged for this is too damaged to be written to.
  } finally {
    opened?.close();
  }
}

/** SQLite's result codes that are told apart. */
export const SQLITE_BUSY = 5;
export const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** SQLite's own number for what went wrong, without its details; undefined for errors of others. */
export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : undefined;
}

/** Whether an error says that the stored bytes are damaged, rather than that this machine has trouble. */
export function isDamage(error: unknown): boolean {
  if (error instanceof SwornError) {
    return ["STORE_UNREADABLE", "LEDGER_CORRUPT", "NOT_FOUND"].includes(error.code);
  }
  // The binding gives a number to some of its errors only; the others have SQLite's own words.
  const isSaid = /disk image is malformed|file is not a database|disk I\/O error/.test(
    messageOf(error),
  );
  return isSaid || [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR].includes(sqliteCode(error) ?? -1);
}

function openOrCopy(path: string, readOnly: boolean): OpenDatabase {
  try {
    const opened = open(path, readOnly);
    try {
      opened.db.prepare("SELECT count(*) FROM sqlite_schema").get();
    } catch (error) {
      opened.close();
      throw error;
    }
    return opened;
  } catch (error) {
    // In a folder we may not write to, or on a full disk, SQLite cannot make the shared-memory file a WAL
    // reader needs.
    if (!readOnly || !/unable to open|readonly|disk I\/O/.test(messageOf(error))) throw error;
    return openCopy(path);
  }
}

function openCopy(path: string): OpenDatabase {
  const folder = mkdtempSync(join(tmpdir(), `sworn-read-${ownedBy()}`));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    for (const file of [path, `${path}-wal`]) {
      if (existsSync(file)) cpSync(file, join(folder, basename(file)));
    }
    const { db } = open(join(folder, basename(path)), false);
    const close = () => {
      db.close();
      remove();
    };
    return { db, close };
  } catch (error) {
    remove();
    throw error;
  }
}

function open(path: string, readOnly: boolean): OpenDatabase {
  const db = new DatabaseSync(path, { readOnly });
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA trusted_schema = OFF`);
  return { db, close: () => db.close() };
}

/** FULL: a commit is on disk before it returns. fullfsync: also where fsync alone does not mean that. */
function setDurable(db: DatabaseSyncInstance): void {
  db.exec("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON");
}

function assertLayout({ db, close }: OpenDatabase, path: string): void {
  const { version } = db.prepare("SELECT sqlite_version() AS version").get() as { version: string };
  const { application_id } = db.prepare("PRAGMA application_id").get() as {
    application_id: number;
  };
  const { user_version } = db.prepare("PRAGMA user_version").get() as { user_version: number };
  const problem = isOlder(version)
    ? `SQLite ${version} has a known corruption bug; at least ${SQLITE_VERSION_MIN.join(".")} is needed`
    : application_id !== APPLICATION_ID
      ? "it is not one of sworn's, or was emptied"
      : user_version !== LAYOUT_VERSION
        ? `it has layout ${user_version}, this version reads ${LAYOUT_VERSION}`
        : undefined;
  if (problem === undefined) return;
  close();
  throw unreadable(path, problem);
}

function isOlder(version: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, least] of SQLITE_VERSION_MIN.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}
