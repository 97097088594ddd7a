import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findSides } from "../../../src/flow/ci/find-sides.ts";
import { Repository } from "../../../src/repo/index.ts";
import {
  ADD,
  ADDS,
  BELOW,
  BOTH,
  CHECKS,
  PACKAGE,
  PROJECT,
  RequestStage,
  states,
  tests,
  verdicts,
  WRONG_ADD,
} from "./request-stage.ts";

test("a truthful pull request holds, with the tests of base as well", async () => {
  const stage = new RequestStage();
  const head = stage.change({
    "src/sub.js": "export const sub = (a, b) => a - b;\n",
    "test/more.test.js": tests({ more: "assert.equal(add(2, 2), 4)" }),
  });
  const body = [
    "Added `src/sub.js` and a test, see `test/more.test.js:4`.",
    "All 3 tests pass. I ran `npm test`.",
  ].join("\n");
  const report = await stage.judge(head, body);
  expect(states(report)).toEqual(["pass", "pass", "pass"]);
  expect(report.checks[0]).toMatchObject({
    status: "pass",
    shows: "passes on base and on head; with the tests of base as well",
    base: { tests: { passed: 2 } },
    head: { tests: { passed: 3 } },
    old_tests: { tests: { passed: 2 } },
  });
  expect(report.put_back).toEqual(["test/more.test.js"]);
  expect(report.weakened).toEqual([]);
  expect(verdicts(report)).toEqual([
    "file confirmed",
    "tests confirmed",
    "command confirmed",
    "citation confirmed",
  ]);
  expect(report.status).toBe("pass");
});

test("a change that makes failing tests pass is what makes them pass", async () => {
  const stage = new RequestStage({ ...PROJECT, "src/add.js": WRONG_ADD });
  const report = await stage.judge(stage.change({ "src/add.js": ADD }));
  expect(states(report)).toEqual(["fail", "pass", "same"]);
  expect(report.checks[0]).toMatchObject({
    status: "pass",
    shows:
      "passes on head; fails on base: the change is what makes it pass; no file of tests was changed",
  });
});

test("code that ends the tests before all of them ran shows nothing, whether base was right or wrong", async () => {
  const files = { "src/add.js": "export const add = Math.hypot;\nprocess.exit(0);\n" };
  for (const source of [ADD, WRONG_ADD]) {
    const stage = new RequestStage({ ...PROJECT, "src/add.js": source });
    const body = "All tests pass.\n\nAll 2 tests pass.\n";
    const report = await stage.judge(stage.change(files), body);
    expect(states(report)).toEqual([source === ADD ? "pass" : "fail", "pass", "same"]);
    expect(report.checks[0]).toMatchObject({
      status: "unproven",
      shows: expect.stringContaining(
        "no file of tests was changed, and it ran 1 of the 2 that base ran",
      ),
    });
    expect(verdicts(report)).toEqual(["tests unverified", "tests refuted"]);
  }
});

test("a deleted test is listed, and who says that all tests pass is refuted", async () => {
  const stage = new RequestStage();
  const files = { "src/add.js": WRONG_ADD, "test/add.test.js": tests({ adds: ADDS }) };
  const report = await stage.judge(stage.change(files), "All tests pass.\n");
  expect(states(report)).toEqual(["pass", "pass", "fail"]);
  expect(report.checks[0]).toMatchObject({
    status: "fail",
    shows: "passes on base and on head; passes only with its own changed tests",
  });
  expect(report.weakened).toMatchObject([{ severity: "weakened", path: "test/add.test.js" }]);
  expect(verdicts(report)).toEqual(["tests refuted"]);
  expect(report.status).toBe("fail");
});

test("a whole file of tests that is deleted is put back too", async () => {
  const stage = new RequestStage({ ...PROJECT, "test/below.test.js": tests({ below: BELOW }) });
  const head = stage.change({ "src/add.js": WRONG_ADD }, [
    "test/below.test.js",
    "test/add.test.js",
  ]);
  const report = await stage.judge(head);
  expect(states(report)).toEqual(["pass", "no-tests", "fail"]);
  expect(report.checks[0]?.shows).toBe("ran no test on head; base ran 3");
});

