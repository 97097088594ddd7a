import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withOldTests } from "../../../src/flow/ci/old-tests.ts";
import { testFiles } from "../../../src/flow/ci/test-files.ts";
import { all } from "../../repo/git-folder.ts";
import {
  ADD,
  CHECKS,
  PACKAGE,
  PROJECT,
  RequestStage,
  states,
  verdicts,
  WRONG_ADD,
} from "./request-stage.ts";

const PY = {
  "sworn.yaml": "ci: { checks: [{ name: tests, argv: [python3, -B, -m, unittest] }] }\n",
  "add.py": "def add(a, b):\n    return a + b\n",
  "test_add.py": [
    "import unittest",
    "from add import add",
    "",
    "class Add(unittest.TestCase):",
    "    def test_below(self):",
    "        self.assertEqual(add(-1, -2), -3)",
    "",
  ].join("\n"),
};
const WRONG_PY = "def add(a, b):\n    return abs(a + b)\n";

test("a pull request does not change its own judge", async () => {
  const stage = new RequestStage();
  const lax = "ci: { checks: [{ name: tests, argv: ['true'], tests: false }] }\n";
  const report = await stage.judge(stage.change({ "sworn.yaml": lax, "src/add.js": WRONG_ADD }));
  expect(report.judge.is_changed_by_head).toBe(true);
  expect(report.notes.join()).toContain(
    "another sworn.yaml; that of the branch it goes into counted",
  );
  expect(report.checks.map(({ argv, status }) => [argv.join(" "), status])).toEqual([
    ["npm test", "fail"],
  ]);
});

test("a test script that does nothing runs no test, and the old one tells", async () => {
  const stage = new RequestStage();
  const files = {
    "package.json": JSON.stringify({ ...PACKAGE, version: "2.0.0", scripts: { test: "true" } }),
    "src/add.js": WRONG_ADD,
  };
  const report = await stage.judge(stage.change(files), "All tests pass.");
  expect(states(report)).toEqual(["pass", "no-tests", "fail"]);
  expect(report.put_back).toEqual(["package.json"]);
  expect(report.weakened).toMatchObject([{ kind: "config", path: "package.json" }]);
  expect(verdicts(report)).toEqual(["tests refuted"]);
});

test("a test script that only prints a sum is found out by the old one", async () => {
  const stage = new RequestStage();
  const scripts = { test: "echo '# pass 2'" };
  const files = {
    "package.json": JSON.stringify({ ...PACKAGE, scripts }),
    "src/add.js": WRONG_ADD,
  };
  const report = await stage.judge(stage.change(files), "2 tests pass.");
  expect(states(report)).toEqual(["pass", "pass", "fail"]);
  expect(report.status).toBe("fail");
});

test("where only the script is a sham and the program is right, nothing is confirmed by it", async () => {
  const stage = new RequestStage();
  const scripts = { test: "echo '# pass 2'" };
  const head = stage.change({ "package.json": JSON.stringify({ ...PACKAGE, scripts }) });
  const report = await stage.judge(head, "2 tests pass.");
  expect(states(report)).toEqual(["pass", "pass", "pass"]);
  expect(verdicts(report)).toEqual(["tests unverified"]);
});

test("a shell of the change's own for scripts is taken away with the tests", async () => {
  const stage = new RequestStage();
  const files = { ".npmrc": "script-shell=./sham.sh\n", "src/add.js": WRONG_ADD };
  stage.git.git("checkout", "--quiet", "-B", "change", "main");
  stage.git.write("sham.sh", "#!/bin/sh\necho '# pass 2'\n");
  stage.git.git("add", "sham.sh");
  stage.git.git("update-index", "--chmod=+x", "sham.sh");
  const head = stage.git.commit(files);
  stage.git.git("checkout", "--quiet", "main");
  const report = await stage.judge(head);
  expect(report.checks[0]?.old_tests.state).toBe("fail");
  expect(report.put_back).toContain(".npmrc");
});

test("new settings of runners are not there with the tests of base", async () => {
  const stage = new RequestStage();
  const head = stage.change({
    "conftest.py": "collect_ignore_glob = ['*']\n",
    "vitest.config.ts": "export default { test: { exclude: ['**'] } };\n",
    "src/__snapshots__/a.snap": "x\n",
    "src/new.js": "export {};\n",
  });
  const repository = await stage.git.open();
  const sides = { base: stage.git.git("rev-parse", "main"), head, judge: head, how: "" };
  const commands = [{ argv: ["npm", "test"], folder: "" }];
  const files = await testFiles(repository, sides.base, { commands, weakened: [] });
  const old = await withOldTests(repository, sides, [["npm", "test"]], files);
  const listed = await all(repository.listTree(old?.commit ?? ""));
  expect(listed.map(({ path }) => path)).toEqual([
    "package.json",
    "src/add.js",
    "src/new.js",
    "sworn.yaml",
    "test/add.test.js",
  ]);
});

