import { copyFileSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ownedBy } from "../base/index.ts";

/** Far more commits than any clone is cut off at. */
const SHALLOW_BYTES_MAX = 16 << 20;

export type ObjectFormat = "sha1" | "sha256";

/**
 * A bare repository of our own that borrows the objects of another one. Contents are read through
 * it, so that neither the other's configuration nor its attributes have a say: a driver named in
 * .git/config does not run, and a `.gitattributes` that calls every file binary hides nothing.
 * What has to be written, such as the tree of the index, is written here and not there.
 */
export class ObjectFolder {
  readonly path: string;

  constructor(objectsOf: string, format: ObjectFormat) {
    this.path = mkdtempSync(join(tmpdir(), `sworn-git-${ownedBy()}`));
    mkdirSync(join(this.path, "objects", "info"), { recursive: true });
    mkdirSync(join(this.path, "refs"));
    writeFileSync(join(this.path, "HEAD"), "ref: refs/heads/none\n");
    writeFileSync(join(this.path, "config"), configOf(format));
    writeFileSync(join(this.path, "objects", "info", "alternates"), `${quoted(objectsOf)}\n`);
    this.#takeShallow(join(dirname(objectsOf), "shallow"));
  }

  /** Where a clone is cut off: without it, git looks for parents that were never fetched. */
  #takeShallow(list: string): void {
    const found = lstatSync(list, { throwIfNoEntry: false });
    if (found === undefined || !found.isFile() || found.size > SHALLOW_BYTES_MAX) return;
    copyFileSync(list, join(this.path, "shallow"));
  }

  /** The variables that make git use this folder, and no configuration but the one in it. */
  get environment(): Record<string, string> {
    return { GIT_DIR: this.path, GIT_CONFIG_GLOBAL: "/dev/null" };
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

function configOf(format: ObjectFormat): string {
  const version = format === "sha1" ? 0 : 1;
  const extension = format === "sha1" ? "" : "[extensions]\n\tobjectFormat = sha256\n";
  return `[core]\n\trepositoryFormatVersion = ${version}\n\tbare = true\n${extension}`;
}

/** A path as git's alternates file takes it whatever is in its name, newlines included. */
function quoted(path: string): string {
  const bytes = [...Buffer.from(path)].map((byte) =>
    byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c
      ? `\\${byte.toString(8).padStart(3, "0")}`
      : String.fromCharCode(byte),
  );
  return `"${bytes.join("")}"`;
}