test("a test that is rewritten with the program is unproven, and no lie", async () => {
  const strict = BOTH.replaceAll("equal", "strictEqual");
  const stage = new RequestStage({ ...PROJECT, "test/add.test.js": strict });
  const head = stage.change({
    "src/add.js": "export const add = (a, b) => String(a + b);\n",
    "test/add.test.js": strict.replace(", 3)", ', "3")').replace(", -3)", ', "-3")'),
  });
  const report = await stage.judge(head, "All tests pass.");
  expect(states(report)).toEqual(["pass", "pass", "fail"]);
  expect(report.checks[0]?.status).toBe("unproven");
  expect(report.weakened.every(({ is_rewrite }) => is_rewrite)).toBe(true);
  expect(verdicts(report)).toEqual(["tests unverified"]);
  expect(report.status).toBe("pass");
});

test("a change that breaks what passed says so", async () => {
  const stage = new RequestStage();
  const report = await stage.judge(stage.change({ "src/add.js": WRONG_ADD }), "2 tests pass.");
  expect(report.checks[0]).toMatchObject({
    status: "fail",
    shows: "fails on head; passes on base: the change breaks it",
  });
  expect(verdicts(report)).toEqual(["tests refuted"]);
});

test("what is run comes from the branch that the change goes into, not from where it began", async () => {
  const lax = "ci: { checks: [{ name: nothing, argv: ['true'], tests: false }] }\n";
  const stage = new RequestStage({ ...PROJECT, "sworn.yaml": lax });
  const old = stage.git.git("rev-parse", "HEAD");
  stage.git.commit({ "sworn.yaml": CHECKS });
  stage.git.git("checkout", "--quiet", "-B", "change", old);
  const head = stage.git.commit({ "src/add.js": WRONG_ADD });
  stage.git.git("checkout", "--quiet", "main");
  const report = await stage.judge(head);
  expect(report.base).toBe(old);
  expect(report.checks.map(({ name, status }) => [name, status])).toEqual([["tests", "fail"]]);
  expect(report.judge.is_changed_by_head).toBe(false);
});

test("without a declaration nothing is run, and what could be declared is said", async () => {
  const { "sworn.yaml": _, ...project } = PROJECT;
  const stage = new RequestStage(project);
  const report = await stage.judge(stage.change({ "sworn.yaml": CHECKS }), "All tests pass.");
  expect(report.status).toBe("undeclared");
  expect(report.checks).toEqual([]);
  expect(report.suggestion).toEqual(["npm", "test"]);
  expect(verdicts(report)).toEqual(["tests unverified"]);
});

test("the command of work.tests is taken where no check is declared", async () => {
  const stage = new RequestStage({ ...PROJECT, "sworn.yaml": "work: { tests: [npm, test] }\n" });
  const report = await stage.judge(stage.change({ "src/add.js": `${ADD}\n` }));
  expect(report.judge.declared).toBe("work.tests");
  expect(states(report)).toEqual(["pass", "pass", "same"]);
});

test("a check that cannot be run, or takes too long, does not pass", async () => {
  const config = [
    "ci:",
    "  seconds: 1",
    "  checks:",
    "    - { name: missing, argv: [no-such-program] }",
    "    - { name: slow, argv: [sleep, '60'], tests: false }",
    "    - { name: lint, argv: ['true'], tests: false }",
    "",
  ].join("\n");
  const stage = new RequestStage({ ...PROJECT, "sworn.yaml": config });
  const report = await stage.judge(stage.change({ "src/add.js": `${ADD}\n` }), "All tests pass.");
  expect(report.checks.map(({ name, status, head }) => [name, status, head.state])).toEqual([
    ["missing", "fail", "undecided"],
    ["slow", "fail", "undecided"],
    ["lint", "pass", "pass"],
  ]);
  expect(report.checks[0]?.shows).toContain("there is no no-such-program in the sandbox");
  expect(report.checks[1]?.shows).toContain("ran out of time");
  const told = (one: string) => one.includes("nothing of a home folder or a virtual environment");
  expect(report.notes.filter(told)).toHaveLength(1);
  // Nobody knows: that is no lie.
  expect(verdicts(report)).toEqual(["tests unverified"]);
});

test("more tests than ran cannot have passed", async () => {
  const stage = new RequestStage();
  const head = stage.change({ "src/add.js": `${ADD}\n` });
  const report = await stage.judge(head, "57 tests pass.\n\n1 test passes.\n");
  expect(verdicts(report)).toEqual(["tests refuted", "tests unverified"]);
  expect(report.claims[0]?.why).toContain("2 passed here, not 57");
});

