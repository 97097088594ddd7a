import { randomBytes } from "node:crypto";
import { lstatSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import {
  ensureFolder,
  messageOf,
  readPlainFile,
  SwornError,
  writeFileDurably,
} from "../../base/index.ts";
import { assertNoLink } from "../place.ts";

/** More than this waits for the next time. */
const FILES_MAX = 200;
const FILE_BYTES_MAX = 262_144;
const NAME_BYTES_MAX = 200;
const REASON_CHARS_MAX = 500;

/** A file in a mailbox: its bytes, or why they are not taken. */
export interface MailFile {
  readonly name: string;
  readonly content: Buffer | { readonly problem: string };
}

/**
 * A folder in which files are taken for mail. Only its top is looked at; what was taken goes to
 * `archive`, what cannot be taken to `refused`, and what is sent to `out`. Links are not followed.
 */
export class Mailbox {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    for (const path of [folder, ...this.#corners()]) assertNoLink(path);
  }

  /** The files that wait, in the order of their names: urgent ones first. */
  waiting(isUrgent: (name: string) => boolean): MailFile[] {
    if (lstatSync(this.folder, { throwIfNoEntry: false }) === undefined) return [];
    const names = readdirSync(this.folder)
      .filter((name) => name.endsWith(".md") && Buffer.byteLength(name) <= NAME_BYTES_MAX)
      .sort((a, b) => Number(isUrgent(b)) - Number(isUrgent(a)) || (a < b ? -1 : 1));
    return names.slice(0, FILES_MAX).flatMap((name) => this.#look(name) ?? []);
  }

  /** Puts a file that was read into the archive; false when somebody else did. */
  archive(name: string): boolean {
    return this.#move(name, "archive");
  }

  /** Puts a file aside, with the reason beside it. */
  refuse(name: string, reason: string): void {
    if (!this.#move(name, "refused")) return;
    const words = `${reason.slice(0, REASON_CHARS_MAX)}\n`;
    writeFileDurably(join(this.folder, "refused", `${name}.reason.txt`), words);
  }

  /** Puts a file out for others to take; whole or not at all. */
  send(name: string, text: string): string {
    const folder = join(this.folder, "out");
    ensureFolder(folder);
    const path = join(folder, name);
    writeFileDurably(path, text);
    return path;
  }

  #look(name: string): MailFile | undefined {
    const path = join(this.folder, name);
    const kind = lstatSync(path, { throwIfNoEntry: false });
    if (kind === undefined || kind.isDirectory()) return undefined;
    if (!kind.isFile()) return { name, content: { problem: "expected a plain file, found none" } };
    try {
      return { name, content: readPlainFile(path, FILE_BYTES_MAX, "refuse") };
    } catch (error) {
      const isGone = error instanceof Error && "code" in error && error.code === "ENOENT";
      return isGone ? undefined : { name, content: { problem: messageOf(error) } };
    }
  }

  #move(name: string, corner: "archive" | "refused"): boolean {
    const folder = join(this.folder, corner);
    ensureFolder(folder);
    try {
      renameSync(join(this.folder, name), join(folder, unusedName(folder, name)));
      return true;
    } catch (cause) {
      if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return false;
      const message = `${name} cannot be put into ${folder}: ${messageOf(cause)}`;
      throw new SwornError("ARTIFACT_WRITE_FAILED", message, { cause });
    }
  }

  #corners(): string[] {
    return ["archive", "refused", "out"].map((name) => join(this.folder, name));
  }
}

/** A name that replaces nothing: an earlier mail may have had the same. */
function unusedName(folder: string, name: string): string {
  const isFree = lstatSync(join(folder, name), { throwIfNoEntry: false }) === undefined;
  return isFree ? name : `${randomBytes(6).toString("hex")}-${name}`;
}
