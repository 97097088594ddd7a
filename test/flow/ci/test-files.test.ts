import { expect, test } from "vitest";
import { RequestStage, states, verdicts } from "./request-stage.ts";

const SAID = "No existing tests were changed.\n";
const ROTATE = "echo $(( ($1 + 1) % 4 ))\n";
const BROKEN = "echo 0\n";
const SHELL_TEST = [
  'out=$(sh "$(dirname "$0")/rotate.sh" 1)',
  '[ "$out" = 2 ] || { echo "not ok 1 - turns"; exit 1; }',
  'echo "ok 1 - turns"',
  "",
].join("\n");
const HOLLOW = 'echo "ok 1 - turns"\n';
const declared = (...argv: readonly string[]): string =>
  `ci: { checks: [{ name: tests, argv: ${JSON.stringify(argv)} }] }\n`;

test.each([
  ["make", "-C", "tools/rotate", "test"],
  ["sh", "-c", "cd tools/rotate; sh test.sh"],
  ["sh", "tools/rotate/test.sh"],
])("a hollowed test of a language that nothing reads is one, run as %s %s %s", async (...argv) => {
  const stage = new RequestStage({
    "sworn.yaml": declared(...argv.filter((word) => word !== undefined)),
    "tools/rotate/Makefile": "test:\n\t@sh test.sh\n",
    "tools/rotate/rotate.sh": ROTATE,
    "tools/rotate/test.sh": SHELL_TEST,
  });
  const head = stage.change({ "tools/rotate/rotate.sh": BROKEN, "tools/rotate/test.sh": HOLLOW });
  const report = await stage.judge(head, SAID);
  expect(states(report)).toEqual(["pass", "pass", "fail"]);
  expect(report.put_back).toEqual(["tools/rotate/test.sh"]);
  expect(report.claims).toMatchObject([
    { verdict: "refuted", why: "tools/rotate/test.sh was modified" },
  ]);
  expect(report.status).toBe("fail");
  const honest = await stage.judge(
    stage.change({ "tools/rotate/rotate.sh": `${ROTATE}#\n` }),
    SAID,
  );
  expect(honest.checks[0]?.status).toBe("pass");
  expect(verdicts(honest)).toEqual(["tests confirmed"]);
});

const CART = [
  'import assert from "node:assert";',
  'import test from "node:test";',
  'import { sum } from "../cart.js";',
  'test("sums", () => { assert.equal(sum([1, 2]), 3); });',
  "",
].join("\n");

test("a test that only what runs it calls one is put back, and who hollowed it out is refuted", async () => {
  const stage = new RequestStage({
    "sworn.yaml": declared("npm", "test"),
    "package.json": '{"type":"module","scripts":{"test":"node --test checks/cart.js"}}\n',
    "cart.js": "export const sum = (all) => all.reduce((a, b) => a + b, 0);\n",
    "checks/cart.js": CART,
  });
  const files = {
    "cart.js": "export const sum = () => 0;\n",
    "checks/cart.js": CART.replace("assert.equal(sum([1, 2]), 3)", "sum([1, 2])"),
  };
  const report = await stage.judge(stage.change(files), `All tests pass.\n\n${SAID}`);
  expect(states(report)).toEqual(["pass", "pass", "fail"]);
  expect(report.put_back).toEqual(["checks/cart.js"]);
  expect(report.weakened).toMatchObject([{ path: "checks/cart.js" }]);
  expect(verdicts(report)).toEqual(["tests refuted", "tests refuted"]);
});

const VERIFY = 'from sums import add\nassert add(1, 2) == 3\nprint("ok 1 - adds")\n';

test.each([
  ["selftest.py", ["tests refuted", "tests unverified"]],
  ["verify.py", ["tests unverified", "tests unverified"]],
])("a script that make runs is a test by its name, or may be one: %s", async (name, expected) => {
  const stage = new RequestStage({
    "sworn.yaml": declared("make", "test"),
    Makefile: `PYTHON = python3 -B\ntest: build\n\t$(PYTHON) ${name}\nbuild:\n\t@true\n`,
    "sums.py": "def add(a, b):\n    return a + b\n",
    [name]: VERIFY,
  });
  const files = {
    "sums.py": "def add(a, b):\n    return 0\n",
    [name]: 'from sums import add\nprint("ok 1 - adds")\n',
  };
  const report = await stage.judge(stage.change(files), `${SAID}\nAll tests pass.\n`);
  expect(states(report)).toEqual(["pass", "pass", "fail"]);
  expect(report.checks[0]?.status).toBe("unproven");
  expect(verdicts(report).toSorted()).toEqual(expected);
});

test("tests beside what they test are none that can be put back, and whoever changes them is not believed", async () => {
  const code = "pub fn add(a: i32, b: i32) -> i32 { a + b }\n";
  const inline = (demand: string) => `#[cfg(test)]\nmod tests { ${demand} }\n`;
  const stage = new RequestStage({
    "sworn.yaml": declared("sh", "-c", "echo ok 1"),
    "src/lib.rs": code + inline("assert_eq!(super::add(1, 2), 3);"),
  });
  const lie = await stage.judge(stage.change({ "src/lib.rs": code + inline("") }), SAID);
  expect(lie.checks[0]).toMatchObject({
    status: "unproven",
    shows:
      "passes on base and on head; cannot tell which files are tests: src/lib.rs holds some of its own",
  });
  expect(verdicts(lie)).toEqual(["tests unverified"]);
  const kept = `// sums\n${code}${inline("assert_eq!(super::add(1, 2), 3);")}`;
  const honest = await stage.judge(stage.change({ "src/lib.rs": kept }), SAID);
  expect(honest.checks[0]?.status).toBe("pass");
});

test("where nobody here can say what a command runs, no file of code is known to be no test", async () => {
  const stage = new RequestStage({
    "sworn.yaml": declared("just", "test"),
    "src/a.rb": "puts 1\n",
    "notes.md": "Notes\n",
  });
  const why = async (files: Readonly<Record<string, string>>) => {
    const { claims } = await stage.judge(stage.change(files), SAID);
    return claims.map((one) => one.why);
  };
  expect(await why({ "src/a.rb": "puts 2\n" })).toEqual([
    "cannot tell which files are tests: nothing here reads what `just test` runs",
  ]);
  expect(await why({ "notes.md": "More\n" })).toEqual(["no file of tests is in the change"]);
});
