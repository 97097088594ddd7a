/**
 * Figures of the format that are needed where no shape is checked. They stand apart so that a
 * thread that only hashes and verifies does not have to load the shapes.
 */

/** The version of the entry format; a reader that meets another one stops. */
export const ENTRY_VERSION = 1;
/** The `prev` of the first entry. */
export const GENESIS_PREV = "0".repeat(64);
/** Longest line of a ledger in bytes, newline not counted. */
export const LINE_BYTES_MAX = 1_048_576;
/** Largest artifact in bytes. */
export const ARTIFACT_BYTES_MAX = 1_073_741_824;
/** How many runs can be above one; what is deeper is refused wherever it is read. */
export const RUN_DEPTH_MAX = 16;
