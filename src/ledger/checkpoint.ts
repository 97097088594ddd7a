import { type NoteKey, openNote, type Signer, SwornError, signNote } from "../base/index.ts";

/** What a checkpoint commits to: how many entries there are, and the root of the tree over them. */
export interface Checkpoint {
  readonly trace: string;
  readonly size: number;
  readonly root: string;
}

/** The name under which the runtime signs checkpoints; the key behind it is enrolled in the trace. */
export const CHECKPOINT_SIGNER = "sworn";

/** The C2SP checkpoint text: origin, size, root. */
function checkpointText({ trace, size, root }: Checkpoint): string {
  return `${originOf(trace)}\n${size}\n${Buffer.from(root, "hex").toString("base64")}\n`;
}

/** The log's own name, so that a checkpoint of one trace is never taken for another's. */
function originOf(trace: string): string {
  return `sworn.trace/${trace}`;
}

export function signCheckpoint(checkpoint: Checkpoint, signer: Signer): string {
  return signNote(checkpointText(checkpoint), CHECKPOINT_SIGNER, signer);
}

/**
 * Opens a checkpoint note of one trace.
 *
 * @throws SwornError `INPUT_INVALID` when it is not signed by the key, not well formed, or another trace's.
 */
export function openCheckpoint(note: string, trace: string, publicText: string): Checkpoint {
  const key: NoteKey = { name: CHECKPOINT_SIGNER, public: publicText };
  return { ...readCheckpoint(openNote(note, key).text, trace) };
}

/**
 * Reads the text of a checkpoint without judging who signed it.
 *
 * @throws SwornError `INPUT_INVALID`.
 */
export function readCheckpoint(text: string, trace: string): Checkpoint {
  const [origin, size, root] = text.split("\n");
  const checkpoint = {
    trace,
    size: Number(size),
    root: Buffer.from(root ?? "", "base64").toString("hex"),
  };
  if (origin !== originOf(trace)) {
    throw new SwornError(
      "INPUT_INVALID",
      `the checkpoint is of "${origin}", expected "${originOf(trace)}"`,
    );
  }
  // Comparing with the one spelling refuses leading zeros and spare base64 bits. Lines after these
  // three are the format's extensions; they are signed like the rest and mean nothing here.
  if (!Number.isSafeInteger(checkpoint.size) || !text.startsWith(checkpointText(checkpoint))) {
    throw new SwornError(
      "INPUT_INVALID",
      "the checkpoint is not three lines of origin, size and root",
    );
  }
  return checkpoint;
}
