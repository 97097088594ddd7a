import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { SwornError, syncFolder } from "../base/index.ts";

const SLOT_BYTES = 512;
const SLOTS = 16;

/**
 * The last checkpoints of one trace, kept away from the store that holds its entries. A hash chain
 * does not notice that its end was cut off or that an older copy was put back; this does.
 *
 * Sizes that follow each other go to different ones of sixteen slots, so two processes that finish
 * at once do not overwrite each other's record. Slots are not fsynced one by one: after a power cut
 * the record may lag behind the store, which is harmless; it is a lower bound.
 */
export class HeadFile {
  readonly #path: string;
  /** Reused, because this runs on every commit. */
  readonly #slot = Buffer.alloc(SLOT_BYTES);
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
    return this.notes().some((note) => Number(note.split("\n")[1]) > 0);
  }

  /** Remembers the checkpoint over the first `size` entries. */
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
    writeSync(this.#fd, bytes, 0, SLOT_BYTES, slotOf(size) * SLOT_BYTES);
    // That there is a head at all must survive a power cut; how new it is may lag.
    if (!isNew) return;
    fsyncSync(this.#fd);
    syncFolder(dirname(this.#path));
  }

  close(): void {
    if (this.#fd === undefined) return;
    fsyncSync(this.#fd);
    closeSync(this.#fd);
    this.#fd = undefined;
  }
}

/** All hex digits of the size, folded to one: steps of 1 and steps of 64 both move on. */
function slotOf(size: number): number {
  let slot = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / SLOTS)) slot ^= rest % SLOTS;
  return slot;
}
