/**
 * Work up to which the engine's own search is used. It is faster, but on repetitive text its time
 * grows with the product of both lengths, and whoever writes the text decides how repetitive it is.
 */
const PRODUCT_MAX = 50_000_000;

/** The places of a pattern in a text, overlapping ones included, up to a number of them; in linear time. */
export function findAll(text: Buffer, pattern: Buffer, max: number): number[] {
  if (pattern.length === 0 || pattern.length > text.length) return [];
  if (text.length * pattern.length > PRODUCT_MAX) return findAllLinear(text, pattern, max);
  const found: number[] = [];
  for (let at = text.indexOf(pattern); at >= 0 && found.length < max; ) {
    found.push(at);
    at = text.indexOf(pattern, at + 1);
  }
  return found;
}

/** Knuth, Morris and Pratt: a byte of the text is never looked at twice. */
export function findAllLinear(text: Buffer, pattern: Buffer, max: number): number[] {
  const border = bordersOf(pattern);
  const found: number[] = [];
  let matched = 0;
  for (let at = 0; at < text.length && found.length < max; at += 1) {
    const byte = text[at];
    while (matched > 0 && pattern[matched] !== byte) matched = border[matched - 1] ?? 0;
    if (pattern[matched] === byte) matched += 1;
    if (matched === pattern.length) {
      found.push(at + 1 - matched);
      matched = border[matched - 1] ?? 0;
    }
  }
  return found;
}

/** How far apart two places of a pattern are at least: `abab` can stand every two bytes. */
export function periodOf(pattern: Buffer): number {
  return pattern.length - (bordersOf(pattern).at(-1) ?? 0);
}

/** For each prefix, how much of its start is also its end. */
function bordersOf(pattern: Buffer): Uint32Array {
  const border = new Uint32Array(pattern.length);
  let matched = 0;
  for (let at = 1; at < pattern.length; at += 1) {
    const byte = pattern[at];
    while (matched > 0 && pattern[matched] !== byte) matched = border[matched - 1] ?? 0;
    if (pattern[matched] === byte) matched += 1;
    border[at] = matched;
  }
  return border;
}
