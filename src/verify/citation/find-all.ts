/**
 * Work up to which the engine's own search is used. It is faster, but on repetitive text its time
 * grows with the product of both lengths, and whoever writes the text decides how repetitive it is.
 */
const PRODUCT_MAX = 50_000_000;

/** The places of a pattern in a text, overlapping ones included, up to a number of them; in linear time. */
export function findAll(text: string, pattern: string, max: number): number[] {
  if (pattern === "" || pattern.length > text.length) return [];
  if (text.length * pattern.length > PRODUCT_MAX) return findAllLinear(text, pattern, max);
  const found: number[] = [];
  for (let at = text.indexOf(pattern); at >= 0 && found.length < max; ) {
    found.push(at);
    at = text.indexOf(pattern, at + 1);
  }
  return found;
}

/** Knuth, Morris and Pratt: a character of the text is never looked at twice. */
export function findAllLinear(text: string, pattern: string, max: number): number[] {
  const border = bordersOf(pattern);
  const found: number[] = [];
  let matched = 0;
  for (let at = 0; at < text.length && found.length < max; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && pattern.charCodeAt(matched) !== code) matched = border[matched - 1] ?? 0;
    if (pattern.charCodeAt(matched) === code) matched += 1;
    if (matched === pattern.length) {
      found.push(at + 1 - matched);
      matched = border[matched - 1] ?? 0;
    }
  }
  return found;
}

/** For each prefix, how much of its start is also its end. */
function bordersOf(pattern: string): Uint32Array {
  const border = new Uint32Array(pattern.length);
  let matched = 0;
  for (let at = 1; at < pattern.length; at += 1) {
    const code = pattern.charCodeAt(at);
    while (matched > 0 && pattern.charCodeAt(matched) !== code) matched = border[matched - 1] ?? 0;
    if (pattern.charCodeAt(matched) === code) matched += 1;
    border[at] = matched;
  }
  return border;
}
