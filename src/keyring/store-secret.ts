import { createHmac, randomBytes } from "node:crypto";
import { linkSync, lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile, SwornError, sha256Hex, syncFolder, writeNewFile } from "../base/index.ts";
import { assertPrivate, ensureKeyFolder } from "./key-file.ts";

const SECRET_BYTES = 32;
const SECRET_TEXT = /^[0-9a-f]{64}\n$/;
const FILE_BYTES_MAX = 128;
/** Stands before what is hashed, so that no other use of the secret gives the same. */
const PURPOSE = "sworn redaction v1\n";

/**
 * A keyed hash for what is taken out of one store's records. Whoever is handed a record but not this
 * secret cannot find a telephone number by trying all of them. The secret is made when it is first
 * needed.
 *
 * @throws SwornError `KEY_EXPOSED` when others could read it, `KEY_UNUSABLE` when it is damaged.
 */
export function redactionHash(folder: string, store: string): (text: string) => string {
  let secret: Buffer | undefined;
  return (text) => {
    secret ??= secretIn(folder, `${sha256Hex(store).slice(0, 32)}.redaction`);
    return createHmac("sha256", secret).update(`${PURPOSE}${text}`).digest("hex");
  };
}

function secretIn(folder: string, name: string): Buffer {
  ensureKeyFolder(folder);
  const path = join(folder, name);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) create(folder, path);
  assertPrivate(path);
  const text = readPlainFile(path, FILE_BYTES_MAX, "refuse").toString("latin1");
  if (SECRET_TEXT.test(text)) return Buffer.from(text.trim(), "hex");
  throw new SwornError(
    "KEY_UNUSABLE",
    `${path} is damaged, expected 64 hexadecimal digits; remove it to have a new one made, with which what was taken out before cannot be compared`,
  );
}

/** A link fails where the name exists: of two processes one makes the secret, and both use it. */
function create(folder: string, path: string): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  const text = `${randomBytes(SECRET_BYTES).toString("hex")}\n`;
  writeNewFile(temporary, text, 0o600);
  try {
    linkSync(temporary, path);
    syncFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}