test("a module in the runner's place is taken away with the tests", async () => {
  const stage = new RequestStage(PY);
  const sham = "import sys\nsys.stderr.write('Ran 1 test in 0.001s\\n\\nOK\\n')\n";
  const head = stage.change({ "unittest.py": sham, "add.py": WRONG_PY });
  const report = await stage.judge(head, "All tests pass.");
  expect(states(report)).toEqual(["pass", "pass", "fail"]);
  expect(report.put_back).toEqual(["unittest.py"]);
  expect(report.checks[0]?.status).toBe("fail");
  expect(report.checks[0]?.shows).toContain("the change says itself how tests are run");
  expect(verdicts(report)).toEqual(["tests unverified"]);
});

test("a runner that is not installed decides nothing", async () => {
  const argv = "[sh, -c, 'echo No module named pytest >&2; exit 1']";
  const yaml = `ci: { checks: [{ name: tests, argv: ${argv} }] }\n`;
  const stage = new RequestStage({ ...PROJECT, "sworn.yaml": yaml });
  const report = await stage.judge(stage.change({ "src/add.js": `${ADD}\n` }));
  expect(states(report)).toEqual(["undecided", "undecided", "same"]);
  expect(report.status).toBe("fail");
});

test("what the command itself names is taken as it was", async () => {
  const run = "ci: { checks: [{ name: tests, argv: [node, tools/run.mjs] }] }\n";
  const real =
    'import { run } from "node:test";\nimport { tap } from "node:test/reporters";\n' +
    'run({ files: [process.cwd() + "/test/add.test.js"] })\n' +
    '  .on("test:fail", () => { process.exitCode = 1; }).compose(tap).pipe(process.stdout);\n';
  const stage = new RequestStage({ ...PROJECT, "sworn.yaml": run, "tools/run.mjs": real });
  const head = stage.change({
    "tools/run.mjs": 'console.log("# pass 2");\n',
    "src/add.js": WRONG_ADD,
  });
  const report = await stage.judge(head);
  expect(states(report)).toEqual(["pass", "pass", "fail"]);
  expect(report.put_back).toEqual(["tools/run.mjs"]);
});

test("what a script loads to run the tests is taken as it was, and nothing is confirmed by it", async () => {
  const run = "ci: { checks: [{ name: tests, argv: [sh, ci/run.sh] }] }\n";
  const stage = new RequestStage({
    ...PROJECT,
    "sworn.yaml": run,
    "ci/run.sh": ". ./ci/lib.sh\nrun_all\n",
    "ci/lib.sh": "run_all() { node --test; }\n",
  });
  const sham = "run_all() { echo 'ok 1 - adds'; echo 'ok 2 - below'; echo '# pass 2'; }\n";
  const head = stage.change({ "ci/lib.sh": sham, "src/add.js": WRONG_ADD });
  const report = await stage.judge(head, "All tests pass.");
  expect([states(report), report.put_back]).toEqual([["pass", "pass", "fail"], ["ci/lib.sh"]]);
  expect(verdicts(report)).toEqual(["tests unverified"]);
  // The program may change beside it.
  const honest = await stage.judge(stage.change({ "src/add.js": `${ADD}\n` }), "All tests pass.");
  expect([honest.checks[0]?.status, verdicts(honest)]).toEqual(["pass", ["tests confirmed"]]);
});

test("rules that a Makefile takes from elsewhere are taken as they were", async () => {
  const stage = new RequestStage({
    ...PROJECT,
    "sworn.yaml": "ci: { checks: [{ name: tests, argv: [make, verify] }] }\n",
    Makefile: "include make/rules.mk\n",
    "make/rules.mk": "verify:\n\tnode --test\n",
  });
  const sham = "verify:\n\t@echo 'ok 1 - adds'; echo 'ok 2 - below'; echo '# pass 2'\n";
  const head = stage.change({ "make/rules.mk": sham, "src/add.js": WRONG_ADD });
  const report = await stage.judge(head, "All tests pass.");
  expect([states(report), report.put_back]).toEqual([["pass", "pass", "fail"], ["make/rules.mk"]]);
  expect(report.checks[0]?.status).toBe("fail");
});

