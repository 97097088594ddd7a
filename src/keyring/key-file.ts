import { randomBytes } from "node:crypto";
import { linkSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import {
  ensureFolder,
  messageOf,
  parseJson,
  SwornError,
  syncFolder,
  writeFileDurably,
  writeNewFile,
} from "../base/index.ts";
import { KeyId, Name, PublicKeyText } from "../schema/index.ts";

const KEY_FILE_BYTES_MAX = 1 << 20;

/** One key of an agent. `secret` is PKCS#8 in base64, or an armored age file when a passphrase is set. */
const KeyRecord = z.strictObject({
  key: KeyId,
  public: PublicKeyText,
  created_at: z.iso.datetime({ precision: 3 }),
  status: z.enum(["active", "rotated", "revoked"]),
  secret: z.string().min(1).max(65_536),
});
export type KeyRecord = z.infer<typeof KeyRecord>;

const KeyFile = z.strictObject({
  v: z.literal(1),
  agent: Name,
  keys: z.array(KeyRecord).max(1_000),
});
export type KeyFile = z.infer<typeof KeyFile>;

/** Creates the folder of secrets, closed to everybody else. */
export function ensureKeyFolder(folder: string): void {
  ensureFolder(folder, 0o700);
  assertPrivate(folder);
}

/**
 * Refuses a file or folder that somebody else could read: a key that was readable is not a secret
 * any more, whatever its mode is now made to be.
 *
 * @throws SwornError `KEY_EXPOSED`.
 */
export function assertPrivate(path: string): void {
  if (process.platform === "win32") return;
  const { mode, uid } = lstatSync(path);
  if ((mode & 0o077) === 0 && uid === process.getuid?.()) return;
  throw new SwornError(
    "KEY_EXPOSED",
    `${path} can be read by others (mode ${(mode & 0o777).toString(8)}); expected 600 for files, 700 for folders, owned by you. ` +
      `Close it with "chmod go= ${path}" and rotate the keys in it if anyone else uses this machine`,
  );
}

export function agentsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -5))
    .sort();
}

/** Reads the keys of an agent; undefined when it has none. */
export function readKeyFile(folder: string, agent: string): KeyFile | undefined {
  const path = keyPath(folder, agent);
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
  assertPrivate(folder);
  assertPrivate(path);
  const parsed = KeyFile.safeParse(parseKeyJson(path));
  if (!parsed.success || parsed.data.agent !== agent) {
    throw new SwornError(
      "KEY_UNUSABLE",
      `${path} is not a key file of ${agent}; restore it from a backup or move it away`,
    );
  }
  return parsed.data;
}

function parseKeyJson(path: string): unknown {
  try {
    return parseJson(readFileSync(path, "utf8"), KEY_FILE_BYTES_MAX);
  } catch (cause) {
    throw new SwornError("KEY_UNUSABLE", `${path} is damaged: ${messageOf(cause)}`, { cause });
  }
}

/** Writes the first keys of an agent; false when another process was faster. */
export function createKeyFile(folder: string, file: KeyFile): boolean {
  const path = keyPath(folder, file.agent);
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  writeNewFile(temporary, serialize(file), 0o600);
  try {
    // A link fails when the name exists, so no key that was already used is ever overwritten.
    linkSync(temporary, path);
    syncFolder(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Changes the keys of an agent. One process at a time: a key that is lost to another's write may
 * already stand in a trace.
 *
 * @throws SwornError `NOT_FOUND` when the agent has no keys, `KEY_UNUSABLE` when the lock is never freed.
 */
export function changeKeyFile(
  folder: string,
  agent: string,
  change: (file: KeyFile) => KeyFile,
): void {
  const lock = `${keyPath(folder, agent)}.lock`;
  takeLock(lock);
  try {
    const file = readKeyFile(folder, agent);
    if (!file) throw new SwornError("NOT_FOUND", `${agent} has no key here; see "sworn keys list"`);
    writeFileDurably(keyPath(folder, agent), serialize(change(file)), 0o600);
  } finally {
    rmSync(lock, { force: true });
  }
}

const LOCK_WAIT_MS = 10;
const LOCK_WAITS_MAX = 1_000;
/** A change takes milliseconds; a lock this old belongs to a process that died. */
const LOCK_STALE_MS = 5_000;

function takeLock(path: string): void {
  for (let wait = 0; wait < LOCK_WAITS_MAX; wait += 1) {
    try {
      writeFileSync(path, "", { flag: "wx", mode: 0o600 });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const age = Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > LOCK_STALE_MS) rmSync(path, { force: true });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_WAIT_MS);
  }
  throw new SwornError(
    "KEY_UNUSABLE",
    `${path} is held by another process; remove it if none is running`,
  );
}

function serialize(file: KeyFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

function keyPath(folder: string, agent: string): string {
  return join(folder, `${Name.parse(agent)}.json`);
}
