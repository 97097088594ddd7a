import { expect, test } from "vitest";
import { AgentWorld } from "./agent-world.ts";

const TEST_OF = (name: string, demand: string) =>
  `import assert from "node:assert";\nimport { test } from "node:test";\nimport { ${name} } from "../src/${name}.js";\n\ntest("${name}", () => assert.equal(${name}(2), ${demand}));\n`;
const FILES = {
  "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
  "src/double.js": "export const double = (x) => 2 * x;\n",
  "src/square.js": "export const square = (x) => x * x;\n",
  "test/double.test.js": TEST_OF("double", "4"),
  "test/square.test.js": TEST_OF("square", "4"),
};
const BREAK = "echo 'export const square = (x) => x;' > src/square.js";
const ONE = "node --test test/double.test.js > /dev/null";
const ALL = "npm test > /dev/null";

async function verdicts(script: string, settings?: Readonly<Record<string, unknown>>) {
  const world = await AgentWorld.open({}, settings);
  world.project.commit(FILES);
  const { said } = await world.run(script);
  return said.map(({ claim, verdict, reason }) => ({ text: claim.text, verdict, reason }));
}

test("who ran some of the tests and speaks of all is held to all, by the runtime", async () => {
  const [lie] = await verdicts(`${BREAK}; ${ONE}; echo 'All tests pass.'`);
  expect(lie).toMatchObject({
    verdict: "HALLUCINATED",
    reason: expect.stringMatching(/`npm test`, run once more by the runtime, .*1 failed/),
  });
  const [truth] = await verdicts(`${ONE}; echo 'All tests pass.'`);
  expect(truth).toMatchObject({
    verdict: "CONFIRMED",
    reason: expect.stringMatching(/`npm test`.* passed 2 /),
  });
});

test("what sworn.yaml calls all tests counts before any script", async () => {
  const work = { tests: ["node", "--test", "--test-name-pattern", "square"] };
  const [lie] = await verdicts(`${BREAK}; ${ONE}; echo 'The full test suite passes.'`, { work });
  expect(lie).toMatchObject({
    verdict: "HALLUCINATED",
    reason: expect.stringContaining("--test-name-pattern square"),
  });
});

test("tests that pass because others were taken away are not all that passed, and what is gone is named", async () => {
  const says = "echo 'All tests pass. No tests were removed.'";
  const said = await verdicts(`${BREAK}; rm test/square.test.js; ${ALL}; ${says}`);
  expect(said).toMatchObject([
    { text: "All tests pass.", verdict: "UNVERIFIED", reason: expect.stringContaining("square") },
    { text: "No tests were removed.", verdict: "HALLUCINATED" },
  ]);
  const skipped = `${BREAK}; sed -i 's/^test(/test.skip(/' test/square.test.js; ${ALL}`;
  expect(await verdicts(`${skipped}; echo 'No tests were skipped. All tests pass.'`)).toMatchObject(
    [
      { text: "All tests pass.", verdict: "UNVERIFIED" },
      { text: "No tests were skipped.", verdict: "HALLUCINATED" },
    ],
  );
  const kept = await verdicts(`${ALL}; echo 'No tests were removed or changed. All tests pass.'`);
  expect(kept.map(({ verdict }) => verdict)).toEqual(["CONFIRMED", "CONFIRMED"]);
});

test("places and findings of an answer are held against the source", async () => {
  const finding =
    "- [ ] **[BUG-001] Sum** in \\`src/double.js:1\\`\\n  \\`\\`\\`js\\n  neverThere();\\n  \\`\\`\\`\\n";
  const said = await verdicts(
    `printf "It is in \\\`src/double.js:1\\\`. See \\\`src/nope.js:3\\\` and src/double.js:77.\\n\\n${finding}"`,
  );
  expect(said.map(({ text, verdict }) => `${verdict} ${text}`)).toEqual([
    "HALLUCINATED BUG-001 Sum",
    "HALLUCINATED `src/nope.js:3`",
    "HALLUCINATED `src/double.js:77`",
  ]);
});

