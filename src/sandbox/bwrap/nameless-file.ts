import { closeSync, constants, existsSync, openSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";

/** Linux's flag for a file that never has a name: nobody else can open it, and nothing has to remove it. */
const O_TMPFILE = 0o20200000;
/** In memory, where the machine has it. */
const SHARED_MEMORY = "/dev/shm";

/**
 * Opens a file without a name, with this content, to be read from its beginning. A child that
 * inherits it needs nobody at the other end, as it would with a pipe. The caller closes it.
 */
export function openNamelessFile(content: string | Buffer): number {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const folder = existsSync(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir();
  const fd = openSync(folder, O_TMPFILE | constants.O_RDWR, 0o600);
  try {
    // At a place of its own choosing, so that the reader's place stays at the beginning.
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
