/** Where runners leave an lcov report when nobody says otherwise. */
export const COVERAGE_FILES: readonly string[] = ["coverage/lcov.info", "lcov.info"];

/** What is said where a run that was to measure coverage left no report: unknown, and no figure. */
export const NO_COVERAGE_REPORT = `work.coverage ran and no lcov report was found: expected one in ${COVERAGE_FILES.join(", ")} or on stdout, and in one of them alone`;

/**
 * The lcov report of a sealed run that was asked for {@link COVERAGE_FILES}. Where there are two, a test may
 * have written the other one: then neither counts.
 */
export function coverageReport(end: {
  readonly left: readonly string[];
  readonly stdout: string;
}): string | undefined {
  const [report, ...others] = [...end.left, end.stdout].filter((text) => /^SF:/m.test(text));
  return others.length === 0 ? report : undefined;
}
