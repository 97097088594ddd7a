/** Bytes of UTF-8 that can be part of a name. Beyond ASCII all can: no language is left out. */
export const WORD_BYTES = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte > 127 || /[A-Za-z0-9_$]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/** Whether a name stands in a text as a word of its own. */
export function hasWord(text: Buffer, name: string): boolean {
  const wanted = Buffer.from(name);
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    const isOpen = at > 0 && isWordByte(text[at - 1]);
    if (!isOpen && !isWordByte(text[at + wanted.length])) return true;
  }
  return false;
}

/** The same in a few lines that were decoded. */
export function hasWordIn(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    if (!isWordCode(text, at - 1) && !isWordCode(text, at + name.length)) return true;
  }
  return false;
}

function isWordCode(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code > 127 || WORD_BYTES[code] === 1;
}

/** Nothing, past an end, is no part of a name. */
function isWordByte(byte: number | undefined): boolean {
  return byte !== undefined && WORD_BYTES[byte] === 1;
}

const LETTER = /^[\p{L}\p{N}_$]/u;

/** Whether the characters before and after an offset belong to one word: `super|user`. */
export function isWithinWord(text: Buffer, at: number): boolean {
  return isLetter(text, startBefore(text, at)) && isLetter(text, at);
}

function isLetter(text: Buffer, at: number): boolean {
  const byte = text[at];
  if (byte === undefined) return false;
  if (byte < 0x80) return WORD_BYTES[byte] === 1;
  // What takes four bytes is mostly pictures, and never counted as part of a word.
  if (byte >= 0xf0) return false;
  return LETTER.test(text.toString("utf8", at, at + (byte >= 0xe0 ? 3 : 2)));
}

/** Where the character that ends at an offset begins; only its first byte is no continuation. */
function startBefore(text: Buffer, at: number): number {
  let start = at - 1;
  while (start > 0 && ((text[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}
