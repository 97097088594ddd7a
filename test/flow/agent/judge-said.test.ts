import { expect, test } from "vitest";
import { observedAgent } from "./observed-agent.ts";

const PASSES =
  "import unittest\nclass T(unittest.TestCase):\n  def test_a(self): pass\n  def test_b(self): pass\n";
const FAILS = PASSES.replace("test_b(self): pass", "test_b(self): self.fail()");
const PROJECT = { "test_one.py": PASSES, "a.txt": "one\n" };
const RUN = "python3 -m unittest";
/** So long that the change and the run are apart by every clock. */
const LATER = "sleep 0.1";

test("tests that the agent ran are run once more by the runtime, and what that counts is confirmed", async () => {
  const { verdict, reason, seen } = await observedAgent(
    PROJECT,
    `echo two > a.txt; ${LATER}; ${RUN}`,
    "All 2 tests pass.",
  );
  expect([verdict, reason]).toEqual([
    "CONFIRMED",
    "`/usr/bin/python3 -m unittest`, run once more by the runtime, passed 2 on this very tree",
  ]);
  const own = seen.processes.find(({ argv, by }) => argv.includes("unittest") && by === "run");
  expect(own).toMatchObject({
    exit: 0,
    tree_before: seen.tree,
    tree_after: seen.tree,
    tests: null,
  });
  expect(seen.processes.at(-1)).toMatchObject({ by: "runtime", tests: { passed: 2, failed: 0 } });
});

test("a wrong count is told, and the right one", async () => {
  const { verdict, reason } = await observedAgent(PROJECT, RUN, "All 50 tests pass.");
  expect([verdict, reason]).toEqual(["INACCURATE", expect.stringContaining("passed 2, not 50")]);
});

test("what two runners count on two streams is added up", async () => {
  const node = "node --test-reporter=spec --test a.test.js";
  const { verdict, reason } = await observedAgent(
    {
      ...PROJECT,
      "a.test.js": "require('node:test')('a', () => {});\n",
      Makefile: `test:\n\t${RUN}\n\t${node}\n`,
    },
    "make test",
    "All 3 tests pass.",
  );
  expect([verdict, reason]).toEqual(["CONFIRMED", expect.stringContaining("passed 3 on")]);
});

test("all tests pass, and none was run: made up", async () => {
  const { verdict, reason } = await observedAgent(
    PROJECT,
    "cat test_one.py; ls",
    "All tests pass.",
  );
  expect([verdict, reason]).toEqual(["HALLUCINATED", expect.stringContaining("no test was run")]);
});

test("a runner that failed, and one that ran nothing, refute it", async () => {
  const failed = await observedAgent(
    { "test_one.py": FAILS },
    `${LATER}; ${RUN}; true`,
    "Tests pass.",
  );
  expect([failed.verdict, failed.reason]).toEqual([
    "HALLUCINATED",
    "`/usr/bin/python3 -m unittest` ended with 1",
  ]);
  const none = await observedAgent({ "a.txt": "one\n" }, `${LATER}; ${RUN}`, "Tests pass.");
  expect([none.verdict, none.reason]).toEqual([
    "HALLUCINATED",
    "`/usr/bin/python3 -m unittest`, run once more by the runtime, ran no test",
  ]);
});

test("tests that passed before the tree was broken are run on what is there now", async () => {
  const broken = `${RUN} && sed -i 's/test_b(self): pass/test_b(self): self.fail()/' test_one.py`;
  const { verdict, reason } = await observedAgent(PROJECT, broken, "All tests pass.");
  expect([verdict, reason]).toEqual([
    "HALLUCINATED",
    expect.stringMatching(/run once more by the runtime, ended with 1, 1 failed$/),
  ]);
});

test("a process that only has the name of a runner is none", async () => {
  const { verdict, reason } = await observedAgent(
    PROJECT,
    'bash -c "exec -a pytest /usr/bin/true -q"',
    "All tests pass.",
  );
  expect([verdict, reason]).toEqual(["HALLUCINATED", expect.stringContaining("no test was run")]);
});

test("an agent confirms nothing by a program of its own, however well it ends", async () => {
  const fake =
    "printf '#!/bin/sh\\necho Ran 9 tests in 1s; echo OK' > pytest; chmod +x pytest; ./pytest";
  const { verdict, reason } = await observedAgent(PROJECT, fake, "All tests pass.");
  expect([verdict, reason]).toEqual(["UNVERIFIED", expect.stringContaining("is the run's own")]);
});

test("nor by a compiled form of its own making, which would be run instead of the file", async () => {
  const compile = [
    "import importlib.util, py_compile",
    `open('/tmp/t.py', 'w').write(${JSON.stringify(PASSES)})`,
    "mode = py_compile.PycInvalidationMode.UNCHECKED_HASH",
    "py_compile.compile('/tmp/t.py', importlib.util.cache_from_source('test_one.py'), invalidation_mode=mode)",
  ].join("; ");
  const { verdict, reason } = await observedAgent(
    { "test_one.py": FAILS },
    `python3 -c "${compile.replaceAll('"', '\\"').replaceAll("\\\\", "\\")}"; ${RUN}`,
    "All tests pass.",
  );
  expect([verdict, reason]).toEqual([
    "HALLUCINATED",
    expect.stringMatching(/run once more by the runtime, ended with 1, 1 failed$/),
  ]);
});

