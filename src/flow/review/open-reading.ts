import { messageOf } from "../../base/index.ts";
import type { SourceFile, TreeReading, TreeReviewer } from "../../scan/index.ts";
import { gapOf, type Tally } from "./tally.ts";

/** A tree reviewer at work. */
export interface OpenReading {
  readonly tally: Tally;
  readonly reviewer: TreeReviewer;
  readonly reading: TreeReading;
  /** The paths that it was given. */
  readonly taken: Set<string>;
}

export function takeInto({ tally, reading, taken }: OpenReading, file: SourceFile): void {
  tally.given += 1;
  taken.add(file.path);
  try {
    reading.take(file);
    tally.read += 1;
  } catch (error) {
    tally.gaps.push(gapOf(tally, file.path, messageOf(error)));
  }
}

export async function finishInto(
  { tally, reading }: OpenReading,
  signal: AbortSignal,
): Promise<void> {
  try {
    tally.found.push(...(await reading.finish(signal)));
    for (const { path, why } of reading.skipped ?? []) tally.gaps.push(gapOf(tally, path, why));
    if (tally.given > 0) tally.notes.push(...(reading.notChecked ?? []));
    if (reading.unavailable === undefined) return;
    // It was not asked to look, as it were: nothing failed, and nothing was read.
    tally.gaps.push(gapOf(tally, "everything", reading.unavailable));
    tally.given = 0;
    tally.read = 0;
  } catch (error) {
    tally.gaps.push(gapOf(tally, "everything", messageOf(error)));
    tally.read = 0;
  }
}

/** Who is stopped before it has seen all files has said nothing. */
export function stopInto(tally: Tally, why: string): void {
  tally.gaps.push(gapOf(tally, "everything", why));
  tally.read = 0;
}
