import { createHash } from "node:crypto";
import { SwornError } from "../../base/index.ts";

const MAGIC = 0xfeed_feed;
const VERSION = 2;
const CERTIFICATE = 2;
const ENTRIES_MAX = 10_000;
/** Of the seal at the end: it keeps nobody out, everybody knows the password. */
const SEAL_BYTES = 20;
const PASSWORD = "changeit";
const SALT = "Mighty Aphrodite";

interface Entry {
  readonly name: string;
  /** What comes before the time that it was added, and after it. */
  readonly before: Buffer;
  readonly after: Buffer;
}

/**
 * Java's list of authorities as it would be if all of them had been added at one time, in the order
 * of their names: the file that packages make of the same certificates differs from build to build.
 *
 * @throws SwornError `SANDBOX_FAILED` for a file that is no such list.
 */
export function settledKeystore(bytes: Buffer, atMs: number): Buffer {
  const entries = readEntries(bytes).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const head = Buffer.alloc(12);
  head.writeUInt32BE(MAGIC, 0);
  head.writeUInt32BE(VERSION, 4);
  head.writeUInt32BE(entries.length, 8);
  const time = Buffer.alloc(8);
  time.writeBigInt64BE(BigInt(atMs));
  const parts = entries.flatMap(({ before, after }) => [before, time, after]);
  const content = Buffer.concat([head, ...parts]);
  return Buffer.concat([content, sealOf(content)]);
}

function sealOf(content: Buffer): Buffer {
  const password = Buffer.from(PASSWORD, "utf16le").swap16();
  return createHash("sha1").update(password).update(SALT).update(content).digest();
}

function readEntries(bytes: Buffer): Entry[] {
  try {
    const content = bytes.subarray(0, -SEAL_BYTES);
    const count = content.readUInt32BE(8);
    const isKnown = content.readUInt32BE(0) === MAGIC && content.readUInt32BE(4) === VERSION;
    if (!isKnown || count > ENTRIES_MAX) throw new Error("it begins in another way");
    if (!sealOf(content).equals(bytes.subarray(-SEAL_BYTES))) throw new Error("its seal is wrong");
    let at = 12;
    const entries = Array.from({ length: count }, () => {
      const entry = readEntry(content, at);
      at += entry.before.length + 8 + entry.after.length;
      return entry;
    });
    if (at !== content.length) throw new Error("something follows its last entry");
    return entries;
  } catch (cause) {
    const message = "Java's list of authorities is in a form that is not known";
    throw new SwornError("SANDBOX_FAILED", message, { cause });
  }
}

/** Kind, name, time, and the certificate behind the name of its form; lengths come first, and are checked by reading. */
function readEntry(content: Buffer, start: number): Entry {
  if (content.readUInt32BE(start) !== CERTIFICATE) throw new Error("an entry is no certificate");
  const nameEnd = start + 6 + content.readUInt16BE(start + 4);
  const formEnd = nameEnd + 8 + 2 + content.readUInt16BE(nameEnd + 8);
  const end = formEnd + 4 + content.readUInt32BE(formEnd);
  if (end > content.length) throw new Error("an entry is cut off");
  return {
    name: content.toString("latin1", start + 6, nameEnd),
    before: content.subarray(start, nameEnd),
    after: content.subarray(nameEnd + 8, end),
  };
}