test("that no test was changed is confirmed or refuted by the change", async () => {
  const said = "No tests were changed.\n";
  const stage = new RequestStage();
  const honest = await stage.judge(stage.change({ "src/add.js": `${ADD}// sums\n` }), said);
  expect(honest.claims).toEqual([
    {
      ...{ kind: "tests", text: "No tests were changed.", verdict: "confirmed" },
      why: "no file of tests is in the change",
    },
  ]);
  const other = new RequestStage();
  const files = { "src/add.js": `${ADD}// sums\n`, "test/add.test.js": tests({ adds: ADDS }) };
  const lie = await other.judge(other.change(files), said);
  expect(lie.claims).toMatchObject([{ verdict: "refuted", why: "test/add.test.js was modified" }]);
  expect(lie.status).toBe("fail");
  const more = new RequestStage();
  const added = { "test/more.test.js": tests({ more: "assert.equal(add(2, 2), 4)" }) };
  const grown = await more.judge(more.change(added), `${said}No tests were touched.\n`);
  expect(grown.claims.map(({ verdict, why }) => [verdict, why])).toEqual([
    ["confirmed", "tests were only added"],
    ["refuted", "test/more.test.js was added"],
  ]);
});

test("who only adds to a file of tests removed none, and changed none that anybody can see", async () => {
  const stage = new RequestStage();
  const grown = `${BOTH}test("more", () => assert.equal(add(2, 2), 4));\n`;
  const body = [
    ...["No tests were removed.", "No existing tests were changed.", "I did not touch any tests."],
    ...["Added 1 test.", "Added 3 tests."],
  ];
  const report = await stage.judge(stage.change({ "test/add.test.js": grown }), body.join("\n\n"));
  expect(report.claims.map(({ text, verdict, why }) => [text, verdict, why])).toEqual([
    [body[0], "confirmed", "every test of base is still there"],
    [body[1], "unverified", "test/add.test.js has new lines; none of its old ones is changed"],
    [body[2], "refuted", "test/add.test.js was modified"],
    [
      ...[body[3], "unverified"],
      "1 more ran on head than on base; all that is said of added tests comes to 3",
    ],
    [body[4], "unverified", "1 more ran on head than on base"],
  ]);
});

test("tests that two checks run are not added twice, in figures or in words", async () => {
  const checks = ["npm, test", "node, --test"].map(
    (argv, at) => `{ name: c${at}, argv: [${argv}] }`,
  );
  const stage = new RequestStage({ ...PROJECT, "sworn.yaml": `ci: { checks: [${checks}] }\n` });
  const grown = { "test/add.test.js": `${BOTH}test("more", () => assert.equal(add(2, 2), 4));\n` };
  const head = stage.change(grown);
  const judged = async (body: string) =>
    (await stage.judge(head, body)).claims.map(({ verdict }) => verdict);
  expect(await judged("I added a test.")).toEqual(["confirmed"]);
  expect(await judged("I added 2 tests.")).toEqual(["unverified"]);
  expect(await judged("I added twenty tests.")).toEqual(["unverified"]);
});

test("a base whose tests could not be loaded shows no tests that were added", async () => {
  const stage = new RequestStage({ ...PROJECT, "src/add.js": "export const add = (a, b) => {;\n" });
  const report = await stage.judge(
    stage.change({ "src/add.js": ADD }),
    "Fixed it. I added 1 test.",
  );
  expect(report.claims).not.toMatchObject([{ verdict: "confirmed" }]);
});

test("how many passed, what is new and where things are is held against the change however it is said", async () => {
  const stage = new RequestStage();
  const head = stage.change({ "src/add.js": `${ADD}// sums\n` });
  const judged = async (body: string) => {
    const { claims } = await stage.judge(head, body);
    return claims.map(({ verdict, why }) => `${verdict}: ${why}`);
  };
  for (const lie of ["`npm test` reports 120 passing tests.", "Tests: 9 passed, 0 failed."]) {
    expect((await judged(lie))[0], lie).toMatch(/^refuted: tests: 2 passed here, not/);
  }
  expect(await judged("Created `src/add.js`.")).toEqual([
    "refuted: src/add.js was there before, and was modified",
  ]);
  expect(await judged("Updated `src/add.js` without changing `test/add.test.js`.")).toEqual([
    "confirmed: src/add.js was modified",
    "confirmed: the change does not touch test/add.test.js",
  ]);
  expect(await judged("See src/payment/gateway.ts:120.")).toEqual([
    "refuted: there is no file src/payment/gateway.ts",
  ]);
  expect(await judged("No tests were removed. It sums at `src/add.js:99`.")).toEqual([
    "confirmed: no file of tests was changed",
    "refuted: src/add.js has 2 lines",
  ]);
});

