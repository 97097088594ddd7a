import { SwornError } from "./error.ts";

/** Tar counts in blocks. */
export const BLOCK_BYTES = 512;
/** Eleven octal digits. */
const SIZE_BYTES_MAX = 8 ** 11 - 1;
/** The two empty blocks that end an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK_BYTES);

/**
 * The header of a plain file in the one spelling we write: ustar, mode 0644, no owner, no time.
 * Because there is one spelling, a reader can rebuild the header from name and size and compare: a
 * link, a device, a long-name trick or a single changed byte is then simply a different header.
 *
 * @throws SwornError `LIMIT_EXCEEDED`.
 */
export function tarHeader(name: string, sizeBytes: number): Buffer {
  if (sizeBytes > SIZE_BYTES_MAX) {
    throw new SwornError("LIMIT_EXCEEDED", `${name} is larger than a tar file can say: 8 GiB`);
  }
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(name, 0, 100, "latin1");
  header.write("0000644\0", 100, "latin1");
  header.write("0000000\0", 108, "latin1");
  header.write("0000000\0", 116, "latin1");
  header.write(`${sizeBytes.toString(8).padStart(11, "0")}\0`, 124, "latin1");
  header.write("00000000000\0", 136, "latin1");
  header.write(" ".repeat(8), 148, "latin1");
  header.write("0", 156, "latin1");
  header.write("ustar\u000000", 257, "latin1");
  let sum = 0;
  for (const byte of header) sum += byte;
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

/** Zero bytes between the end of a file and the next header. */
export function tarPadding(sizeBytes: number): number {
  return (BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES;
}

/**
 * Reads name and size of a header and insists that it is the one {@link tarHeader} writes.
 *
 * @throws SwornError `BUNDLE_MALFORMED`.
 */
export function parseTarHeader(header: Buffer): { name: string; sizeBytes: number } {
  const name = /^[^\0]*/.exec(header.toString("latin1", 0, 100))?.[0] ?? "";
  const sizeText = header.toString("latin1", 124, 135);
  const sizeBytes = /^[0-7]{11}$/.test(sizeText) ? Number.parseInt(sizeText, 8) : Number.NaN;
  if (name === "" || Number.isNaN(sizeBytes) || !tarHeader(name, sizeBytes).equals(header)) {
    const shown = JSON.stringify(name.slice(0, 100));
    throw new SwornError(
      "BUNDLE_MALFORMED",
      `the tar header of ${shown} is not a plain file as sworn writes it`,
    );
  }
  return { name, sizeBytes };
}
