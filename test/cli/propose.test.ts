import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GitFolder } from "../repo/git-folder.ts";
import { Shell } from "./shell.ts";

const CODE = `const tries = new Map();

export function login(name) {
  const count = (tries.get(name) ?? 0) + 1;
  tries.set(name, count);
  return count <= 5;
}
`;
const TEST = `import assert from "node:assert/strict";
import test from "node:test";
import { login } from "../src/login.js";
test("the sixth try is refused", () => {
  for (let at = 0; at < 5; at += 1) assert.equal(login("nia"), true);
  assert.equal(login("nia"), false);
});
`;
const COVERAGE = [
  ...["node", "--test", "--experimental-test-coverage", "--test-reporter=tap"],
  ...["--test-reporter-destination=stdout", "--test-reporter=lcov"],
  "--test-reporter-destination=lcov.info",
];
const SAID = ["--why", "w", "--risk", "r", "--rollback", "b"];

/** A project with a commit of one's own that nobody has spoken of. */
function ownCommit(files: Record<string, string> = {}, before: Record<string, string> = {}) {
  const git = new GitFolder();
  git.commit({ "package.json": '{"type":"module"}\n', ".gitignore": ".sworn\n", ...before });
  git.commit({ "src/login.js": CODE, "test/login.test.js": TEST, ...files });
  const shell = new Shell();
  const io = { cwd: git.path, env: { ...git.env, SWORN_STATE_DIR: join(git.home, "state") } };
  const run = (...argv: string[]) => shell.runWith(io, ...argv);
  const propose = (...more: string[]) =>
    run("propose", "HEAD", "--base", "HEAD~1", "--task", "login", ...SAID, ...more);
  const settle = (config: object) =>
    writeFileSync(join(git.path, "sworn.yaml"), JSON.stringify(config));
  return { git, run, propose, settle };
}

type Done = { phase: string; done: { item: string; state: string; reason: string }[] };
const reasonOf = (done: Done["done"], item: string) =>
  done.find((one) => one.item === item)?.reason ?? "";

test("proposing begins the task, and everything that done asks for can become known", async () => {
  const { propose, settle, run } = ownCommit();
  const draft = (await propose("--json")).json<Done>();
  expect(draft.phase).toBe("DRAFT");
  const undone = draft.done.filter(({ state }) => state === "not-done").map(({ item }) => item);
  expect(undone).toEqual(["spec", "tests", "docs"]);
  expect(reasonOf(draft.done, "spec")).toContain("--requirement");
  expect(reasonOf(draft.done, "tests")).toContain("work.coverage");
  expect(reasonOf(draft.done, "docs")).toContain("--docs");
  const ended = await run("settle", "latest", "--task", "login");
  expect(ended).toMatchObject({ exit: 3, out: expect.stringContaining("a merge needs no word") });
  settle({ work: { coverage: { argv: COVERAGE } } });
  const decide = ["decide", "Five", "--context", "How often", "--task", "login"];
  expect((await run(...decide, "--file", "src/login.js")).exit).toBe(0);
  const open = (await propose("--docs", "Nobody reads of it yet", "--json")).json<Done>();
  expect(open.done.filter(({ state }) => state !== "done")).toEqual([]);
  expect(open.phase).toBe("REVIEW");
});

test("lines that no test reaches, and the project's own figure, keep it a draft", async () => {
  const unused = `${CODE}export function other(name) {\n  if (name === "a") return 1;\n  if (name === "b") return 2;\n  return 3;\n}\n`;
  const { propose, settle } = ownCommit({ "src/login.js": unused });
  settle({ work: { coverage: { argv: COVERAGE, min: 95 } } });
  const { done } = (await propose("--json")).json<Done>();
  expect(reasonOf(done, "tests")).toMatch(/^tests reach \d+ % of the change, expected 95 %$/);
  settle({ work: { coverage: { argv: ["node", "--test", "--test-reporter=tap"] } } });
  const without = (await propose("--json")).json<Done>();
  expect(reasonOf(without.done, "tests")).toMatch(/^unknown: .* no lcov report was found/);
});

test("a figure of what its author let be measured is not enough", async () => {
  const hidden = `${CODE}/* node:coverage disable */\nexport function other(name) {\n  if (name === "a") return 1;\n  return 3;\n}\n`;
  const { propose, settle } = ownCommit({ "src/login.js": hidden });
  settle({ work: { coverage: { argv: COVERAGE } } });
  const { done } = (await propose("--json")).json<Done>();
  expect(reasonOf(done, "tests")).toBe("code is taken out of what is measured: src/login.js:8");
});

test("a file that is too long to be searched for such words is no file without them", async () => {
  const long = `${CODE}/* node:coverage disable */\n// ${"x".repeat(17 << 20)}\n`;
  const { propose, settle } = ownCommit({ "src/login.js": long });
  settle({ work: { coverage: { argv: COVERAGE } } });
  const { done } = (await propose("--json")).json<Done>();
  expect(reasonOf(done, "tests")).toMatch(
    /^code is taken out .*src\/login\.js, which could not be/,
  );
});

