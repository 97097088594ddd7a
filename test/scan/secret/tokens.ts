/**
 * Tokens for tests. None of them is written down anywhere: each is put together when a test runs, so
 * that no scanner, ours or another, finds one in this repository.
 */

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
export const ALNUM = `${LETTERS}${LETTERS.toUpperCase()}0123456789`;
export const HEX = "0123456789abcdef";
export const BASE64 = `${ALNUM}+/`;
export const UPPER = `${LETTERS.toUpperCase()}234567`;

/** Characters that look drawn at random and are the same in every run. */
export function drawn(length: number, alphabet: string = ALNUM, seed = 7): string {
  let state = (seed * 2_654_435_761 + length) >>> 0;
  let text = "";
  for (let at = 0; at < length; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    text += alphabet[state % alphabet.length];
  }
  return text;
}

/** Puts parts together that must not stand side by side in this file. */
export const joined = (...parts: string[]): string => parts.join("");

export const githubToken = (seed = 7): string => joined("gh", "p_", drawn(36, ALNUM, seed));

export function privateKey(kind = ""): string {
  const body = Array.from({ length: 12 }, (_, line) => drawn(64, BASE64, line + 1)).join("\n");
  return `${joined("-----BEG", "IN ", kind, "PRIVATE ", "KEY-----")}\n${body}\n${joined("-----E", "ND ", kind, "PRIVATE ", "KEY-----")}\n`;
}

export function jwt(seed = 3): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const head = part({ alg: "HS256", typ: "JWT" });
  return `${head}.${part({ sub: "u-4711", exp: 1_900_000_000 })}.${drawn(43, `${ALNUM}-_`, seed)}`;
}
