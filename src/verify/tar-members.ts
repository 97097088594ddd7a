import { fstatSync, readSync } from "node:fs";
import { BLOCK_BYTES, parseTarHeader, SwornError, TAR_END, tarPadding } from "../base/index.ts";

/** Small enough that the last pieces of a ledger still spread over all threads. */
const CHUNK_BYTES = 1 << 16;

/** A part of a file, in which a member, or a whole archive, can lie as it would in a file of its own. */
export interface FileWindow {
  readonly offset: number;
  readonly bytes: number;
}

/** A member before it is believed: its header says this, and so many came before it. */
export interface ClaimedMember {
  readonly name: string;
  readonly bytes: number;
  readonly position: number;
  readonly previous: string;
}

/**
 * The members of an archive in the one spelling that we write: plain files, each name once, nothing
 * before, between or behind them. Contents are only read later, piece by piece.
 */
export class TarMembers {
  /** Where each member lies in the file, in the order in which they stand there. */
  readonly windows: ReadonlyMap<string, FileWindow>;
  readonly #fd: number;
  /** What the archive is, in the words of a complaint. */
  readonly #kind: string;

  /**
   * @param assertExpected throws where a member has no place in such an archive.
   * @throws SwornError `BUNDLE_MALFORMED` naming what was found.
   */
  constructor(
    fd: number,
    kind: "bundle" | "packet",
    assertExpected: (claimed: ClaimedMember) => void,
    window?: FileWindow,
  ) {
    this.#fd = fd;
    this.#kind = kind;
    this.windows = this.#index(window ?? { offset: 0, bytes: fstatSync(fd).size }, assertExpected);
  }

  /** All bytes of a window; the caller has bounded it. */
  read({ offset, bytes }: FileWindow): Buffer {
    const whole = Buffer.alloc(bytes);
    this.#fill(whole, offset);
    return whole;
  }

  /** The same piece by piece; whoever gets a piece may keep it. */
  *chunks({ offset, bytes }: FileWindow): Generator<Buffer> {
    for (let done = 0; done < bytes; ) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, bytes - done));
      this.#fill(chunk, offset + done);
      done += chunk.length;
      yield chunk;
    }
  }

  #index(within: FileWindow, assertExpected: (claimed: ClaimedMember) => void) {
    const windows = new Map<string, FileWindow>();
    const end = within.offset + within.bytes;
    const header = Buffer.alloc(BLOCK_BYTES);
    let { offset } = within;
    let previous = "";
    for (;;) {
      this.#fill(header, offset);
      if (header.equals(TAR_END.subarray(0, BLOCK_BYTES))) break;
      const { name, sizeBytes: bytes } = parseTarHeader(header);
      assertExpected({ name, bytes, position: windows.size, previous });
      if (windows.has(name)) throw this.#malformed(`${JSON.stringify(name)} is there twice`);
      const content = offset + BLOCK_BYTES;
      const padding = tarPadding(bytes);
      // A size is only a claim: believe it when the file is long enough, before anything is read.
      if (content + bytes + padding > end) {
        throw this.#malformed(`${name} claims ${bytes} bytes, but the file ends before that`);
      }
      this.#assertZero(content + bytes, padding);
      windows.set(name, { offset: content, bytes });
      [offset, previous] = [content + bytes + padding, name];
    }
    this.#assertZero(offset, TAR_END.length);
    if (end !== offset + TAR_END.length) {
      throw this.#malformed("there are bytes behind the end of the archive");
    }
    return windows;
  }

  #fill(into: Buffer, offset: number): void {
    for (let done = 0; done < into.length; ) {
      const length = readSync(this.#fd, into, done, into.length - done, offset + done);
      if (length === 0) throw this.#malformed("the file is cut off");
      done += length;
    }
  }

  #assertZero(offset: number, bytes: number): void {
    if (this.read({ offset, bytes }).some((byte) => byte !== 0)) {
      throw this.#malformed("there are bytes between the members");
    }
  }

  #malformed(what: string): SwornError {
    return notAsWritten(this.#kind, what);
  }
}

/** The one complaint about an archive that is not in our spelling. */
export function notAsWritten(kind: string, what: string): SwornError {
  return new SwornError("BUNDLE_MALFORMED", `the ${kind} is not as sworn writes it: ${what}`);
}
