import { expect, test } from "vitest";
import { saidWork } from "../../src/claim/index.ts";
import { expectLinear } from "../cost-growth.ts";

const checks = (text: string): string[] =>
  saidWork(text).flatMap((one) => (one.kind === "check" ? [one.check] : []));

test.each([
  ["The build succeeds.", ["build"]],
  ["Build passes with no errors.", ["build"]],
  ["✅ Build: passing", ["build"]],
  ["The project compiles cleanly.", ["build"]],
  ["It compiles without warnings.", ["build"]],
  ["TypeScript compiles with no errors.", ["build"]],
  ["There are no build errors.", ["build"]],
  ["Lint is clean.", ["linter"]],
  ["No lint errors.", ["linter"]],
  ["ESLint passes with zero warnings.", ["linter"]],
  ["✅ Linting passed", ["linter"]],
  ["- [x] Lint", ["linter"]],
  ["| Lint | ✅ |", ["linter"]],
  ["**Lint:** clean", ["linter"]],
  ["Linter and type checker report no issues.", ["linter", "type check"]],
  ["Build, lint and tests all pass.", ["build", "linter"]],
  ["All tests pass, the build is green, no other files were touched.", ["build", "scope"]],
  ["No type errors.", ["type check"]],
  ["Type checking passes.", ["type check"]],
  ["mypy passes.", ["type check"]],
  ["CI passes.", ["CI"]],
  ["The pipeline is green.", ["CI"]],
  ["Coverage is now at 95%.", ["coverage"]],
  ["Test coverage increased from 80% to 96%.", ["coverage"]],
  ["That is 100 % line coverage.", ["coverage"]],
  ["It is 3x faster now.", ["measurement"]],
  ["Everything works and has been tested.", ["trial"]],
  ["Tested and working.", ["trial"]],
  ["I manually tested the form.", ["trial"]],
  ["I committed the changes as abc1234.", ["commit"]],
  ["Everything is committed and pushed.", ["commit", "push"]],
  ["I pushed the branch.", ["push"]],
  ["I opened a pull request for it.", ["pull request"]],
  ["Committed the fix and tagged it as v1.2.1.", ["tag"]],
  ["I ran the tests.", ["test run"]],
  ["The tests were run.", ["test run"]],
  ["I ran the whole test suite before committing.", ["test run"]],
  ["It is about 3x faster than before.", ["measurement"]],
  ["I added no dependencies.", ["dependencies"]],
  ["No new dependencies were introduced.", ["dependencies"]],
  ["I changed only `src/neu.js`.", ["scope"]],
  ["No other files were touched.", ["scope"]],
  ["removed nothing else", ["scope"]],
  ["`src/parse.js` now has 250 lines.", ["size"]],
  ["I reduced `src/parse.js` from 400 to 12 lines.", ["size"]],
])("is said beside tests and files: %s", (text, expected) => {
  expect(checks(text)).toEqual(expected);
});

test.each([
  "I did not run the build.",
  "I have not verified whether the build passes.",
  "The build fails.",
  "Please check that the build succeeds.",
  "I fixed the build script.",
  "Run `npm run build` to build it.",
  "Build passes options to the compiler.",
  "ESLint passes the file name to the plugin.",
  "Lint reports 3 errors.",
  "I added a lint rule against it.",
  "This removes lint warnings from the docs.",
  "The build should be green once CI runs.",
  "Added a CI workflow.",
  "Coverage is not measured.",
  "The function returns only lines that match.",
  "I added a dependency on zod.",
  "The types are in `src/types.ts`.",
  "It formats the code and types the result.",
  "Nothing was committed.",
  "CI ran the tests.",
  "I ran the test script's linter.",
  "The tests were not run.",
  "Run the tests before merging.",
  "A good acceptance check: lint is clean.",
  "I pushed back on the idea.",
  "I have not committed anything.",
  "Before merging:\n- [ ] Lint\n- [ ] Build passes",
  "The parser now handles only quoted fields.",
  "It reads lines until 3 lines are left.",
])("is not said by %s", (text) => {
  expect(checks(text)).toEqual([]);
});

test("words without an end are read in time", () => {
  for (const unit of ["build, ", "lint and ", "build is ", "3 x ", "no new "]) {
    expectLinear((times) => saidWork(`${unit.repeat(2_000 * times)} passes`));
  }
});
