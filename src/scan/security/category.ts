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

/** The key `__proto__` is excluded, which is half of what keeps a write from a prototype. */
export const NO_PROTO_KEY: Mask = 1 << 20;
/** The keys `constructor` or `prototype` are excluded, which is the other half. */
export const NO_CONSTRUCTOR_KEY: Mask = 1 << 21;
/** It is an object and no function, so that `constructor` does not lead through it. */
export const PLAIN_OBJECT: Mask = 1 << 22;

/** What a key gives is a property of the object's own, so that it is no prototype. */
export const OWN_PROPERTY: Mask = 1 << 25;

/** A dollar or a backtick cannot start a command inside of a quoted text. */
export const NO_DOLLAR: Mask = 1 << 23;
export const NO_BACKTICK: Mask = 1 << 24;

/**
 * Whether a value is harmless for a category. Excluding `__proto__` alone is enough only where the
 * way over `constructor` and `prototype` is closed by something else.
 */
export function isSafeFor(safe: Mask, category: Mask, isClosed = false): boolean {
  if ((safe & category) !== 0) return true;
  const quoted = NO_DOLLAR | NO_BACKTICK;
  if (category === maskOf("command-injection")) return (safe & quoted) === quoted;
  if (category !== maskOf("prototype-pollution") || (safe & NO_PROTO_KEY) === 0) return false;
  return isClosed || (safe & NO_CONSTRUCTOR_KEY) !== 0;
}

/** A checked or converted value can do no harm but through its length, which ReDoS is about. */
export const SAFE_BUT_LONG: Mask = maskOf(...CATEGORIES.filter((one) => one !== "redos"));
export const SAFE: Mask = maskOf(...CATEGORIES);
