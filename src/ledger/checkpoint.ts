import {
  type NoteKey,
  openNote,
  type Signer,
  SwornError,
  signNote,
  textOfStranger,
} from "../base/index.ts";

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
  return readCheckpoint(openNote(note, signerKey(publicText)).text, trace);
}

/**
 * The size that a checkpoint kept outside the store speaks for. One of the known keys must have
 * signed it; but a store that was put back does not know the keys that came later, so a note by a
 * stranger counts by its word: believing too much refuses, believing too little loses entries.
 *
 * @returns 0 for what is damaged, or of another trace.
 */
export function acknowledgedSize(
  note: string,
  trace: string,
  publicTexts: readonly string[],
): number {
  for (const publicText of publicTexts) {
    const opened = attempt(() => openCheckpoint(note, trace, publicText));
    if (opened) return opened.size;
  }
  return claimOf(note, trace, publicTexts)?.size ?? 0;
}

/**
 * What a checkpoint note says, unverified; undefined when it is no checkpoint of this trace, or
 * names one of the keys that were asked about as its signer.
 */
export function claimOf(
  note: string,
  trace: string,
  publicTexts: readonly string[] = [],
): Checkpoint | undefined {
  const text = textOfStranger(note, publicTexts.map(signerKey));
  return text === undefined ? undefined : attempt(() => readCheckpoint(text, trace));
}

function attempt(read: () => Checkpoint): Checkpoint | undefined {
  try {
    return read();
  } catch {
    // Another key's, another trace's or damaged: the caller asks which of several reads.
    return undefined;
  }
}

function signerKey(publicText: string): NoteKey {
  return { name: CHECKPOINT_SIGNER, public: publicText };
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
  const isWhole = Number.isSafeInteger(checkpoint.size) && checkpoint.size >= 0;
  const isRoot = checkpoint.root.length === 64;
  if (!isWhole || !isRoot || !text.startsWith(checkpointText(checkpoint))) {
    throw new SwornError(
      "INPUT_INVALID",
      "the checkpoint is not three lines of origin, size and root",
    );
  }
  return checkpoint;
}