test("who removed a test, or added none, cannot say otherwise", async () => {
  const stage = new RequestStage();
  const fewer = { "test/add.test.js": tests({ adds: ADDS }) };
  const removed = await stage.judge(stage.change(fewer), "No tests were removed.\n");
  expect(removed.claims).toMatchObject([
    { verdict: "refuted", why: expect.stringMatching(/gone/) },
  ]);
  const looser = { "test/add.test.js": tests({ adds: ADDS, below: "assert.ok(add(-1, -2))" }) };
  const loosened = await stage.judge(stage.change(looser), "No tests were removed.\n");
  expect(verdicts(loosened)).toEqual(["tests unverified"]);
  const none = await stage.judge(stage.change({ "src/add.js": `${ADD}\n` }), "Adds one test.\n");
  expect(none.claims).toMatchObject([
    {
      verdict: "refuted",
      why: "no file of tests is in the change, and 0 more ran on head than on base",
    },
  ]);
});

test("where nobody names a branch, main as it is now says what is run, with a remote or without", async () => {
  const stage = new RequestStage({ ...PROJECT, "sworn.yaml": "v: 1\n" });
  const head = stage.change({ "src/add.js": WRONG_ADD });
  const main = stage.git.commit({ "sworn.yaml": CHECKS });
  const local = await stage.judgeUnnamed(head);
  expect(local).toMatchObject({ status: "fail", judge: { commit: main, how: "main" } });
  stage.git.git("update-ref", "refs/remotes/origin/main", main);
  const remote = await stage.judgeUnnamed(head);
  expect(remote).toMatchObject({ status: "fail", judge: { commit: main, how: "origin/main" } });
});

test("on main itself the last commit is judged, by what the one before declared", async () => {
  const stage = new RequestStage();
  const before = stage.git.git("rev-parse", "main");
  stage.git.commit({ "src/add.js": WRONG_ADD, "sworn.yaml": "v: 1\n" });
  const report = await stage.judgeUnnamed();
  expect(report).toMatchObject({ status: "fail", base: before, judge: { commit: before } });
});

test("a tag that is called like the main branch decides nothing", async () => {
  const stage = new RequestStage();
  const head = stage.change({ "src/add.js": WRONG_ADD });
  stage.git.git("tag", "origin/main", head);
  expect(await stage.judgeUnnamed(head)).toMatchObject({ status: "fail", judge: { how: "main" } });
});

test("a lie in other words is one: over lines, as what did not happen, and in the present", async () => {
  const stage = new RequestStage();
  const files = { "src/add.js": WRONG_ADD, "test/add.test.js": `${BOTH}// more\n` };
  const head = stage.change(files);
  const body = [
    ...["All of the existing\ntests pass.", "No tests fail.", "This passes all tests."],
    ...["All checks pass.", "`npm test` passes.", "`test/add.test.js` is untouched."],
    ...["Created `src/other.js`.", "Adds `src/sub.js`.", "Renamed `src/add.js` to `src/sum.js`."],
  ];
  const { claims } = await stage.judge(head, body.join("\n\n"));
  const refuted = claims.filter(({ verdict }) => verdict === "refuted");
  expect(refuted).toHaveLength(claims.length);
  expect(new Set(claims.map(({ text }) => text))).toEqual(
    new Set(body.map((text) => text.replace("\n", " "))),
  );
  const whyOf = (path: string) => claims.find(({ text }) => text.includes(path))?.why;
  expect(whyOf("src/other.js")).toBe(
    "the change does not touch src/other.js, and there is no such file",
  );
  expect(whyOf("untouched")).toBe("test/add.test.js was modified");
});