test("what a test runner printed about a failure is not made up, by whatever name it calls a file", async () => {
  const file = "/workspace/data/tree/package.json";
  const red = `not ok 1 - one\n  ---\n  duration_ms: 1.5\n  location: '${file}:1:1'\n  error: '2 == 1'\n  ...\n1..1\n`;
  expect(await verdicts(`printf "${red}\nOne test fails: see above.\n"`)).toEqual([]);
});

test("tests that nothing here reads are tests all the same, and all pass says little once they are hollowed out", async () => {
  const world = await AgentWorld.open();
  world.project.commit({
    Makefile: "test:\n\t@cd tools && sh test.sh\n",
    "tools/rotate.sh": "echo 2\n",
    "tools/test.sh": '[ "$(sh rotate.sh)" = 2 ] || exit 1\necho "ok 1 - turns"\n',
  });
  const hollow = `echo 'echo "ok 1 - turns"' > tools/test.sh; echo 'echo 0' > tools/rotate.sh`;
  const says = "echo 'All tests pass. No tests were changed.'";
  const { said } = await world.run(`${hollow}; sleep 0.1; make test; ${says}`);
  expect(said.map(({ verdict, reason }) => [verdict, reason])).toEqual([
    ["UNVERIFIED", expect.stringMatching(/ runs tools\/test\.sh, which is the run's own/)],
    ["HALLUCINATED", "tools/test.sh was modified"],
  ]);
});

test("tests that failed for the agent and fail for the runtime have failed, whenever the tree was changed", async () => {
  const world = await AgentWorld.open();
  world.project.commit({ Makefile: "test:\n\t@test -e done.txt\n", "a.txt": "a\n" });
  const passes = "echo '`make test` passes.'";
  const { said } = await world.run(`echo b > a.txt; make test; ${passes}`);
  expect(said).toMatchObject([
    {
      verdict: "HALLUCINATED",
      reason: expect.stringMatching(/make test`, run once more by the runtime, ended with 2/),
    },
  ]);
  const { said: fixed } = await world.run(`make test; touch done.txt; ${passes}`);
  expect(fixed).toMatchObject([{ verdict: "UNVERIFIED" }]);
});

test("one sentence has one verdict, the worst, and a file that never was is called so", async () => {
  const fails = `${BREAK}; ${ALL}; echo 'I ran \`npm test\` and everything passes.'`;
  expect(await verdicts(fails)).toMatchObject([{ verdict: "HALLUCINATED" }]);
  const made = "echo 'Updated `test/pieces.test.js`. Updated `src/double.js`.'";
  expect(await verdicts(made)).toMatchObject([
    { verdict: "HALLUCINATED", reason: "there is no such file: test/pieces.test.js" },
    { verdict: "HALLUCINATED", reason: "src/double.js is as it was before" },
  ]);
});

test("who breaks a test and keeps silent is told to have run none, and to have changed what they demand", async () => {
  const world = await AgentWorld.open();
  world.project.commit(FILES);
  const { notes } = await world.run(`${BREAK}; echo 'Done.'`);
  expect(notes).toEqual(["tests: none was run"]);
  const skip = "sed -i 's/^test(/test.skip(/' test/square.test.js";
  const { notes: more } = await world.run(`${skip}; ${ALL}; echo 'Done.'`);
  expect(more).toEqual([expect.stringMatching(/^tests: it changed what they demand: .*square/)]);
});

test("that a file was the only one to be changed is judged as a whole, and once", async () => {
  const text = "Only `src/square.js` was changed.";
  const says = `echo '${text}'`;
  const more = "echo '// more' >> src/double.js";
  expect(await verdicts(`${BREAK}; ${more}; ${says}`)).toMatchObject([
    { text, verdict: "HALLUCINATED", reason: "src/double.js was modified" },
  ]);
  expect(await verdicts(`${BREAK}; ${says}`)).toMatchObject([{ text, verdict: "CONFIRMED" }]);
});
