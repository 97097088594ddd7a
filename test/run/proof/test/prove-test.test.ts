import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../fake/sandbox.ts";
import { ProofWorld } from "../proof-world.ts";

const saying = (words: string) => expect.stringContaining(words) as string;
const OLD = "export const add = (a, b) => a - b;\n";
const NEW = "export const add = (a, b) => a + b;\n";
const testing = (body: string) =>
  `import { test } from "node:test";\nimport assert from "node:assert";\nimport { add } from "../add.mjs";\ntest("adds two numbers", () => { ${body} });\n`;

describe("with the project's own runner", () => {
  test("a new test that fails on the old code and passes on the new one is a pass", async () => {
    const world = await ProofWorld.of(
      { "add.mjs": OLD },
      { "add.mjs": NEW, "test/add.test.mjs": testing("assert.equal(add(1, 2), 3);") },
    );
    const file = "test/add.test.mjs";
    const [outcome, absent] = await Promise.all([
      world.prove({ kind: "test", name: "adds two numbers" }),
      world.prove({ kind: "test", name: "multiplies", file }),
    ]);
    expect(outcome).toMatchObject({ verdict: "pass", reason: saying("(1 executed)") });
    expect(absent).toMatchObject({ verdict: "fail", reason: saying("no test of that name") });
  });

  test("a test that looks at nothing of the work is a failure", async () => {
    const world = await ProofWorld.of(
      { "add.mjs": OLD },
      { "add.mjs": NEW, "test/add.test.mjs": testing("assert.ok(add);") },
    );
    const outcome = await world.prove({ kind: "test", name: "adds two numbers" });
    expect(outcome).toMatchObject({
      verdict: "fail",
      reason: saying("without the work too"),
      output: saying("[kept as tests: test/add.test.mjs]"),
    });
  });

  test("a test whose own assertions the work changed shows nothing, and one whose program it changed does", async () => {
    const demands = testing("equal(add(1, 2), 3);").replace(
      'import assert from "node:assert";',
      'import { equal } from "../lib/assert.mjs";',
    );
    const equal =
      "export const equal = (one, other) => { if (one !== other) throw new Error('no'); };\n";
    const before = { "add.mjs": OLD, "lib/assert.mjs": equal, "test/add.test.mjs": demands };
    const proof = { kind: "test", name: "adds two numbers" };
    const hollow = await ProofWorld.of(before, {
      "lib/assert.mjs": "export const equal = () => {};\n",
    });
    expect(await hollow.prove(proof)).toMatchObject({
      verdict: "unproven",
      reason: saying("lib/assert.mjs, which the test demands with, was changed by the same work"),
    });
    const honest = await ProofWorld.of(before, { "add.mjs": NEW });
    expect(await honest.prove(proof)).toMatchObject({ verdict: "pass" });
    // What the plan gives is its subtask's to change.
    const given = { "add.mjs": NEW, "lib/assert.mjs": `${equal}\n` };
    const mayChange = (path: string) => path === "lib/assert.mjs";
    const asked = await (await ProofWorld.of(before, given)).prove(proof, { mayChange });
    expect(asked).toMatchObject({ verdict: "pass" });
  });

  test("a test that stays red is a failure, with what it printed", async () => {
    const world = await ProofWorld.of(
      { "add.mjs": OLD, "test/add.test.mjs": testing("assert.equal(add(1, 2), 3);") },
      { "add.mjs": "export const add = () => 7;\n" },
    );
    const command = ["node", "--test", "--test-reporter=tap", "test/add.test.mjs"];
    const proof = { kind: "test", name: "adds two numbers", file: "test/add.test.mjs" };
    const outcome = await world.prove({ ...proof, command: ["sh", "-c", command.join(" ")] });
    expect(outcome).toMatchObject({ verdict: "fail", output: saying("not ok 1") });
  });

  test.each([
    ["", "fail"],
    ["assert.ok(true);", "fail"],
    ["add(1, 2);", "fail"],
    ["assert.equal(add(1, 2), 3);", "pass"],
    ["if (add(1, 2) !== 3) throw new Error();", "pass"],
  ])("a new test of a new module demands something: { %s } is a %s", async (body, verdict) => {
    const world = await ProofWorld.of(
      { "readme.md": "x\n" },
      { "add.mjs": NEW, "test/add.test.mjs": testing(body) },
    );
    const outcome = await world.prove({ kind: "test", name: "adds two numbers" });
    expect(outcome.verdict).toBe(verdict);
    if (verdict === "fail") expect(outcome.reason).toContain("it demands nothing");
  });

  test("a helper that a test imports may demand something for it", async () => {
    const helped = testing("isSum(add(1, 2));").replace(
      "import assert",
      'import { isSum } from "./helper.mjs";\nimport assert',
    );
    const helper =
      'import assert from "node:assert";\nexport const isSum = (n) => assert.equal(n, 3);\n';
    const world = await ProofWorld.of(
      { "readme.md": "x\n" },
      { "add.mjs": NEW, "test/add.test.mjs": helped, "test/helper.mjs": helper },
    );
    const outcome = await world.prove({ kind: "test", name: "adds two numbers" });
    expect(outcome.verdict).toBe("pass");
  });

  test("python's own runner is found too", async () => {
    const source = (sign: string) => `def add(a, b):\n    return a ${sign} b\n`;
    const cases =
      "import unittest\nfrom add import add\n\nclass TestAdd(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n";
    const world = await ProofWorld.of(
      { "add.py": source("-") },
      { "add.py": source("+"), "test_add.py": cases },
    );
    expect(await world.prove({ kind: "test", name: "test_adds()" })).toMatchObject({
      verdict: "pass",
    });
  });
});

