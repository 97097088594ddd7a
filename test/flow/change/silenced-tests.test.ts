import { expect, onTestFinished, test } from "vitest";
import { silencedTests } from "../../../src/flow/change/silenced-tests.ts";
import { GitFolder } from "../../repo/git-folder.ts";

const tap = (...lines: string[]) =>
  [...lines, `# pass ${lines.filter((line) => line.startsWith("ok")).length}`, "# fail 0"].join(
    "\n",
  );
const unittest = (count: number) => `Ran ${count} tests in 0.1s\n\nOK\n`;
const script = (...titles: string[]) => titles.map((one) => `test("${one}", () => {});\n`).join("");
const cases = (...names: string[]) =>
  `import unittest\nclass T(unittest.TestCase):\n${names.map((one) => `  def ${one}(self): pass\n`).join("")}`;

async function silenced(
  files: Readonly<Record<string, readonly [before: string, after: string | undefined]>>,
  printed: readonly [before: string, after: string],
) {
  const git = new GitFolder();
  const sides = Object.entries(files);
  const before = git.commit(Object.fromEntries(sides.map(([path, [old]]) => [path, old])));
  for (const [path, [, now]] of sides) if (now === undefined) git.git("rm", "--quiet", path);
  const after = git.commit(
    Object.fromEntries(
      sides.flatMap(([path, [, now]]) => (now === undefined ? [] : [[path, now]])),
    ),
  );
  const repository = await git.open();
  onTestFinished(() => repository.close());
  return silencedTests(repository, {
    before: { commit: before, printed: printed[0] },
    after: { commit: after, printed: printed[1] },
    what: "work",
  });
}

test("a test that code under test has skipped did not run, nor did one of two that have the same title", async () => {
  const two = { "a.js": ["1", "2"], "test/a.test.js": [script("adds"), script("adds")] } as const;
  expect(await silenced(two, [tap("ok 1 - adds"), tap("ok 1 - adds # SKIP")])).toEqual([
    'test "adds" of test/a.test.js passed before the work, and did not run after it',
  ]);
  const both = { ...two, "test/b.test.js": [script("adds"), script("adds")] } as const;
  const once = tap("ok 1 - adds", "ok 2 - /p/test/b.test.js");
  expect(await silenced(both, [tap("ok 1 - adds", "ok 2 - adds"), once])).toHaveLength(1);
});

test("a test that was taken out is not missed for another one whose title begins as its own did", async () => {
  const files = { "test/a.test.js": [script("adds", "adds two"), script("adds two")] } as const;
  const runs = [tap("ok 1 - adds", "ok 2 - adds two"), tap("ok 1 - adds two")] as const;
  expect(await silenced(files, runs)).toEqual([]);
});

test("where a runner prints no names, numbers tell, less what was taken out of the files of tests", async () => {
  const python = (now: string | undefined) =>
    ({ "test_a.py": [cases("test_a", "test_b"), now], "a.py": ["", "#"] }) as const;
  const one = [unittest(2), unittest(1)] as const;
  expect(await silenced(python(cases("test_a", "test_b")), one)).toEqual([
    "2 tests ran before the work, and 1 after it",
  ]);
  expect(await silenced(python(cases("test_a")), one)).toEqual([]);
  expect(await silenced(python(undefined), [unittest(2), unittest(0)])).toEqual([]);
  expect(await silenced(python(cases("test_a")), [unittest(2), unittest(0)])).toHaveLength(1);
});

test("a file that failed to load before, and a test that failed and was told twice, are not missed", async () => {
  const files = {
    "test/a.test.js": [script("adds"), script("adds")],
    "test/b.test.js": ['const title = "adds";\n', 'const title = "adds";\n'],
  } as const;
  const failed = "✖ adds (1.2ms)\nℹ pass 0\nℹ fail 1\n✖ failing tests:\n✖ adds (1.2ms)\n";
  expect(await silenced(files, [failed, tap("ok 1 - adds")])).toEqual([]);
  const broken = "not ok 1 - /p/test/a.test.js\n# pass 0\n# fail 1\n";
  expect(await silenced(files, [broken, tap("ok 1 - adds")])).toEqual([]);
});

test("a test that its own file skips, or has in a comment, is told as that, and is not missed", async () => {
  const run = [
    tap("ok 1 - adds", "ok 2 - more"),
    tap("ok 1 - adds # SKIP", "ok 2 - more"),
  ] as const;
  const old = 'test("adds", () => { assert.equal(add(1), 2); });\n';
  const more = script("more");
  const skips = {
    "test/a.test.js": [old + more, old.replace("test(", "test.skip(") + more],
  } as const;
  expect(await silenced(skips, run)).toEqual([]);
  const comment = { "test/a.test.js": [old + more, `// ${old}${more}`] } as const;
  expect(await silenced(comment, [run[0], tap("ok 1 - more")])).toEqual([]);
  const python = "class TestT:\n  def test_a(self):\n    assert add(1) == 2\n";
  const marked = python.replace("  def", "  @unittest.skip('x')\n  def");
  const counts = [unittest(1), "Ran 1 test in 0.1s\n\nOK (skipped=1)\n"] as const;
  expect(await silenced({ "test_a.py": [python, marked] }, counts)).toEqual([]);
  // One that something else has skipped is missed.
  const source = { "test_a.py": [python, `${python}\n`], "a.py": ["", "#"] } as const;
  expect(await silenced(source, counts)).toHaveLength(1);
});
