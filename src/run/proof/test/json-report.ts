import * as z from "zod";
import type { SeenTest } from "./seen-test.ts";

/** What of the reports of vitest and jest is read; both have the same form. */
const Report = z.object({
  testResults: z
    .array(
      z.object({
        assertionResults: z
          .array(
            z.object({
              ancestorTitles: z.array(z.string()).max(200),
              title: z.string(),
              status: z.string(),
            }),
          )
          .max(200_000),
      }),
    )
    .max(100_000),
});

/** The tests of a report in the form of jest. Undefined when it is none. */
export function jsonTests(text: string): SeenTest[] | undefined {
  try {
    const report = Report.safeParse(JSON.parse(text));
    return report.success ? report.data.testResults.flatMap(testsOf) : undefined;
  } catch {
    // The run ended before it was written, or something else was: then nothing is known.
    return undefined;
  }
}

function testsOf({ assertionResults }: z.infer<typeof Report>["testResults"][number]): SeenTest[] {
  return assertionResults.map(({ ancestorTitles, title, status }) => ({
    path: [...ancestorTitles, title],
    state: stateOf(status),
  }));
}

/** `pending`, `todo`, `disabled` and whatever comes later did not run. */
function stateOf(status: string): SeenTest["state"] {
  return status === "passed" || status === "failed" ? status : "skipped";
}