describe("whoever says how tests are run says that they pass:", () => {
  const proof = { kind: "test", name: "adds", file: "test/add.test.mjs" };
  const outcomeOf = async (files: Record<string, string>, command?: string[]) => {
    const world = await ProofWorld.of(
      { "add.mjs": OLD, "package.json": '{"scripts":{"test":"node --test"}}' },
      { "add.mjs": NEW, "test/add.test.mjs": testing("assert.equal(add(1, 2), 3);"), ...files },
    );
    return world.prove(command ? { ...proof, command } : proof);
  };

  test("a changed script, setting, module or program leaves the test unproven", async () => {
    const script = '{"scripts":{"test":"echo ok 1 - adds"}}';
    const outcomes = await Promise.all([
      outcomeOf({ "package.json": script }, ["npm", "test"]),
      outcomeOf({ "vitest.config.ts": "export default {};\n" }, ["npx", "vitest", "run"]),
      outcomeOf({ "run.sh": "echo ok 1 - adds\n" }, ["sh", "./run.sh"]),
      outcomeOf({ "node_modules/vitest/vitest.mjs": "\n" }),
    ]);
    for (const [at, path] of ["package.json", "vitest.config.ts", "run.sh", "node_mod"].entries()) {
      expect(outcomes[at]).toMatchObject({ verdict: "unproven", reason: saying(path) });
    }
  });
});

test("what is loaded around an old test, or in the place of Python's own, leaves it unproven", async () => {
  const old = {
    "add.py": "def add(a, b):\n    return 0\n",
    "test_add.py":
      "import unittest\nfrom add import add\n\nclass T(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n",
  };
  const forged = async (files: Record<string, string>, command?: string[]) => {
    const world = await ProofWorld.of(old, files);
    const { verdict, reason } = await world.prove({
      ...{ kind: "test", name: "test_adds", file: "test_add.py" },
      ...(command === undefined ? {} : { command }),
    });
    return `${verdict} ${reason.split(",")[0]}`;
  };
  const argv = ["python3", "-m", "pytest", "test_add.py"];
  expect(await forged({ "conftest.py": "import os\n", "marker.txt": "" }, argv)).toBe(
    "unproven conftest.py",
  );
  expect(await forged({ "traceback.py": "raise SystemExit(0)\n" })).toBe("unproven traceback.py");
  expect(await forged({ "signal/__init__.py": "" })).toBe("unproven signal/__init__.py");
  const npx = ["npx", "vitest", "run"];
  expect(await forged({ ".npmrc": "script-shell=./fake\n" }, npx)).toBe("unproven .npmrc");
  const honest = { "add.py": "def add(a, b):\n    return a + b\n", "shapes.py": "" };
  expect(await forged(honest)).toMatch(/^pass/);
});

test("what no runner of this test goes by may change along with it", async () => {
  const world = await ProofWorld.of(
    { "add.mjs": OLD },
    {
      "add.mjs": NEW,
      "package.json": '{"scripts":{"test":"node --test"}}',
      "pyproject.toml": "[project]\n",
      "test/add.test.mjs": testing("assert.equal(add(1, 2), 3);"),
    },
  );
  const outcome = await world.prove({ kind: "test", name: "adds two numbers" });
  expect(outcome.verdict).toBe("pass");
});

test("a link of the old commit does not lead the new tests out of the copy", async () => {
  const world = await ProofWorld.of({ "add.mjs": OLD }, {});
  const { project } = world;
  const elsewhere = temporaryFolder();
  project.git("update-index", "--add", "--cacheinfo", `120000,${blobOf(project, elsewhere)},test`);
  project.git("commit", "--quiet", "--message", "link");
  const before = project.git("rev-parse", "HEAD");
  project.git("rm", "--quiet", "--cached", "test");
  const body = testing("assert.equal(add(1, 2), 3);");
  const after = project.commit({ "add.mjs": NEW, "test/add.test.mjs": body });
  const outcome = await world.prove({ kind: "test", name: "adds two numbers" }, { before, after });
  expect(outcome).toMatchObject({ verdict: "unproven", reason: saying("through a link") });
  expect(readdirSync(elsewhere)).toEqual([]);
});

function blobOf(project: ProofWorld["project"], text: string): string {
  project.write("target", text);
  const id = project.git("hash-object", "-w", "target");
  project.git("clean", "--quiet", "-f", "target");
  return id;
}
