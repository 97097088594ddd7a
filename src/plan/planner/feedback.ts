import { dataBlock } from "../data-block.ts";
import type { Draft } from "./answer-shapes.ts";

/** The same once more, with what was wrong; nothing of it is obeyed as a prompt. */
export function withFeedback(
  asked: string,
  { answer, violations }: { readonly answer: string; readonly violations: readonly string[] },
): string {
  return `${asked}\n${[
    "<feedback>",
    "An earlier answer to exactly this was refused. Hand in a whole new one in which all of this is repaired and the rest is",
    "kept.",
    dataBlock("what was wrong with it", violations.join("\n")),
    dataBlock("the earlier answer", answer),
    "</feedback>",
  ].join("\n\n")}\n`;
}

/** Gaps of a critique as feedback on the draft they were found in. */
export function withGaps(asked: string, draft: Draft, gaps: readonly string[]): string {
  return withFeedback(asked, {
    answer: JSON.stringify(draft, undefined, 1),
    violations: gaps.map((gap) => `a gap that the critique found: ${gap}`),
  });
}
