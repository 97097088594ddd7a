import {
  closeSync,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import {
  decodeUtf8,
  openPlainFile,
  ownedBy,
  parseJson,
  readPlainFile,
  SwornError,
  TAR_END,
  tarHeader,
  tarPadding,
  writeAll,
} from "../base/index.ts";
import { NOTE_MEMBER, PACKET_MEMBER, SIGNATURE_MEMBER, TaskPacket } from "../schema/task-packet.ts";

const FILES_MAX = 100;
const NAME_BYTES_MAX = 100;
const HEAD_BYTES_MAX = 1 << 20;
const CHUNK_BYTES = 1 << 20;

/** Whether a folder holds what a packet begins with. */
export function isPacketFolder(path: string): boolean {
  return existsSync(join(path, PACKET_MEMBER));
}

/**
 * Gives a packet that was unpacked back its one form, in a private folder while it is used. Nothing is
 * judged here: what is missing, changed or too much is for the verifier to find.
 *
 * @throws SwornError `BUNDLE_MALFORMED` for what no packet can hold.
 */
export async function withPacked<T>(folder: string, use: (path: string) => Promise<T>): Promise<T> {
  const own = mkdtempSync(join(tmpdir(), `sworn-packet-${ownedBy()}`));
  try {
    const path = join(own, "packet.tar");
    pack(folder, inOrder(folder, filesBelow(folder)), path);
    return await use(path);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

function filesBelow(folder: string): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) continue;
    const name = relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/");
    const isNamed = /^[\x21-\x7e]+$/.test(name) && name.length <= NAME_BYTES_MAX;
    if (!entry.isFile() || !isNamed || found.length >= FILES_MAX) {
      const shown = JSON.stringify(name.slice(0, NAME_BYTES_MAX));
      const what = `${folder} holds ${shown}, which is no member of a packet`;
      throw new SwornError("BUNDLE_MALFORMED", what);
    }
    found.push(name);
  }
  return found;
}

/** As packet.json lists them, which signs their order too; whatever it does not list comes last. */
function inOrder(folder: string, found: readonly string[]): string[] {
  const listed = [PACKET_MEMBER, SIGNATURE_MEMBER, NOTE_MEMBER, ...listedIn(folder)];
  const known = listed.filter((name) => found.includes(name));
  return [...new Set([...known, ...found.toSorted()])];
}

function listedIn(folder: string): string[] {
  const bytes = readPlainFile(join(folder, PACKET_MEMBER), HEAD_BYTES_MAX, "refuse");
  try {
    const parsed = TaskPacket.safeParse(parseJson(decodeUtf8(bytes), HEAD_BYTES_MAX));
    return parsed.data?.members.map(({ name }) => name) ?? [];
  } catch {
    // Not to be read as a packet's head: the verifier says so, whatever the order of the rest is.
    return [];
  }
}

function pack(folder: string, names: readonly string[], path: string): void {
  const into = openSync(path, "wx", 0o600);
  try {
    for (const name of names) append(into, name, join(folder, name));
    writeAll(into, TAR_END);
  } finally {
    closeSync(into);
  }
}

function append(into: number, name: string, path: string): void {
  const from = openPlainFile(path, "refuse");
  try {
    const { size } = fstatSync(from);
    writeAll(into, tarHeader(name, size));
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let left = size; left > 0; ) {
      const count = readSync(from, chunk, 0, Math.min(left, chunk.length), null);
      if (count === 0) throw new SwornError("BUNDLE_MALFORMED", `${path} grew shorter meanwhile`);
      writeAll(into, chunk.subarray(0, count));
      left -= count;
    }
    writeAll(into, Buffer.alloc(tarPadding(size)));
  } finally {
    closeSync(from);
  }
}
