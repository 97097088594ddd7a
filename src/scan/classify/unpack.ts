import { gunzipSync, inflateRawSync } from "node:zlib";

/** A file inside another one. */
export interface Member {
  readonly path: string;
  readonly bytes: Buffer;
}

/** What was inside, and why not all of it could be looked at. */
export interface Unpacked {
  readonly members: readonly Member[];
  readonly opaque?: string;
}

/** What may still be unpacked of one file: a small one can hold a very large one. */
export interface Budget {
  bytes: number;
  members: number;
}

const TAR_BLOCK = 512;
const ZIP_END_BYTES = 22;
const ZIP_COMMENT_BYTES_MAX = 65_535;

/** Formats that are not opened here; nothing found in them must not mean nothing there. */
const OPAQUE: readonly (readonly [name: string, start: string])[] = [
  ["xz", "fd377a585a00"],
  ["zstd", "28b52ffd"],
  ["bzip2", "425a68"],
  ["7z", "377abcaf271c"],
  ["rar", "526172211a07"],
  ["lz4", "04224d18"],
  ["pdf", "255044462d"],
  ["age", "6167652d656e6372797074696f6e2e6f7267"],
];

/** Opens gzip, zip and tar within a budget; undefined for a file that is none of them. */
export function unpack(bytes: Buffer, budget: Budget): Unpacked | undefined {
  const head = bytes.subarray(0, 20).toString("hex");
  const closed = OPAQUE.find(([, start]) => head.startsWith(start));
  if (closed !== undefined) return { members: [], opaque: closed[0] };
  try {
    if (head.startsWith("1f8b")) return gunzip(bytes, budget);
    if (head.startsWith("504b0304") || head.startsWith("504b0506")) return unzip(bytes, budget);
    if (bytes.subarray(257, 262).toString("latin1") === "ustar") return untar(bytes, budget);
    return undefined;
  } catch {
    // Damaged, encrypted or larger than the budget: in any case nobody has looked inside.
    return { members: [], opaque: "unreadable archive" };
  }
}

function gunzip(bytes: Buffer, budget: Budget): Unpacked {
  const inside = gunzipSync(bytes, { maxOutputLength: Math.max(1, budget.bytes) });
  budget.bytes -= inside.length;
  return { members: [{ path: "", bytes: inside }] };
}

function untar(bytes: Buffer, budget: Budget): Unpacked {
  const members: Member[] = [];
  let longName: string | undefined;
  for (let at = 0; at + TAR_BLOCK <= bytes.length; ) {
    const header = bytes.subarray(at, at + TAR_BLOCK);
    if (header[0] === 0) break;
    budget.members -= 1;
    if (budget.members < 0) return { members, opaque: "tar with too many members" };
    const size = Number.parseInt(textOf(header, 124, 136).trim() || "0", 8);
    if (!(size >= 0) || at + TAR_BLOCK + size > bytes.length) return { members, opaque: "tar" };
    const content = bytes.subarray(at + TAR_BLOCK, at + TAR_BLOCK + size);
    members.push({ path: longName ?? nameIn(header), bytes: content });
    longName = longNameIn(textOf(header, 156, 157), content);
    at += TAR_BLOCK + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
  }
  return { members };
}

function nameIn(header: Buffer): string {
  const prefix = textOf(header, 345, 500);
  return `${prefix === "" ? "" : `${prefix}/`}${textOf(header, 0, 100)}`;
}

/** A name too long for its header stands in a member before it, in GNU's way or in that of pax. */
function longNameIn(kind: string, content: Buffer): string | undefined {
  const text = content.subarray(0, 65_536).toString("utf8");
  if (kind === "L") return text.replace(/\0.{0,1000}$/s, "");
  return kind === "x" ? /\d{1,9} path=([^\n]{1,8192})\n/.exec(text)?.[1] : undefined;
}

function textOf(header: Buffer, from: number, to: number): string {
  const field = header.subarray(from, to);
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? field.length : end).toString("utf8");
}

/** By the directory at the end, as every reader of zip files does. */
function unzip(bytes: Buffer, budget: Budget): Unpacked {
  const end = bytes.lastIndexOf("PK\u0005\u0006", bytes.length - ZIP_END_BYTES, "latin1");
  if (end < 0 || bytes.length - end > ZIP_END_BYTES + ZIP_COMMENT_BYTES_MAX) {
    return { members: [], opaque: "zip" };
  }
  const members: Member[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    budget.members -= 1;
    if (budget.members < 0 || bytes.readUInt32LE(at) !== 0x02014b50) {
      return { members, opaque: "zip" };
    }
    const nameBytes = bytes.readUInt16LE(at + 28);
    const path = bytes.subarray(at + 46, at + 46 + nameBytes).toString("utf8");
    const inside = zipMember(bytes, at, budget);
    if (inside === undefined) return { members, opaque: "zip with a locked member" };
    members.push({ path, bytes: inside });
    at += 46 + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return { members };
}

function zipMember(bytes: Buffer, at: number, budget: Budget): Buffer | undefined {
  const isEncrypted = (bytes.readUInt16LE(at + 8) & 1) === 1;
  const method = bytes.readUInt16LE(at + 10);
  const local = bytes.readUInt32LE(at + 42);
  const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  const packed = bytes.subarray(from, from + bytes.readUInt32LE(at + 20));
  if (isEncrypted || (method !== 0 && method !== 8)) return undefined;
  const inside =
    method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(1, budget.bytes) });
  budget.bytes -= inside.length;
  return inside;
}
