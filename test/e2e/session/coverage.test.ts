import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PLAN, reportIn, SessionWorld } from "./session-world.ts";

const TAP = [
  ...["node", "--test", "--experimental-test-coverage", "--test-reporter=tap"],
  "--test-reporter-destination=stdout",
];
/** What a session says of tests in the report, where coverage is measured so. */
const saidOf = async (argv: readonly string[]) => saidIn(withCoverage(argv), PLAN);
const withCoverage = (argv: readonly string[]) =>
  new SessionWorld((own) =>
    own.replace("argv: [npm, run, --silent, coverage]", `argv: ${JSON.stringify(argv)}`),
  );
const saidIn = async (world: SessionWorld, plan: string) => {
  const report = reportIn(await world.run(["run", "--plan", plan]));
  return report.done.find(({ item }) => item === "tests");
};
/** A worker that does as the example's does, and this besides; the plan lets it write these files. */
const alsoDoing = async (world: SessionWorld, more: string, files: readonly string[]) => {
  const tool = world.file("tools/builder.mjs");
  world.project.commit({ "tools/builder.mjs": `${tool}\nif (subtask === "ST-01") {${more}}\n` });
  const plan = JSON.parse(readFileSync(PLAN, "utf8")) as { subtasks: { files: string[] }[] };
  plan.subtasks[0]?.files.push(...files);
  return saidIn(world, world.write("plan.json", JSON.stringify(plan)));
};
const UNTESTED = `const own = slug + "export function wipe(x) {\\n  if (x) return 1;\\n  return 2;\\n}\\n";
  write("src/slug.js", own);`;

test("an lcov report in a file counts as one that is printed does", async () => {
  const argv = [...TAP, "--test-reporter=lcov", "--test-reporter-destination=lcov.info"];
  expect(await saidOf(argv)).toMatchObject({ state: "done" });
});

test("where no report was found that is said, and no figure", async () => {
  const found = await saidOf(TAP);
  expect(found?.state).toBe("not-done");
  expect(found?.reason).toMatch(/^unknown: work\.coverage ran and no lcov report was found/);
});

test("figures of a command that the work has changed are nobody's", async () => {
  const fake = `console.log("SF:src/slug.js\\nDA:1,1\\nDA:5,1\\nend_of_record\\n# tests 9\\n# pass 9\\n# fail 0")`;
  const more = `${UNTESTED}
    const scripts = { test: "node --test", coverage: ${JSON.stringify(`node -e '${fake}'`)} };
    write("package.json", JSON.stringify({ name: "slugs", private: true, type: "module", scripts }));`;
  const found = await alsoDoing(new SessionWorld(), more, ["package.json"]);
  expect(found?.state).toBe("not-done");
  expect(found?.reason).toMatch(
    /^unknown: what npm run --silent coverage does was changed as well, in package\.json/,
  );
});

test("a command that measures nothing because it does not run is unknown, and no failed test", async () => {
  const found = await saidOf(["node", "no-such-program.mjs"]);
  expect(found?.reason).toMatch(
    /^unknown: node no-such-program\.mjs ended with 1, and no test failed/,
  );
});

test("tests that ran and whose reach nobody measured are said to have run", async () => {
  const world = new SessionWorld((own) => own.replace(/^ {2}# Prints[\s\S]*$/m, ""));
  const report = reportIn(await world.run(world.quick()));
  expect(report.done.find(({ item }) => item === "tests")).toMatchObject({
    state: "not-done",
    reason: expect.stringMatching(
      /^unknown: all tests pass, by the runtime \(npm test\), and nobody/,
    ),
  });
});
