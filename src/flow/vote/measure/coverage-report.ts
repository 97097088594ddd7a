/** Where runners leave an lcov report when nobody says otherwise. */
export const COVERAGE_FILES: readonly string[] = ["coverage/lcov.info", "lcov.info"];

/** What is said where a run that was to measure coverage left no report: unknown, and no figure. */
export const NO_COVERAGE_REPORT = `work.coverage ran and no lcov report was found: expected one in ${COVERAGE_FILES.join(", ")} or on stdout`;

/** The lcov report of a sealed run that was asked for {@link COVERAGE_FILES}; undefined where there is none. */
export function coverageReport(end: {
  readonly left: string | undefined;
  readonly stdout: string;
}): string | undefined {
  return [end.left, end.stdout].find((text) => text !== undefined && /^SF:/m.test(text));
}
