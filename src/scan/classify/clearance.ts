/** A reviewer's word that a flagged file may go out as it is. It holds for these bytes alone. */
export interface Clearance {
  readonly sha256: string;
  readonly reviewer: string;
}

/** What is asked about: a file, its flags, and who had it made. */
export interface Held {
  readonly path: string;
  readonly sha256: string;
  readonly isFlagged: boolean;
  readonly isBlocking: boolean;
}

/**
 * The files that may not be given to anybody yet. A flagged one waits until somebody other than its
 * author clears exactly these bytes; a key or a token is never cleared, it has to be taken out.
 */
export function awaitingReview(
  files: readonly Held[],
  author: string,
  clearances: readonly Clearance[],
): readonly Held[] {
  const cleared = new Set(
    clearances.filter(({ reviewer }) => reviewer !== author).map(({ sha256 }) => sha256),
  );
  return files.filter(({ sha256, isFlagged, isBlocking }) => {
    return isBlocking || (isFlagged && !cleared.has(sha256));
  });
}
