import * as z from "zod";
import { parseJson } from "../../base/index.ts";
import type { Place } from "../place.ts";
import { soundBytes } from "../trace/artifact-bytes.ts";

const BYTES_MAX = 4_096;
const Count = z.number().min(0).max(Number.MAX_SAFE_INTEGER);
const Use = z.object({
  inputTokens: Count,
  outputTokens: Count,
  microUsd: Count.optional(),
  turns: Count,
});

/** What runs cost, as agents told and as far as that is on record. */
export interface Cost {
  readonly runs: number;
  readonly seconds: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Null where no agent named a price. */
  readonly micro_usd: number | null;
  readonly turns: number;
  /** Runs whose use cannot be read. */
  readonly unknown: number;
}

/** Adds up what recorded runs used. Only bytes count that are still the ones that were recorded. */
export function costOf(
  place: Place,
  uses: ReadonlySet<string>,
  { count, ms }: { readonly count: number; readonly ms: number },
): Cost {
  const read = [...uses].map((hash) => useOf(place, hash));
  const known = read.flatMap((use) => use ?? []);
  const sum = (of: (use: z.infer<typeof Use>) => number) =>
    known.reduce((all, use) => all + of(use), 0);
  return {
    runs: count,
    seconds: Math.round(ms / 1_000),
    input_tokens: sum(({ inputTokens }) => inputTokens),
    output_tokens: sum(({ outputTokens }) => outputTokens),
    micro_usd: known.some(({ microUsd }) => microUsd !== undefined)
      ? sum(({ microUsd = 0 }) => microUsd)
      : null,
    turns: sum(({ turns }) => turns),
    unknown: read.length - known.length,
  };
}

function useOf(place: Place, hash: string): z.infer<typeof Use> | undefined {
  try {
    const text = Buffer.concat([...soundBytes(place, hash)]).toString();
    return Use.safeParse(parseJson(text, BYTES_MAX)).data;
  } catch {
    // Counted as unknown: a cost that cannot be read is not nothing.
    return undefined;
  }
}
