/** What counts as white space in ASCII: tab to carriage return, and the space. */
const SPACES = Uint8Array.from({ length: 256 }, (_, byte) => (/\s/.test(asciiOf(byte)) ? 1 : 0));

function asciiOf(byte: number): string {
  return byte < 0x80 ? String.fromCharCode(byte) : "";
}

/** 1 for what is kept of ASCII, 0 for white space: so a text is squeezed without asking. */
const SOLID = SPACES.map((space) => 1 - space);

/** First bytes of the white space beyond ASCII, U+00A0 to U+FEFF; most bytes there begin a letter. */
const MAYBE_SPACE = Uint8Array.from({ length: 256 }, (_, byte) =>
  [0xc2, 0xe1, 0xe2, 0xe3, 0xef].includes(byte) ? 1 : 0,
);

/** Half of what Node's pool gives out at once. */
const POOLED_BYTES_MAX = 4_096;

/** How many bytes of white space stand at an offset; 0 for none, and never more than one character. */
function spaceAt(text: Buffer, at: number): number {
  const byte = text[at] ?? 0;
  if (byte < 0x80) return SPACES[byte] ?? 0;
  if (MAYBE_SPACE[byte] !== 1) return 0;
  const length = byte === 0xc2 ? 2 : 3;
  return /^\s/.test(text.toString("utf8", at, at + length)) ? length : 0;
}

/** A text without its white space. */
export function squeeze(text: Buffer): Buffer {
  const { length } = text;
  // A few lines share their memory with others; a whole file must not keep others alive.
  const out =
    length < POOLED_BYTES_MAX ? Buffer.allocUnsafe(length) : Buffer.allocUnsafeSlow(length);
  let size = 0;
  for (let at = 0; at < length; at += 1) {
    const byte = text[at] ?? 0;
    out[size] = byte;
    // Nearly all of every text, and so without a call or a choice.
    if (byte < 0x80) size += SOLID[byte] ?? 0;
    else {
      const space = spaceAt(text, at);
      if (space === 0) size += 1;
      else at += space - 1;
    }
  }
  return out.subarray(0, size);
}

/** Where the n-th bytes that are no white space stand, for n in rising order. */
export function offsetsIn(text: Buffer, sorted: readonly number[]): Map<number, number> {
  const offsets = new Map<number, number>();
  let seen = 0;
  let next = 0;
  for (let at = 0; at < text.length && next < sorted.length; ) {
    const space = spaceAt(text, at);
    if (space === 0) {
      for (; sorted[next] === seen; next += 1) offsets.set(seen, at);
      seen += 1;
    }
    at += space || 1;
  }
  return offsets;
}

/** Back from an offset over so many bytes that surely are no white space, or to the beginning. */
export function solidBefore(text: Buffer, before: number, count: number): number {
  let at = before;
  for (let left = count; at > 0 && left > 0; at -= 1) if (isSolid(text[at - 1])) left -= 1;
  return at;
}

/** On from an offset over so many bytes that surely are no white space, or to the end. */
export function solidAfter(text: Buffer, from: number, count: number): number {
  let at = from;
  for (let left = count; at < text.length && left > 0; at += 1) if (isSolid(text[at])) left -= 1;
  return at;
}

/** Beyond ASCII a byte alone does not tell; so no character is cut in two either. */
function isSolid(byte: number | undefined): boolean {
  return byte !== undefined && byte < 0x80 && SPACES[byte] === 0;
}
