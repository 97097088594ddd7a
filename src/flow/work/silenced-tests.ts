import { counted } from "../../base/index.ts";
import type { Repository } from "../../repo/index.ts";
import { filesNaming, printedTests } from "../../run/proof/index.ts";
import { testCounts } from "../../verify/observed/index.ts";
import type { Ran } from "./sealed-prover.ts";
import type { Seen } from "./work-parts.ts";

const SHOWN_MAX = 10;

/**
 * Tests that passed before the work, still stand in the test files, and were not seen to run after it:
 * code that ends its runner early makes a run that counts fewer tests and calls itself well. A test
 * that was taken out or renamed is another matter, and looked at elsewhere. All that was printed is read,
 * and not what a report shows of it: who prints much would choose what is compared.
 *
 * @param runBefore runs the same command on the commit that the work began with
 */
export async function silencedTests(
  repository: Repository,
  { before, after }: Pick<Seen, "before" | "after">,
  now: Ran,
  runBefore: () => Promise<Ran>,
): Promise<readonly string[]> {
  if (before === after) return [];
  const old = await runBefore();
  const passed = new Set(titlesIn(old, "passed"));
  if (passed.size === 0) return fewerRuns(old, now);
  const seen = new Set(titlesIn(now));
  const missing = [...passed].filter((title) => !seen.has(title)).slice(0, SHOWN_MAX);
  const standing = await Promise.all(
    missing.map(async (title) => ({
      title,
      files: await filesNaming(title, repository, after),
    })),
  );
  return standing
    .filter(({ files }) => files.length > 0)
    .map(
      ({ title, files: [file = ""] }) =>
        `test ${JSON.stringify(title)} of ${file} passed before the work, and did not run after it`,
    );
}

function titlesIn({ printed }: Ran, state?: "passed"): string[] {
  return printedTests(printed)
    .filter((test) => state === undefined || test.state === state)
    .flatMap(({ path }) => path.at(-1) ?? []);
}

/** Where no names are there to be compared, numbers are. */
function fewerRuns(old: Ran, now: Ran): readonly string[] {
  const [then, later] = [old, now].map(({ printed }) => {
    const { passed = 0, failed = 0 } = testCounts(printed) ?? {};
    return passed + failed;
  });
  if (then === undefined || later === undefined || later >= then) return [];
  return [`${counted(then, "test")} ran before the work, and ${later} after it`];
}
