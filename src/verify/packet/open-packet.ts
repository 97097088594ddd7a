import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { assert, SwornError } from "../../base/index.ts";
import { PACKET_MEMBER } from "../../schema/task-packet.ts";
import { type ClaimedMember, type FileWindow, notAsWritten, TarMembers } from "../tar-members.ts";

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
    const members = new TarMembers(fd, "packet", assertExpected);
    const windowOf = (name: string, part?: FileWindow): FileWindow => {
      const found = members.windows.get(name);
      if (found === undefined) throw notAsWritten("packet", `${name} is missing`);
      return partOf(found, part);
    };
    const read = (name: string, window: FileWindow, bytesMax: number): Buffer => {
      if (window.bytes <= bytesMax) return members.read(window);
      const what = `${name} has ${window.bytes} bytes, more than ${bytesMax}`;
      throw new SwornError("LIMIT_EXCEEDED", what);
    };
    return {
      members: members.windows,
      read: (name, bytesMax) => read(name, windowOf(name), bytesMax),
      part: (name, part) => read(name, windowOf(name, part), PART_BYTES_MAX),
      digest: (name, part) => {
        const hash = createHash("sha256");
        for (const chunk of members.chunks(windowOf(name, part))) hash.update(chunk);
        return hash.digest("hex");
      },
      close: () => closeSync(fd),
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function assertExpected({ position }: ClaimedMember): void {
  if (position >= MEMBERS_MAX) throw notAsWritten("packet", `more than ${MEMBERS_MAX} members`);
}

function partOf(
  whole: FileWindow,
  part: FileWindow = { offset: 0, bytes: whole.bytes },
): FileWindow {
  assert(part.offset >= 0 && part.offset + part.bytes <= whole.bytes, "a part lies in its member");
  return { offset: whole.offset + part.offset, bytes: part.bytes };
}