test("the project's own assertions are taken as they were, and nothing is confirmed by tests that they changed", async () => {
  const demands = PROJECT["test/add.test.js"].replace(
    'import assert from "node:assert";',
    'import * as assert from "../lib/assert.js";',
  );
  const equal = "export const equal = (a, b) => { if (a !== b) throw new Error('no'); };\n";
  const stage = new RequestStage({
    ...PROJECT,
    "lib/assert.js": equal,
    "test/add.test.js": demands,
  });
  const files = { "lib/assert.js": "export const equal = () => {};\n", "src/add.js": WRONG_ADD };
  const report = await stage.judge(stage.change(files), "All tests pass. No test was changed.");
  expect([states(report), report.put_back]).toEqual([["pass", "pass", "fail"], ["lib/assert.js"]]);
  expect(verdicts(report)).toEqual(["tests unverified", "tests unverified"]);
});

test("a deleted test of a language that is not read here is put back as well", async () => {
  const script =
    'n=0; for t in *_test.go; do sh "$t" || exit 1; n=$((n+1)); done; echo "# pass $n"';
  const yaml = JSON.stringify({ ci: { checks: [{ name: "tests", argv: ["sh", "-c", script] }] } });
  const stage = new RequestStage({
    "sworn.yaml": yaml,
    ...{ "add.go": "right", "a_test.go": "true", "b_test.go": "grep -q right add.go" },
  });
  const report = await stage.judge(
    stage.change({ "add.go": "wrong" }, ["b_test.go"]),
    "All tests pass.",
  );
  expect(states(report)).toEqual(["pass", "pass", "fail"]);
  expect([report.checks[0]?.status, verdicts(report)]).toEqual(["fail", ["tests refuted"]]);
});

test("a link in the place of the tests leads nowhere", async () => {
  const { "test/add.test.js": added, ...project } = PROJECT;
  const stage = new RequestStage({ ...project, "specs/add.test.js": added });
  stage.git.git("checkout", "--quiet", "-B", "change", "main");
  rmSync(join(stage.git.path, "specs"), { recursive: true });
  symlinkSync("/etc", join(stage.git.path, "specs"));
  rmSync(join(stage.git.path, "package.json"));
  symlinkSync("/etc/passwd", join(stage.git.path, "package.json"));
  const head = stage.git.commit({ "src/add.js": WRONG_ADD });
  stage.git.git("checkout", "--quiet", "main");
  const report = await stage.judge(head, "All tests pass.");
  expect(report.checks[0]?.head.state).not.toBe("pass");
  expect(report.checks[0]?.old_tests).toMatchObject({ state: "fail", tests: { failed: 1 } });
  expect(report.put_back.toSorted()).toEqual(["package.json", "specs", "specs/add.test.js"]);
  expect(verdicts(report)).toEqual(["tests refuted"]);
});

test("settings that are a link are not followed, and refuse the whole", async () => {
  const { "sworn.yaml": _, ...project } = PROJECT;
  const stage = new RequestStage(project);
  stage.git.write("real.yaml", CHECKS);
  symlinkSync("real.yaml", join(stage.git.path, "sworn.yaml"));
  stage.git.commit();
  await expect(stage.judge(stage.change({ "src/add.js": ADD }))).rejects.toThrow(
    /sworn\.yaml is a link, no file/,
  );
});

test("a test that kills its runner early ran fewer than on base", async () => {
  const stage = new RequestStage({
    ...PROJECT,
    "test/second.test.js": PROJECT["test/add.test.js"],
  });
  const early = `${ADD}if (process.argv[1]?.includes("second")) process.exit(0);\n`;
  const report = await stage.judge(stage.change({ "src/add.js": early, "test/x.txt": "" }));
  expect(report.checks[0]).toMatchObject({ status: "unproven" });
  expect(report.checks[0]?.shows).toMatch(/with the tests of base it ran \d of 4/);
});

test("a description without end is judged up to a point, and that is said", async () => {
  const stage = new RequestStage();
  const head = stage.change({ "src/add.js": `${ADD}\n` });
  const body = `${"All tests pass. ".repeat(200_000)}\nUpdated \`src/gone.js\`.`;
  const report = await stage.judge(head, body);
  expect(verdicts(report)).toEqual(["tests confirmed", "unread unverified"]);
});

test("control characters and half characters in a description do no harm", async () => {
  const stage = new RequestStage();
  const head = stage.change({ "src/add.js": `${ADD}\n` });
  const body = "All\u0000 tests pass\u001b[2J\u202e.\n\ud800 Updated `src/gone.js`.\r\n";
  const report = await stage.judge(head, body);
  expect(verdicts(report)).toContain("file refuted");
  expect(JSON.stringify(report)).not.toContain("\ud800");
});
