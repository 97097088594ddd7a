import * as z from "zod";
import { Digest, TraceId } from "./id.ts";

const Path = z.array(Digest).max(64);

/** That one entry is in a trace: the entry, the way to the root, and the signed root. */
export const Proof = z.strictObject({
  v: z.literal(1),
  trace: TraceId,
  seq: z.int().min(0),
  size: z.int().min(1),
  /** The entry's canonical line. */
  entry: z.string(),
  path: Path,
  /** The signed note over `size` entries. */
  checkpoint: z.string().max(65_536),
  /** The key the checkpoint claims to be signed with; compare it with the one you know. */
  signer: z.string().max(256),
  /** That the trace of an earlier size is a prefix of this one. */
  consistency: z.strictObject({ size: z.int().min(1), root: Digest, path: Path }).optional(),
});
export type Proof = z.infer<typeof Proof>;
