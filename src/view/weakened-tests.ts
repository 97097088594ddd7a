import type { WorkReport } from "../schema/work.ts";

const COUNTED: readonly WorkReport["subtasks"][number]["status"][] = ["proven", "waived"];

/**
 * The tests that a work weakened and was let through with, in one line each. Every check can have
 * passed only because of them, so that whoever reads that it is done has to read this.
 */
export function weakenedTests({ subtasks }: Pick<WorkReport, "subtasks">): string[] {
  return subtasks.flatMap(({ id, status, tries }) => {
    if (!COUNTED.includes(status)) return [];
    const shown = tries.find((one) => one.status === "proven") ?? tries.at(-1);
    return (shown?.weakened ?? []).map((one) => `${id}: ${one}`);
  });
}

/** How that is said where there is one line for it; several findings can be about one test. */
export function weakenedWords(weakened: readonly string[]): string[] {
  if (weakened.length === 0) return [];
  const how =
    weakened.length === 1
      ? "1 test was weakened"
      : `tests were weakened in ${weakened.length} places`;
  return [`${how}: ${weakened.join("; ")}`];
}
