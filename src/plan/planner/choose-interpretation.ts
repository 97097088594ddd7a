import type { EngineerAnswer } from "./answer-shapes.ts";

/** The reading that is planned, and why the others are not; undefined when nobody can plan it. */
export interface Interpretations {
  readonly selected: { readonly reading: EngineerAnswer; readonly because: string } | undefined;
  readonly rejected: readonly {
    readonly interpretation: string;
    readonly rejected_because: string;
  }[];
}

/** What a risk takes off how sure an engineer is: as much as an assumption of that risk costs. */
const RISK_POINTS = { LOW: 0, MEDIUM: 5, HIGH: 15 } as const;

/**
 * Of those who can plan it, the surest with the least risk: tractable readings before uncertain
 * ones, then by points less risk, then in the order in which they were heard.
 */
export function chooseInterpretation(readings: readonly EngineerAnswer[]): Interpretations {
  const [reading] = readings
    .filter(({ verdict }) => verdict !== "IMPOSSIBLE")
    .toSorted((one, other) => rankOf(other) - rankOf(one));
  const rejected = readings
    .filter((one) => one !== reading)
    .map((one) => ({
      interpretation: one.interpretation,
      rejected_because: whyNot(one, reading),
    }));
  if (reading === undefined) return { selected: undefined, rejected };
  const heard = readings.indexOf(reading) + 1;
  const because = `reading ${heard} of ${readings.length}: ${wordsOf(reading)}, DONE when ${reading.done}`;
  return { selected: { reading, because }, rejected };
}

function rankOf({ verdict, confidence, risk }: EngineerAnswer): number {
  return (verdict === "TRACTABLE" ? 1_000 : 0) + confidence - RISK_POINTS[risk];
}

function whyNot(one: EngineerAnswer, selected: EngineerAnswer | undefined): string {
  if (one.verdict === "IMPOSSIBLE") return `IMPOSSIBLE: ${one.explanation}`;
  return `${wordsOf(one)}, where the selected one is ${selected ? wordsOf(selected) : "none"}; its concern: ${one.concern}`;
}

function wordsOf({ verdict, confidence, risk }: EngineerAnswer): string {
  return `${verdict} at ${confidence} points with ${risk} risk`;
}
