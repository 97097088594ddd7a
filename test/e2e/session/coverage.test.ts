import { expect, test } from "vitest";
import { PLAN, reportIn, SessionWorld } from "./session-world.ts";

const TAP = [
  ...["node", "--test", "--experimental-test-coverage", "--test-reporter=tap"],
  "--test-reporter-destination=stdout",
];
/** What a session says of tests in the report, where coverage is measured so. */
const saidOf = async (argv: readonly string[]) => {
  const world = new SessionWorld((own) =>
    own.replace("argv: [npm, run, --silent, coverage]", `argv: ${JSON.stringify(argv)}`),
  );
  const report = reportIn(await world.run(["run", "--plan", PLAN]));
  return report.done.find(({ item }) => item === "tests");
};

test("an lcov report in a file counts as one that is printed does", async () => {
  const argv = [...TAP, "--test-reporter=lcov", "--test-reporter-destination=lcov.info"];
  expect(await saidOf(argv)).toMatchObject({ state: "done" });
});

test("where no report was found that is said, and no figure", async () => {
  const found = await saidOf(TAP);
  expect(found?.state).toBe("not-done");
  expect(found?.reason).toMatch(/^unknown: work\.coverage ran and no lcov report was found/);
});

test("a command that fails without a failing test has shown nothing, and no figure is made up", async () => {
  const found = await saidOf(["false"]);
  expect(found?.state).toBe("not-done");
  expect(found?.reason).toBe("unknown: false ended with 1, and no test failed in it");
});
