/** Separators that names of packages, versions and files are built with. */
const SEPARATOR = /[-._~@+!:]/;
const TOKEN_CHARS_MIN = 16;
const HEX_CHARS_MIN = 24;
const PLAIN_CHARS_MIN = 48;
const SEGMENT_CHARS_MAX = 160;
const TOKEN_BITS_MAX = 3.4;
const PLAIN_BITS_MAX = 4;
const SWITCH_SHARE_MAX = 0.3;

/**
 * Whether text looks like encoded data and not like a name: a way out for a secret is a URL that
 * carries it. This is a limit on how much leaves unseen, not proof of none; data spelt in words
 * passes, and the byte budget bounds it.
 */
export function looksRandom(text: string): boolean {
  if (text.length < TOKEN_CHARS_MIN) return false;
  if (text.length > SEGMENT_CHARS_MAX) return true;
  if (isMixedThroughout(text)) return true;
  return text.split(SEPARATOR).some(isRandomToken);
}

/** Base64 that uses hyphens and underscores would fall apart at separators, so it is seen whole. */
function isMixedThroughout(text: string): boolean {
  const letters = text.replaceAll(/[^A-Za-z0-9]/g, "");
  if (letters.length < HEX_CHARS_MIN) return false;
  const classes = [/[a-z]/, /[A-Z]/, /[0-9]/].filter((one) => one.test(letters)).length;
  return classes === 3 && switchShare(letters) > SWITCH_SHARE_MAX;
}

function isRandomToken(token: string): boolean {
  if (token.length < TOKEN_CHARS_MIN) return false;
  if (token.length >= HEX_CHARS_MIN && /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(token)) return true;
  if (switchShare(token) > SWITCH_SHARE_MAX) return bitsPerChar(token) > TOKEN_BITS_MAX;
  return token.length >= PLAIN_CHARS_MIN && bitsPerChar(token) > PLAIN_BITS_MAX;
}

/** How often neighbours are of different kinds: seldom in words, every other time in encoded data. */
function switchShare(text: string): number {
  let switches = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (kindOf(text.charCodeAt(at)) !== kindOf(text.charCodeAt(at - 1))) switches += 1;
  }
  return switches / (text.length - 1);
}

function kindOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return 0;
  return code >= 0x41 && code <= 0x5a ? 1 : 2;
}

/** Shannon's measure over the characters of the text itself. */
function bitsPerChar(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