test("the same words are right where they are true, and a check that is no test counts for all checks", async () => {
  const lint = CHECKS.replace("] }]", "] }, { name: lint, argv: [npm, run, lint], tests: false }]");
  const scripts = { ...PACKAGE.scripts, lint: "test ! -e bad.txt" };
  const manifest = JSON.stringify({ ...PACKAGE, scripts });
  const stage = new RequestStage({ ...PROJECT, "sworn.yaml": lint, "package.json": manifest });
  const body = ["All checks pass.", "`npm run lint` passes.", "`test/add.test.js` is untouched."];
  const judged = async (files: Readonly<Record<string, string>>) =>
    verdicts(await stage.judge(stage.change(files), body.join("\n\n")));
  const all = ["tests confirmed", "command confirmed", "tests confirmed"];
  expect(await judged({ "src/add.js": `${ADD}// sums\n` })).toEqual(all);
  const lies = ["tests refuted", "command refuted", "tests confirmed"];
  expect(await judged({ "bad.txt": "bad\n" })).toEqual(lies);
});

test("of a shallow clone it is said that the history is missing, and not that there is none", async () => {
  const { git } = new RequestStage();
  git.commit({ "src/add.js": WRONG_ADD });
  const path = join(git.home, "shallow");
  git.git("clone", "--quiet", "--depth", "1", `file://${git.path}`, path);
  const repository = await Repository.open(path, { env: git.env });
  onTestFinished(() => repository.close());
  await expect(findSides(repository, {})).rejects.toThrow(
    /is not in this shallow clone; a workflow/,
  );
});

test("a file that is not there is refuted in whatever form it is listed, and one that is there is confirmed", async () => {
  const stage = new RequestStage();
  const head = stage.change({ "src/add.js": `${ADD}// sums\n` });
  const body = [
    ...["Added a test for `mode` in `test/mode.test.js`, a new file.", "- src/cache.js (new)"],
    ...["Moved parsing into `src/reader.js`.", "12 new tests in `test/mode.test.js`"],
    ...["- cache.js (new)", "| File | Change |\n|---|---|\n| src/store.js | keeps |"],
  ];
  for (const one of body) {
    const { status, claims } = await stage.judge(head, one);
    expect([status, claims.find(({ kind }) => kind === "file")?.why], one).toEqual([
      "fail",
      expect.stringMatching(/there is no such file$/),
    ]);
  }
  const { claims } = await stage.judge(head, "Files changed:\n\n- src/add.js\n");
  expect(claims).toMatchObject([{ kind: "file", verdict: "confirmed" }]);
});

test("of what was done within a file nothing is confirmed by its being changed", async () => {
  const stage = new RequestStage();
  const head = stage.change({ "src/add.js": `${ADD}// sums\n` });
  const { claims } = await stage.judge(head, "Adds a `mode` to `src/add.js` and makes it faster.");
  expect(claims).toMatchObject([
    { verdict: "unverified", why: "src/add.js was modified; what in it was not looked at" },
  ]);
});

test("where the branch has all of it there is no change to judge, and nothing holds", async () => {
  const stage = new RequestStage();
  const main = stage.git.git("rev-parse", "main");
  stage.git.commit({ "src/add.js": WRONG_ADD });
  await expect(stage.judge("main")).rejects.toThrow("there is no change to judge");
  await expect(stage.judge(main)).rejects.toThrow("there is no change to judge");
});

test("who says that nothing else was changed, or that something was added, is held to the change", async () => {
  const stage = new RequestStage();
  const files = { "src/add.js": `${ADD}// sums\n`, "docs.md": "Sums.\n" };
  const body = "Only `src/add.js` was changed.\n\nAdded `zod` to `package.json`.\n";
  const lied = await stage.judge(stage.change(files), body);
  const text = "Only `src/add.js` was changed.";
  expect(lied.claims.filter((one) => one.text === text)).toEqual([
    { kind: "file", text, verdict: "refuted", why: "docs.md was added" },
  ]);
  expect(lied.claims).toContainEqual(
    expect.objectContaining({ text: "Added `zod` to `package.json`.", verdict: "refuted" }),
  );
  expect(lied.status).toBe("fail");
  const true_ = await stage.judge(
    stage.change({ "src/add.js": files["src/add.js"] }),
    "Only `src/add.js` was changed.",
  );
  // That it was changed is half of it, and not told beside it.
  expect(verdicts(true_)).toEqual(["file confirmed"]);
});
