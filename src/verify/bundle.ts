import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import {
  BLOCK_BYTES,
  decodeUtf8,
  parseTarHeader,
  SwornError,
  TAR_END,
  tarPadding,
} from "../base/index.ts";
import { ARTIFACT_BYTES_MAX } from "../schema/index.ts";
import type { TraceSource } from "./source.ts";

/** Small enough that the last pieces of a ledger still spread over all threads. */
const CHUNK_BYTES = 1 << 16;
/** Longest checkpoint and list of keys. */
export const SMALL_MEMBER_BYTES_MAX = 1 << 20;
const MEMBERS_MAX = 1_000_000;

/** The fixed members of a bundle, in their order; artifacts follow. */
const BUNDLE_MEMBERS = ["checkpoint", "keys.json", "entries.jsonl"] as const;
export const ARTIFACT_PREFIX = "artifacts/";

interface Member {
  readonly offset: number;
  readonly sizeBytes: number;
}

/** A bundle that is open for reading. Close it when the verification is done. */
export interface OpenBundle extends TraceSource {
  close(): void;
}

/** A part of a file, in which a bundle can lie as it would in a file of its own. */
export interface FileWindow {
  readonly offset: number;
  readonly bytes: number;
}

/**
 * Opens a bundle and checks its packaging: exactly the members a bundle has, in their one order and
 * spelling, nothing before, between or behind them. Content is only read later, piece by piece.
 *
 * @throws SwornError `BUNDLE_MALFORMED` naming what was found, `NOT_FOUND` when there is no such file.
 */
export function openBundle(path: string, window?: FileWindow): OpenBundle {
  const fd = openFile(path);
  try {
    const members = indexMembers(fd, window ?? { offset: 0, bytes: fstatSync(fd).size });
    const text = (name: string) => readText(fd, name, members.get(name));
    const entries = members.get("entries.jsonl") ?? { offset: 0, sizeBytes: 0 };
    assertEnded(fd, entries);
    const artifactHashes = [...members.keys()]
      .slice(BUNDLE_MEMBERS.length)
      .map((name) => name.slice(ARTIFACT_PREFIX.length));
    return {
      checkpoint: text("checkpoint"),
      keys: text("keys.json"),
      entriesBytes: entries.sizeBytes,
      lines: () => readMember(fd, entries),
      artifactHashes,
      artifact: (hash) => {
        const member = members.get(ARTIFACT_PREFIX + hash);
        return member && readMember(fd, member);
      },
      close: () => closeSync(fd),
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openFile(path: string): number {
  try {
    // Without waiting: a queue in place of a file would otherwise never open.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
  } catch (cause) {
    throw new SwornError("NOT_FOUND", `there is no bundle at ${path}`, { cause });
  }
  throw new SwornError("NOT_FOUND", `${path} is not a file`);
}

function indexMembers(fd: number, window: FileWindow): Map<string, Member> {
  const members = new Map<string, Member>();
  const windowEnd = window.offset + window.bytes;
  const header = Buffer.alloc(BLOCK_BYTES);
  let { offset } = window;
  let previous = "";
  for (;;) {
    readExactly(fd, header, offset);
    if (header.equals(TAR_END.subarray(0, BLOCK_BYTES))) break;
    const { name, sizeBytes } = parseTarHeader(header);
    assertExpected(name, members.size, previous);
    if (sizeBytes > ARTIFACT_BYTES_MAX && name !== "entries.jsonl") {
      throw malformed(`${name} claims ${sizeBytes} bytes, more than ${ARTIFACT_BYTES_MAX}`);
    }
    const end = offset + BLOCK_BYTES + sizeBytes + tarPadding(sizeBytes);
    // A size is only a claim: believe it when the file is long enough, before anything is read.
    if (end > windowEnd)
      throw malformed(`${name} claims ${sizeBytes} bytes, but the file ends before that`);
    assertZero(fd, offset + BLOCK_BYTES + sizeBytes, tarPadding(sizeBytes));
    members.set(name, { offset: offset + BLOCK_BYTES, sizeBytes });
    [offset, previous] = [end, name];
  }
  assertZero(fd, offset, TAR_END.length);
  if (windowEnd !== offset + TAR_END.length)
    throw malformed("there are bytes behind the end of the archive");
  if (members.size < BUNDLE_MEMBERS.length)
    throw malformed(`${BUNDLE_MEMBERS[members.size]} is missing`);
  return members;
}

/** The fixed members first, then artifacts by rising hash: one order, so one byte sequence per content. */
function assertExpected(name: string, position: number, previous: string): void {
  const fixed = BUNDLE_MEMBERS[position];
  if (position >= MEMBERS_MAX) throw malformed(`more than ${MEMBERS_MAX} members`);
  const fits =
    fixed !== undefined
      ? name === fixed
      : /^artifacts\/[0-9a-f]{64}$/.test(name) &&
        !(position > BUNDLE_MEMBERS.length && name <= previous);
  if (!fits) {
    const expected = fixed ?? "an artifact with a higher hash than the one before it";
    throw malformed(`found the member ${JSON.stringify(name)} where ${expected} was expected`);
  }
}

/** Every line of a ledger ends with a newline, the last one too. */
function assertEnded(fd: number, { offset, sizeBytes }: Member): void {
  const last = Buffer.alloc(Math.min(1, sizeBytes));
  readExactly(fd, last, offset + sizeBytes - last.length);
  if (last[0] !== 10) throw malformed("entries.jsonl does not end with a newline");
}

function* readMember(fd: number, { offset, sizeBytes }: Member): Generator<Buffer> {
  for (let done = 0; done < sizeBytes; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, sizeBytes - done));
    readExactly(fd, chunk, offset + done);
    done += chunk.length;
    yield chunk;
  }
}

function readText(fd: number, name: string, member: Member | undefined): string | undefined {
  if (!member) return undefined;
  if (member.sizeBytes > SMALL_MEMBER_BYTES_MAX)
    throw malformed(`${name} is larger than ${SMALL_MEMBER_BYTES_MAX} bytes`);
  const bytes = Buffer.alloc(member.sizeBytes);
  readExactly(fd, bytes, member.offset);
  try {
    return decodeUtf8(bytes);
  } catch (cause) {
    throw new SwornError("BUNDLE_MALFORMED", `${name} is not UTF-8 text`, { cause });
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
  return new SwornError("BUNDLE_MALFORMED", `the bundle is not as sworn writes it: ${what}`);
}