test("a change of comments alone is not said to lack a setting that is there", async () => {
  const { git, propose, settle } = ownCommit();
  git.commit({ "src/login.js": `// Five tries.\n${CODE}` });
  const count = "# tests 1\\n# suites 0\\n# pass 1\\n# fail 0\\n";
  const print = `printf 'SF:src/login.js\\nDA:4,1\\nend_of_record\\n${count}'`;
  settle({ work: { coverage: { argv: ["sh", "-c", print] } } });
  const { done } = (await propose("--json")).json<Done>();
  const none = /^unknown: the report of work\.coverage has no changed line/;
  expect(reasonOf(done, "tests")).toMatch(none);
});

test("tests that come to something else the second time are not reproducible", async () => {
  const { propose, settle } = ownCommit();
  // Each run prints another number: the time.
  const flaky = "console.log('# tests 1\\n# pass ' + (Date.now() % 99991) + '\\n# fail 0')";
  settle({ work: { tests: ["node", "-e", flaky] } });
  const { done } = (await propose("--json")).json<Done>();
  expect(reasonOf(done, "reproducibility")).toMatch(/came to \d+ passed.*, then to \d+ passed/);
});

test("failing tests, and those that print no count, are what the runtime says they are", async () => {
  const { propose, settle } = ownCommit({
    "test/login.test.js": TEST.replace('login("nia"), false', 'login("nia"), true'),
  });
  settle({ work: { tests: ["node", "--test"] } });
  const failing = (await propose("--json")).json<Done>();
  expect(reasonOf(failing.done, "tests")).toBe("1 of 1 tests fail");
  settle({ work: { tests: ["true"] } });
  const silent = (await propose("--json")).json<Done>();
  expect(reasonOf(silent.done, "tests")).toContain("true printed no count of tests");
});

test("requirements count when something defines them, and licences when a deny-list knows them", async () => {
  const lock = (licence: string) =>
    JSON.stringify({
      ...{ name: "p", version: "1.0.0", lockfileVersion: 3 },
      packages: {
        "": { name: "p", version: "1.0.0" },
        "node_modules/x": { version: "1.0.0", license: licence },
      },
    });
  const spec = (id: string) => `# Spec\n\n## ${id}\n\nFive tries.\n`;
  const { propose, settle } = ownCommit(
    { "package-lock.json": lock("AGPL-3.0-only"), "docs/own.md": spec("LOGIN-AUTH-002") },
    { "docs/spec.md": spec("LOGIN-AUTH-001") },
  );
  settle({ work: { tests: ["true"] } });
  expect((await propose("--requirement", "login")).exit).toBe(2);
  const named = (await propose("--json")).json<Done>();
  // Whoever writes the requirement with the change was not asked for it.
  expect(reasonOf(named.done, "spec")).toBe(
    "not met: LOGIN-AUTH-002, which nothing defined before",
  );
  expect(reasonOf(named.done, "licences")).toContain("runs.licences");
  settle({ work: { tests: ["true"] }, runs: { licences: { deny: ["AGPL-*"] } } });
  const judged = (await propose("--requirement", "LOGIN-AUTH-001", "--json")).json<Done>();
  expect(reasonOf(judged.done, "spec")).not.toContain("LOGIN-AUTH-001");
  expect(reasonOf(judged.done, "docs")).toBe("looked at, none out of date");
  expect(reasonOf(judged.done, "licences")).toBe("refused: AGPL-3.0-only:x@1.0.0");
});

test("what may wait is decided by another person, and the refusal names the command", async () => {
  const { propose, run, settle } = ownCommit();
  settle({ work: { tests: ["true"] } });
  const missing = await propose("--defer", "docs=d1");
  expect(missing).toMatchObject({ exit: 3, out: expect.stringContaining("sworn decide") });
  await run("decide", "Later", "--context", "c", "--id", "d1", "--task", "login");
  const own = await propose("--defer", "docs=d1");
  expect(own).toMatchObject({ exit: 3, out: expect.stringContaining("[INDEPENDENCE_GUARD]") });
  expect(own.out).toContain("somebody who did not make it: sworn decide");
});

const testsIn = async (propose: () => Promise<{ json: <T>() => T }>) =>
  reasonOf((await propose()).json<Done>().done, "tests");

test("a command that the change had a say in measures nothing, also where it was declared", async () => {
  const script = (coverage: string) => JSON.stringify({ type: "module", scripts: { coverage } });
  const { propose, settle } = ownCommit(
    { "package.json": script("printf '# tests 500\\n# pass 500\\n# fail 0\\n'") },
    { "package.json": script(COVERAGE.join(" ")) },
  );
  settle({ work: { coverage: { argv: ["npm", "run", "--silent", "coverage"] } } });
  const why = await testsIn(() => propose("--json"));
  expect(why).toMatch(/^unknown: what npm run --silent coverage does was changed .*package\.json/);
});

