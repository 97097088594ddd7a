import { expect, test } from "vitest";
import { ProofWorld } from "./proof-world.ts";

const CHECK = "process.exit(1);\n";
const pack = (scripts: Record<string, string>, more = {}) => JSON.stringify({ scripts, ...more });
const BEFORE = {
  "tools/check.mjs": CHECK,
  "tools/hook.mjs": "",
  "tools/deep/__main__.py": "raise SystemExit(1)\n",
  "tools/weigh.mjs": 'import { weigh } from "./lib/scales.mjs";\nweigh();\n',
  "tools/lib/scales.mjs": 'export { weigh } from "./more.mjs";\n',
  "tools/lib/more.mjs": "export const weigh = () => process.exit(1);\n",
  "check.mjs":
    'import { demand } from "./lib/helper.mjs";\nimport { add } from "./src/add.mjs";\ndemand(add(1, 2) === 3);\n',
  "lib/helper.mjs": "export const demand = (is) => { if (!is) process.exit(1); };\n",
  "src/add.mjs": 'import { one } from "./helpers.mjs";\nexport const add = (a) => a + one;\n',
  "src/helpers.mjs": "export const one = 1;\n",
  "check.py": "from lib import check_words\nimport words\ncheck_words.check(words)\n",
  "lib/check_words.py": "def check(words):\n    assert words.all == 'new'\n",
  "words.py": "all = 'old'\n",
  "ci/all.sh": '. "$(dirname "$0")/lib.sh"\nall\n',
  "ci/lib.sh": "all() { grep -q new a.txt; }\n",
  "run.sh": "exit 1\n",
  "a.txt": "old\n",
  "tsconfig.json": "{}",
  "test/a.test.mjs": 'import test from "node:test";\ntest("a", () => {});\n',
  Makefile: "check:\n\tfalse\n",
  "package.json": pack({
    check: "node tools/check.mjs",
    all: "cd tools && node check.mjs",
    test: "node --test",
  }),
};

/** Each command, and the change that would have it say anything. */
const TAKEN_OVER: readonly (readonly [argv: string[], change: Record<string, string | null>])[] = [
  [["node", "tools/check.mjs"], { "tools/check.mjs": "" }],
  [["node", "./tools/check.mjs", "a.txt"], { "tools/check.mjs": null }],
  [["env", "A=1", "timeout", "9", "node", "tools/check.mjs"], { "tools/check.mjs": "" }],
  [["node", "--import", "./tools/hook.mjs", "tools/check.mjs"], { "tools/hook.mjs": "//\n" }],
  [["node", "--import", "./tools/hook.mjs", "tools/check.mjs"], { "tools/check.mjs": "" }],
  [["node", "--import=./tools/hook.mjs", "-e", "1"], { "tools/hook.mjs": "//\n" }],
  [["sh", "run.sh"], { "run.sh": "" }],
  [["sh", "-ec", "cd tools && node 'check.mjs'"], { "tools/check.mjs": "" }],
  [["python3", "-m", "tools.deep"], { "tools/deep/__main__.py": "" }],
  [["python3", "-c", "import json"], { "json.py": "" }],
  [["npm", "run", "check"], { "tools/check.mjs": "" }],
  [["npm", "run", "all"], { "tools/check.mjs": "" }],
  [["npm", "run", "check"], { "package.json": pack({ check: "true" }) }],
  [["npm", "run", "check"], { "package.json": pack({}) }],
  [["npm", "run", "check"], { "package.json": "{" }],
  [["npm", "run", "check"], { ".npmrc": "script-shell=/bin/true\n" }],
  [["npm", "test"], { ".npmrc": "script-shell=/bin/true\n" }],
  [["sh", "-c", "npm run check"], { ".npmrc": "script-shell=/bin/true\n" }],
  [["node", "--run", "check"], { "package.json": pack({ check: "true" }) }],
  [["npx", "tsc"], { "tsconfig.json": '{"files":[]}' }],
  [["make", "check"], { GNUmakefile: "check:\n\ttrue\n" }],
  [["node", "test/a.test.mjs"], { "test/a.test.mjs": "" }],
  [["pytest"], { "conftest.py": "" }],
  [["node", "tools/check.mjs"], { "node_modules/a/index.js": "" }],
  // A script can be left alone, and what it demands with be emptied.
  [["node", "check.mjs"], { "lib/helper.mjs": "export const demand = () => {};\n" }],
  [["node", "tools/weigh"], { "tools/lib/more.mjs": "export const weigh = () => {};\n" }],
  [["python3", "check.py"], { "lib/check_words.py": "def check(words): pass\n" }],
  [["sh", "ci/all.sh"], { "ci/lib.sh": "all() { true; }\n" }],
];

test.each(TAKEN_OVER)("%j proves nothing when its work changed %j", async (argv, change) => {
  const world = await ProofWorld.of(BEFORE, change);
  const outcome = await world.prove({ kind: "command", argv, exit: 0 });
  const [path = ""] = Object.keys(change);
  expect(outcome.reason).toMatch(`${path}, which decides what this command does, was changed`);
  expect(outcome.verdict).toBe("fail");
});

/** What a command is given to look at, and what the plan asked for, is the work's to change. */
const OWN: readonly (readonly [argv: string[], change: Record<string, string>])[] = [
  [["grep", "-q", "new", "a.txt"], { "a.txt": "new\n" }],
  [["sh", "-c", "cat a.txt | grep new"], { "a.txt": "new\n" }],
  [["node", "tools/new.mjs"], { "tools/new.mjs": "" }],
  [["node", "--test", "test/a.test.mjs"], { "test/a.test.mjs": BEFORE["test/a.test.mjs"] + "\n" }],
  [["node", "-e", "await import('./tools/check.mjs')"], { "tools/check.mjs": "" }],
  // What a check looks at is what it loads, whatever that is called and loads itself.
  [["node", "check.mjs"], { "src/add.mjs": "export const add = (a, b) => a + b;\n" }],
  [["node", "check.mjs"], { "src/helpers.mjs": "export const one = 2;\n" }],
  [["python3", "-B", "check.py"], { "words.py": "all = 'new'\n" }],
  [["sh", "ci/all.sh"], { "a.txt": "new\n" }],
  [["npm", "run", "new"], { "package.json": pack({ new: "true" }) }],
  [["npm", "test"], { "package.json": pack({ test: "node --test" }, { version: "2.0.0" }) }],
];

test.each(OWN)("%j is proven with %j", async (argv, change) => {
  const world = await ProofWorld.of(BEFORE, change);
  expect(await world.prove({ kind: "command", argv })).toMatchObject({ verdict: "pass" });
});

test("a file that the plan gives to the subtask is its own to change", async () => {
  const world = await ProofWorld.of(BEFORE, { "tools/check.mjs": "" });
  const proof = { kind: "command", argv: ["node", "tools/check.mjs"] };
  const mayChange = (path: string) => path === "tools/check.mjs";
  expect((await world.prove(proof, { mayChange })).verdict).toBe("pass");
});
