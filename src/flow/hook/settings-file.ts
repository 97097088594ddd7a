import { lstatSync, rmSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import {
  decodeUtf8,
  ensureFolder,
  messageOf,
  parseJson,
  readPlainFile,
  SwornError,
  writeFileDurably,
} from "../../base/index.ts";

const SETTINGS_BYTES_MAX = 4 << 20;

/** Somebody else's settings: nothing about their members is known. */
export type Settings = { [name: string]: unknown };

/**
 * Reads settings of an agent; empty when there are none.
 *
 * @throws SwornError `INPUT_INVALID` when they are not what we would write back whole.
 */
export function readSettings(base: string, name: string): Settings {
  const path = join(base, name);
  if (plainOrAbsent(base, name) === undefined) return {};
  const bytes = readPlainFile(path, SETTINGS_BYTES_MAX, "refuse");
  if (bytes.toString("utf8").trim() === "") return {};
  const settings = parsed(path, bytes);
  if (isSettings(settings)) return settings;
  throw new SwornError("INPUT_INVALID", `${path}: expected a JSON object; nothing was changed`);
}

/** Writes them so that a reader sees the old ones or the new ones. Their mode stays. */
export function writeSettings(base: string, name: string, settings: Settings): void {
  const path = join(base, name);
  const before = plainOrAbsent(base, name);
  ensureFolder(dirname(path));
  const mode = before === undefined ? 0o644 : before.mode & 0o777;
  writeFileDurably(path, `${JSON.stringify(settings, undefined, 2)}\n`, mode);
}

/** Takes the file away, if it still is one of ours to take; its folder stays. */
export function removeSettings(base: string, name: string): void {
  if (plainOrAbsent(base, name) !== undefined) rmSync(join(base, name));
}

/** An object, and no list. */
export function isSettings(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(path: string, bytes: Buffer): unknown {
  try {
    // A key that is given twice would be lost in one of its two values.
    return parseJson(decodeUtf8(bytes), SETTINGS_BYTES_MAX);
  } catch (cause) {
    const what = `${path} cannot be read: ${messageOf(cause)}; put it right first, nothing was changed`;
    throw new SwornError("INPUT_INVALID", what, { cause });
  }
}

/**
 * A repository could have a link in place of the file or of its folder: writing there would change a
 * file somewhere else.
 */
function plainOrAbsent(base: string, name: string): Stats | undefined {
  const folder = lstatSync(join(base, dirname(name)), { throwIfNoEntry: false });
  if (folder === undefined) return undefined;
  if (!folder.isDirectory()) throw notPlain(join(base, dirname(name)), "folder");
  const file = lstatSync(join(base, name), { throwIfNoEntry: false });
  if (file !== undefined && !file.isFile()) throw notPlain(join(base, name), "file");
  return file;
}

function notPlain(path: string, expected: string): SwornError {
  const what = `${path}: expected a ${expected}, found a link or something else`;
  return new SwornError("PATH_ESCAPES", `${what}; links are not followed, nothing was changed`);
}
