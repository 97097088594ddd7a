/** A trace as the verifier reads it, wherever it lies. Nothing in here is trusted. */
export interface TraceSource {
  /** The trace that was asked for, where that is known. */
  readonly trace?: string;
  /** The entries: pieces of any size that hold whole lines, in order. */
  lines(): AsyncIterable<Buffer> | Iterable<Buffer>;
  /** About how many bytes {@link lines} will give; decides whether threads are worth starting. */
  readonly entriesBytes: number;
  /** The checkpoint note; undefined when there is none. */
  readonly checkpoint: string | undefined;
  /** The list of public keys that came along; undefined where the source has none (a local trace). */
  readonly keys: string | undefined;
  /** Stored bytes by hash; undefined when they are not there. */
  artifact(hash: string): Iterable<Buffer> | undefined;
  /** Hashes of all bytes that came along, where the source can tell; they must all be cited. */
  readonly artifactHashes: readonly string[] | undefined;
  /**
   * Checkpoint notes that were kept elsewhere: the trace must be at least as long as they say, and
   * the same up to there. Undefined where none are kept; an empty list means that they are lost.
   */
  readonly outsideHeads?: readonly string[];
}

/** Which rules to hold a trace to, and whose signature to expect. */
export interface VerifyOptions {
  /** `strict` fails on open disputes, `default` warns about them, `lenient` only warns about policy. */
  readonly profile: "strict" | "default" | "lenient";
  /** `fast` checks chain, tree and checkpoint only, and says so. */
  readonly mode: "full" | "fast";
  /** The verifier key (`name+hash+base64`) the checkpoint must be signed with. */
  readonly trustedKey?: string | undefined;
  /** An unfinished session is what is expected here (the runtime's own audit). */
  readonly expectOpen?: boolean;
  /** How many threads may check signatures; 0 keeps everything on this one. */
  readonly threads: number;
  /** Called now and then with the number of entries read so far. */
  readonly onProgress?: ((entries: number) => void) | undefined;
}
