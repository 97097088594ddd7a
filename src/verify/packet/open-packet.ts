import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import {
  assert,
  BLOCK_BYTES,
  parseTarHeader,
  SwornError,
  TAR_END,
  tarPadding,
} from "../../base/index.ts";
import { PACKET_MEMBER } from "../../schema/task-packet.ts";
import type { FileWindow } from "../bundle.ts";

const CHUNK_BYTES = 1 << 20;
const MEMBERS_MAX = 100;
const PART_BYTES_MAX = 1 << 16;

/** A packet that is open for reading, piece by piece. Close it after use. */
export interface OpenPacket {
  /** Where each member lies in the file, in the order in which they stand there. */
  readonly members: ReadonlyMap<string, FileWindow>;
  /** The whole of a small member. @throws SwornError `LIMIT_EXCEEDED`. */
  read(name: string, bytesMax: number): Buffer;
  /** A small part of a member. */
  part(name: string, part: FileWindow): Buffer;
  /** The SHA-256 of a member, or of a part of it. */
  digest(name: string, part?: FileWindow): string;
  close(): void;
}

/** Whether a file begins as a packet does; whether it is one is another question. */
export function isPacket(path: string): boolean {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(fd).isFile()) return false;
    const begin = Buffer.alloc(PACKET_MEMBER.length + 1);
    return readSync(fd, begin, 0, begin.length, 0) === begin.length
      ? begin.equals(Buffer.from(`${PACKET_MEMBER}\0`))
      : false;
  } finally {
    closeSync(fd);
  }
}

/**
 * Opens a packet and checks its packaging: plain files in the one spelling, each name once, nothing
 * between or behind them.
 *
 * @throws SwornError `BUNDLE_MALFORMED`.
 */
export function openPacket(path: string): OpenPacket {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const members = indexOf(fd);
    const windowOf = (name: string): FileWindow => {
      const found = members.get(name);
      if (found === undefined) throw malformed(`${name} is missing`);
      return found;
    };
    return {
      members,
      read: (name, bytesMax) => readWhole(fd, name, windowOf(name), bytesMax),
      part: (name, part) => readWhole(fd, name, partOf(windowOf(name), part), PART_BYTES_MAX),
      digest: (name, part) => {
        const hash = createHash("sha256");
        for (const chunk of chunksOf(fd, partOf(windowOf(name), part))) hash.update(chunk);
        return hash.digest("hex");
      },
      close: () => closeSync(fd),
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function indexOf(fd: number): Map<string, FileWindow> {
  const members = new Map<string, FileWindow>();
  const fileBytes = fstatSync(fd).size;
  const header = Buffer.alloc(BLOCK_BYTES);
  let offset = 0;
  for (;;) {
    readExactly(fd, header, offset);
    if (header.equals(TAR_END.subarray(0, BLOCK_BYTES))) break;
    const { name, sizeBytes: bytes } = parseTarHeader(header);
    if (members.has(name)) throw malformed(`${JSON.stringify(name)} is there twice`);
    if (members.size >= MEMBERS_MAX) throw malformed(`more than ${MEMBERS_MAX} members`);
    const content = offset + BLOCK_BYTES;
    offset = content + bytes + tarPadding(bytes);
    // A size is only a claim: believe it when the file is long enough, before anything is read.
    if (offset > fileBytes) throw malformed(`${name} is longer than the file`);
    assertZero(fd, content + bytes, tarPadding(bytes));
    members.set(name, { offset: content, bytes });
  }
  assertZero(fd, offset, TAR_END.length);
  if (fileBytes !== offset + TAR_END.length) throw malformed("there are bytes behind its end");
  return members;
}

function readWhole(fd: number, name: string, { offset, bytes }: FileWindow, bytesMax: number) {
  if (bytes > bytesMax) {
    throw new SwornError("LIMIT_EXCEEDED", `${name} has ${bytes} bytes, more than ${bytesMax}`);
  }
  const whole = Buffer.alloc(bytes);
  readExactly(fd, whole, offset);
  return whole;
}

function partOf(
  whole: FileWindow,
  part: FileWindow = { offset: 0, bytes: whole.bytes },
): FileWindow {
  assert(part.offset >= 0 && part.offset + part.bytes <= whole.bytes, "a part lies in its member");
  return { offset: whole.offset + part.offset, bytes: part.bytes };
}

function* chunksOf(fd: number, { offset, bytes }: FileWindow): Generator<Buffer> {
  const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, bytes));
  for (let done = 0; done < bytes; ) {
    const chunk = buffer.subarray(0, Math.min(buffer.length, bytes - done));
    readExactly(fd, chunk, offset + done);
    done += chunk.length;
    yield chunk;
  }
}

function readExactly(fd: number, into: Buffer, offset: number): void {
  for (let done = 0; done < into.length; ) {
    const length = readSync(fd, into, done, into.length - done, offset + done);
    if (length === 0) throw malformed("the file is cut off");
    done += length;
  }
}

function assertZero(fd: number, offset: number, bytes: number): void {
  const found = Buffer.alloc(bytes);
  readExactly(fd, found, offset);
  if (found.some((byte) => byte !== 0)) throw malformed("there are bytes between the members");
}

function malformed(what: string): SwornError {
  return new SwornError("BUNDLE_MALFORMED", `the packet is not as sworn writes it: ${what}`);
}
