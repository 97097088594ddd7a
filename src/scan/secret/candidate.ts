/** A stretch of text that is a secret, before it is described. */
export interface Candidate {
  readonly rule: string;
  readonly description: string;
  readonly priority: "P1" | "P2" | "P3";
  /** Smaller is surer; of two that overlap the surer one stays. */
  readonly rank: number;
  /** Where the whole match starts: its key's name, its header. */
  readonly matchStart: number;
  readonly start: number;
  readonly end: number;
  /** What it is after decoding; the text itself where nothing was encoded. */
  readonly value: string;
}

/** Drops what lies within a surer candidate. The result is in the order of the text. */
export function withoutOverlaps(candidates: readonly Candidate[]): Candidate[] {
  const sorted = candidates.toSorted((a, b) => a.start - b.start || a.rank - b.rank);
  const kept: Candidate[] = [];
  for (const candidate of sorted) {
    const last = kept.at(-1);
    if (last === undefined || candidate.start >= last.end) kept.push(candidate);
    else if (candidate.rank < last.rank) kept[kept.length - 1] = candidate;
  }
  return kept;
}
