import { expect, test } from "vitest";
import { judgeOnly } from "../../../src/flow/change/judge-only.ts";

const modified = (...paths: string[]) => ({
  changed: paths.map((path) => ({ path, how: "modified" as const })),
});
const of = (words: string, paths: string[], ...changed: string[]) =>
  judgeOnly({ paths }, words, modified(...changed));

test("a file that is not spoken of refutes that only others were changed", () => {
  expect(of("Only a.py was changed. All tests pass.", ["a.py"], "a.py", "tests/test_a.py")).toEqual(
    {
      verdict: "refuted",
      why: "tests/test_a.py was modified",
    },
  );
  expect(of("Only src/ was touched.", ["src/"], "src/a.js", "x.js", "y.js")).toEqual({
    verdict: "refuted",
    why: "x.js was modified, and 1 more beside what is named",
  });
});

test("who names it elsewhere hid nothing, and what a run leaves behind is no change of anybody's", () => {
  const words = "Only `src/a.js` was changed in the source. I also updated the tests.";
  const ofTests = of(words, ["src/a.js"], "src/a.js", "test/a.test.js");
  expect(ofTests).toEqual({ verdict: "unverified", why: "test/a.test.js was modified" });
  const named = of("Only a.js was changed; see README.md too.", ["a.js"], "a.js", "README.md");
  expect(named).toMatchObject({ verdict: "unverified" });
  const cache = of(
    "Only a.py was changed.",
    ["a.py"],
    "lib/a.py",
    "lib/__pycache__/a.cpython-312.pyc",
  );
  expect(cache).toEqual({ verdict: "confirmed", why: "the change is of lib/a.py" });
});

test("what is not in the change was not changed, alone or at all", () => {
  const none = of("Only `a.js` was changed.", ["a.js"]);
  expect(none).toEqual({ verdict: "unverified", why: "a.js is not in the change" });
});