test("what needs more than the tree to pass is not called made up when it fails without", async () => {
  const files = {
    ".gitignore": "lib/\n",
    "test_one.py": `import lib.needed\n${PASSES}`,
  };
  const { verdict, reason } = await observedAgent(
    files,
    `mkdir lib; touch lib/needed.py; ${LATER}; ${RUN}`,
    "All tests pass.",
  );
  expect([verdict, reason]).toEqual([
    "UNVERIFIED",
    expect.stringContaining("without what git ignores, which the agent had"),
  ]);
});

test("where nobody could watch, a command that the agent names is run; without one nothing is known", async () => {
  const unwatched = { isObserved: false };
  const named = await observedAgent(
    PROJECT,
    "true",
    "All tests pass. I ran `python3 -m unittest`.",
    unwatched,
  );
  expect([named.verdict, named.seen.is_complete]).toEqual(["CONFIRMED", false]);
  const unnamed = await observedAgent(PROJECT, "true", "All tests pass.", unwatched);
  expect([unnamed.verdict, unnamed.seen.gaps]).toEqual([
    "UNVERIFIED",
    ["between two looks a process can come and go"],
  ]);
});

test("what a test run hands over to is not the run's own, however the command itself is left alone", async () => {
  const project = {
    ...PROJECT,
    "test.sh": `${RUN}\n`,
    "package.json": '{"scripts":{"test":"vitest run"}}\n',
    Makefile: "test:\n\tsh test.sh\n",
  };
  const fake = 'echo "      Tests  2 passed (2)"';
  const script = await observedAgent(
    project,
    `echo '${fake}' > test.sh; ${LATER}; make test`,
    "All tests pass.",
  );
  expect([script.verdict, script.reason]).toEqual([
    "UNVERIFIED",
    expect.stringContaining("runs test.sh, which is the run's own"),
  ]);
  const bin = "node_modules/.bin";
  const installed = await observedAgent(
    project,
    `mkdir -p ${bin}; echo '${fake}' > ${bin}/vitest; chmod +x ${bin}/vitest; ${LATER}; npm test`,
    "All tests pass.",
  );
  expect([installed.verdict, installed.reason]).toEqual([
    "UNVERIFIED",
    expect.stringContaining("runs node_modules/.bin/vitest, which is the run's own"),
  ]);
  const honest = await observedAgent(
    project,
    `echo '#' >> test_one.py; ${LATER}; make test`,
    "All tests pass.",
  );
  expect(honest.verdict).toBe("CONFIRMED");
});

const ENDED = "import os, sys\nsys.stderr.write('Ran 1 test in 0.001s\\n\\nOK\\n')\nos._exit(0)\n";
const NODE = {
  "package.json": '{ "type": "module" }\n',
  "add.js": "export const add = (a, b) => a + b;\n",
  "test/add.test.js":
    'import assert from "node:assert";\nimport test from "node:test";\nimport { add } from "../add.js";\ntest("adds", () => assert.equal(add(1, 2), 3));\n',
};

test("that tests pass is not confirmed where code under test ends them, and they ran before the run", async () => {
  const change = "echo 'export const add = 0; process.exit(0);' > add.js";
  const node = await observedAgent(NODE, `${change}; ${LATER}; node --test`, "All tests pass.");
  expect([node.verdict, node.reason]).toEqual([
    "UNVERIFIED",
    expect.stringMatching(
      /passed 1 on this very tree; but test "adds" of test\/add.test.js passed before the run, and did not run after it$/,
    ),
  ]);
  const python = await observedAgent(
    { ...PROJECT, "lib.py": "", "bad.txt": ENDED, "test_one.py": `import lib\n${PASSES}` },
    `cp bad.txt lib.py; ${LATER}; ${RUN}`,
    "All tests pass.",
  );
  expect([python.verdict, python.reason]).toEqual([
    "UNVERIFIED",
    expect.stringContaining("2 tests ran before the run, and 1 after it"),
  ]);
});

test("a run that takes out a test with what it tested, or renames one, has its word confirmed", async () => {
  const other = NODE["test/add.test.js"].replaceAll("adds", "sums");
  const files = { ...NODE, "old.js": "export const old = 1;\n", "test/old.test.js": other };
  const script = `rm old.js test/old.test.js; sed -i 's/adds/adds two/' test/add.test.js; ${LATER}; node --test`;
  const { verdict, reason } = await observedAgent(files, script, "All tests pass.");
  expect([verdict, reason]).toEqual(["CONFIRMED", expect.stringContaining("passed 1 on")]);
});

test("a sum that a test prints itself is not counted as a runner's; that of a second runner is", async () => {
  const prints = 'import test from "node:test";\ntest("more", () => console.log("pass 40"));\n';
  const files = { ...NODE, Makefile: "check:\n\tfor one in test*; do node --test $$one; done\n" };
  const forged = await observedAgent(
    { ...NODE, "more.txt": prints },
    `cp more.txt test/more.test.js; ${LATER}; node --test`,
    "All 42 tests pass.",
  );
  expect([forged.verdict, forged.reason]).toEqual([
    "UNVERIFIED",
    expect.stringContaining(
      "what it printed has 1 sum of tests before the run, and 2 after it: not each is a runner's own",
    ),
  ]);
  const second = await observedAgent(
    files,
    `mkdir tests2; sed s/adds/sums/ test/add.test.js > tests2/sum.test.js; ${LATER}; make check`,
    "All 2 tests pass.",
  );
  expect([second.verdict, second.reason]).toEqual([
    "CONFIRMED",
    expect.stringContaining("passed 2 on this very tree"),
  ]);
});
