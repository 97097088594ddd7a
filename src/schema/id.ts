import * as z from "zod";

/** Longest text any single field may carry; larger content belongs in an artifact. */
const TEXT_CHARS_MAX = 65_536;
/** Longest list any single field may carry. */
export const LIST_ITEMS_MAX = 1_000;

/** Lower-case SHA-256 in hexadecimal: the name of an entry or of an artifact's bytes. */
export const Digest = z.string().regex(/^[0-9a-f]{64}$/, "expected 64 lower-case hex digits");

/** Names of agents, tasks and everything a body introduces: `p1`, `run-tests`, `claim.2`. */
export const Name = z
  .string()
  .max(64)
  .regex(/^[a-z0-9][a-z0-9._-]*$/, "expected lower-case letters, digits, dot, dash or underscore");

/** The first half of the SHA-256 of a raw public key, so that a key id cannot be given to another key. */
export const KeyId = z.string().regex(/^[0-9a-f]{32}$/, "expected 32 lower-case hex digits");

/** A raw 32-byte Ed25519 public key. */
export const PublicKeyText = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/, "expected 32 bytes in padded base64");

/** One recorded session: `trace_` and a ULID. */
export const TraceId = z
  .string()
  .regex(/^trace_[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'expected "trace_" and a ULID');
export type TraceId = z.infer<typeof TraceId>;

/** Free text: never empty, bounded, and always well-formed Unicode. */
export const Text = z
  .string()
  .min(1)
  .max(TEXT_CHARS_MAX)
  .refine((text) => text.isWellFormed(), "expected well-formed Unicode (no lone surrogates)");

/** A bounded list of one kind of thing. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.array(item).max(LIST_ITEMS_MAX);
}
