/** What lies at a path. The bytes are handed over as they are; decoding and judging is done here. */
export type SourceEntry =
  /** `base` for a file that the change deletes: then these are its last bytes. */
  | { readonly kind: "file"; readonly bytes: Uint8Array; readonly at: "head" | "base" }
  /** The path is the old name of a file that the change renames. */
  | { readonly kind: "moved"; readonly to: string }
  | { readonly kind: "link" }
  | { readonly kind: "submodule" }
  | { readonly kind: "too-large"; readonly size: number }
  | { readonly kind: "unreadable"; readonly why: string }
  | { readonly kind: "absent" };

/** The source that findings are checked against: one commit, and what the change took away. */
export interface SourceTree {
  /** Asked with normalised paths only: relative, forward slashes, no dots. Never follows links. */
  find(path: string): Promise<SourceEntry>;
  /** All files, links and submodules of the commit. */
  paths(): Promise<readonly string[]>;
}