test("where tests could reach nothing there is no figure, and code that nobody measures is not reached", async () => {
  const page = ownCommit({ "docs/page.md": "# Page\n" });
  page.git.commit({ "docs/other.md": "# Other\n" });
  page.settle({ work: { tests: ["node", "--test"] } });
  expect(await testsIn(() => page.propose("--json"))).toBe(
    "1 passed, none failed; the change has no line of code that they could reach",
  );
  const shell = ownCommit();
  shell.git.commit({ "bin/dead.sh": "rm -r build\n" });
  shell.settle({ work: { coverage: { argv: COVERAGE } } });
  expect(await testsIn(() => shell.propose("--json"))).toMatch(/^tests reach 0 % of the change/);
});

test("a script without an ending is code, and reached where the report knows it", async () => {
  const tool = ownCommit();
  tool.git.commit({ "bin/dead": "#!/bin/sh\nrm -r build\n" });
  tool.settle({ work: { coverage: { argv: COVERAGE } } });
  expect(await testsIn(() => tool.propose("--json"))).toMatch(/^tests reach 0 % of the change/);
  const print = "SF:bin/dead\\nDA:2,1\\nend_of_record\\n# tests 1\\n# pass 1\\n# fail 0\\n";
  tool.settle({ work: { coverage: { argv: ["sh", "-c", `printf '${print}'`] } } });
  expect(await testsIn(() => tool.propose("--json"))).toMatch(/they reach 100 % of the change/);
});

test("tests that the change ends before they begin are unknown, whatever was reached and counted", async () => {
  const before = { "src/login.js": CODE, "test/login.test.js": TEST };
  const { propose, settle } = ownCommit({ "src/login.js": `${CODE}process.exit(0);\n` }, before);
  settle({ work: { coverage: { argv: COVERAGE } } });
  expect(await testsIn(() => propose("--json"))).toBe(
    'unknown: test "the sixth try is refused" of test/login.test.js passed before the change, and did not run after it',
  );
});

test("a report of coverage behind a link is none, wherever the link leads", async () => {
  const { git, propose, settle } = ownCommit();
  const lines = [1, 3, 4, 5, 6].map((line) => `DA:${line},1\n`).join("");
  mkdirSync(join(git.home, "outside"));
  writeFileSync(join(git.home, "outside/lcov.info"), `SF:src/login.js\n${lines}end_of_record\n`);
  const count = "printf '# tests 1\\n# suites 0\\n# pass 1\\n# fail 0\\n'";
  const link = `ln -s '${join(git.home, "outside")}' coverage; ${count}`;
  settle({ work: { tests: ["sh", "-c", link] } });
  const linked = (await propose("--json")).json<Done>();
  expect(reasonOf(linked.done, "tests")).toContain("coverage of the change was not measured");
  const left = `mkdir coverage; printf 'SF:src/login.js\\n${lines.replaceAll("\n", "\\n")}end_of_record\\n' >coverage/lcov.info; ${count}`;
  settle({ work: { tests: ["sh", "-c", left] } });
  const real = (await propose("--json")).json<Done>();
  expect(reasonOf(real.done, "tests")).toMatch(/^1 passed, none failed; they reach 100 %/);
});

test("a report of coverage that was committed, or that a test writes beside the runner's, is none", async () => {
  const unused = `${CODE}export function other(name) {\n  if (name === "a") return 1;\n  return 3;\n}\n`;
  const all = Array.from({ length: 20 }, (_, at) => `DA:${at + 1},1`).join("\n");
  const forged = `SF:src/login.js\n${all}\nend_of_record\n`;
  const committed = ownCommit({ "src/login.js": unused, "lcov.info": forged });
  committed.settle({ work: { coverage: { argv: ["node", "--test", "--test-reporter=tap"] } } });
  const first = (await committed.propose("--json")).json<Done>();
  expect(reasonOf(first.done, "tests")).toMatch(/^unknown: .* no lcov report was found/);
  const writes = `import { mkdirSync, writeFileSync } from "node:fs";
mkdirSync("coverage", { recursive: true });
writeFileSync("coverage/lcov.info", ${JSON.stringify(forged)});
`;
  const besides = ownCommit({ "src/login.js": unused, "test/login.test.js": `${writes}${TEST}` });
  besides.settle({ work: { coverage: { argv: COVERAGE } } });
  const second = (await besides.propose("--json")).json<Done>();
  expect(reasonOf(second.done, "tests")).toMatch(/^unknown: .* in one of them alone$/);
});

test("a secret that a change adds keeps it a draft, and one whose file it deletes does not", async () => {
  const secret = `TOKEN=ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0hL3nR6"}\n`;
  const { git, run } = ownCommit({}, { "settings.ini": secret });
  const secretsOf = async () => {
    const asked = ["propose", "HEAD", "--base", "HEAD~1", "--task", "login", ...SAID, "--json"];
    return reasonOf((await run(...asked)).json<Done>().done, "secrets");
  };
  rmSync(join(git.path, "settings.ini"));
  git.commit({});
  expect(await secretsOf()).toBe("looked for, none found");
  git.commit({ "other.ini": secret });
  expect(await secretsOf()).toMatch(/^found: /);
});
