import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { SwornError, syncFolder } from "../base/index.ts";

const SLOT_BYTES = 512;
const SLOTS = 16;
/** A note's first two lines, origin and size, are well within this. */
const BEGINNING_BYTES = 96;

/**
 * The last checkpoints of one trace, kept away from the store that holds its entries. A hash chain
 * does not notice that its end was cut off or that an older copy was put back; this does.
 *
 * Sizes that follow each other go to different ones of sixteen slots, so two processes that finish
 * at once do not overwrite each other's record; and a process that comes late does not put its
 * older head over a newer one. Slots are not fsynced one by one: after a power cut the record may
 * lag behind the store, which is harmless; it is a lower bound.
 */
export class HeadFile {
  readonly #path: string;
  /** Reused, because this runs on every commit. */
  readonly #slot = Buffer.alloc(SLOT_BYTES);
  readonly #beginning = Buffer.alloc(BEGINNING_BYTES);
  #fd: number | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  get path(): string {
    return this.#path;
  }

  exists(): boolean {
    return existsSync(this.#path);
  }

  /** The notes in the file, in no order; what is not text of a note shows as it is. None without a file. */
  notes(): string[] {
    if (!this.exists()) return [];
    const bytes = readFileSync(this.#path);
    const notes: string[] = [];
    for (let at = 0; at < bytes.length; at += SLOT_BYTES) {
      const note = bytes.toString("utf8", at, at + SLOT_BYTES).replace(/\0+$/, "");
      if (note !== "") notes.push(note);
    }
    return notes;
  }

  /** Whether a head of at least one entry was ever remembered here, as far as the file says. */
  isUsed(): boolean {
    return this.notes().some((note) => sizeOf(note) > 0);
  }

  /** Remembers the checkpoint over the first `size` entries, unless sixteen newer ones are there. */
  remember(size: number, note: string): void {
    const bytes = this.#slot.fill(0);
    if (bytes.write(note) !== Buffer.byteLength(note)) {
      throw new SwornError(
        "LIMIT_EXCEEDED",
        `a checkpoint note is longer than ${SLOT_BYTES} bytes`,
      );
    }
    const isNew = this.#fd === undefined && !this.exists();
    this.#fd ??= openSync(this.#path, isNew ? "w+" : "r+", 0o600);
    const slot = this.#slotFor(size, this.#fd);
    if (slot !== undefined) writeSync(this.#fd, bytes, 0, SLOT_BYTES, slot * SLOT_BYTES);
    // That there is a head at all must survive a power cut; how new it is may lag.
    if (!isNew) return;
    fsyncSync(this.#fd);
    syncFolder(dirname(this.#path));
  }

  /** The size's own slot, or the first behind it that holds nothing newer. */
  #slotFor(size: number, fd: number): number | undefined {
    for (let step = 0; step < SLOTS; step += 1) {
      const slot = (slotOf(size) + step) % SLOTS;
      const bytes = readSync(fd, this.#beginning, 0, BEGINNING_BYTES, slot * SLOT_BYTES);
      // What is damaged counts as nothing: it must not keep its slot for ever.
      if (!(sizeOf(this.#beginning.toString("latin1", 0, bytes)) > size)) return slot;
    }
    return undefined;
  }

  close(): void {
    if (this.#fd === undefined) return;
    fsyncSync(this.#fd);
    closeSync(this.#fd);
    this.#fd = undefined;
  }
}

/**
 * The sum of the size's hex digits: steps of 1 and steps of 64 both move on. The next size adds 1,
 * and each carry takes 15 away, which modulo 16 adds another 1; there are at most 13 digits to
 * carry through, so two sizes next to each other never meet.
 */
function slotOf(size: number): number {
  let sum = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / SLOTS)) sum += rest % SLOTS;
  return sum % SLOTS;
}

/** What a note says of its size; not a number when it says none. */
function sizeOf(note: string): number {
  return Number(note.split("\n")[1] || Number.NaN);
}
