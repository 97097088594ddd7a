/** What a finding can be about; the name is the finding's category. */
export const CATEGORIES = [
  "command-injection",
  "code-injection",
  "sql-injection",
  "path-traversal",
  "prototype-pollution",
  "redos",
  "unsafe-deserialization",
  "weak-crypto",
  "ssrf",
  "xss",
  "open-redirect",
] as const;
export type Category = (typeof CATEGORIES)[number];

/** A set of categories as bits: what a value is safe for. */
export type Mask = number;

export function maskOf(...categories: readonly Category[]): Mask {
  return categories.reduce((mask, category) => mask | (1 << CATEGORIES.indexOf(category)), 0);
}

/** A checked or converted value can do no harm but through its length, which ReDoS is about. */
export const SAFE_BUT_LONG: Mask = maskOf(...CATEGORIES.filter((one) => one !== "redos"));
export const SAFE: Mask = maskOf(...CATEGORIES);
