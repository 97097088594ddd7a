import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgeStop } from "../../../src/flow/hook/stop-work.ts";
import { GitFolder } from "../../repo/git-folder.ts";

const signal = new AbortController().signal;

function project(): GitFolder {
  const git = new GitFolder();
  git.commit({
    "src/a.js": "export function add(a, b) {\n  return a + b;\n}\n",
    "src/b.js": "export const b = 1;\n",
    "test/a.test.js": 'test("adds", () => {});\n',
    "package.json": '{ "name": "shop" }\n',
    "README.md": "# shop\n",
  });
  return git;
}

const use = (name: string, input: object) => ({
  type: "assistant",
  message: { role: "assistant", content: [{ type: "tool_use", id: name, name, input }] },
});
const wrote = (path: string) => use("Write", { file_path: `/somewhere/${path}` });
const patched = (path: string) => ({
  type: "response_item",
  payload: {
    type: "custom_tool_call",
    name: "apply_patch",
    call_id: "p",
    input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch`,
  },
});
const ran = (command: string) => use("Bash", { command });

async function open(git: GitFolder, said: string, records: readonly object[]): Promise<string[]> {
  const transcript_path = join(git.home, "session.jsonl");
  const first = { type: "user", message: { role: "user", content: "Do it." } };
  writeFileSync(transcript_path, [first, ...records].map((one) => JSON.stringify(one)).join("\n"));
  const input = { stop_hook_active: false, last_assistant_message: said, transcript_path };
  const { refuted, unverified } = await judgeStop(input, {
    folder: git.path,
    env: git.env,
    signal,
  });
  expect(refuted).toEqual([]);
  return unverified.map((one) => one.slice(one.lastIndexOf('": ') + 3));
}

const UNTOUCHED = "src/a.js is as it was committed, and nothing here shows that it was changed";

test("a file that is as it was committed, and that no call names, is not shown to be changed", async () => {
  const git = project();
  expect(await open(git, "I updated `src/a.js`.", [])).toEqual([UNTOUCHED]);
  expect(await open(git, "Ich habe `src/a.js` angepasst.", [])).toEqual([UNTOUCHED]);
  expect(await open(git, "I removed `src/old.js`.", [])).toEqual([
    "src/old.js was not in the last commit",
  ]);
  // A call names it; or the work may be in a commit by now.
  for (const record of [wrote("src/a.js"), patched("src/a.js"), ran("sed -i s/a/b/ src/a.js")]) {
    expect(await open(git, "I updated `src/a.js`.", [record])).toEqual([]);
  }
  expect(await open(git, "I updated `src/a.js`.", [ran("git commit -qam x")])).toEqual([]);
  git.write("src/a.js", "export const a = 2;\n");
  expect(await open(git, "I updated `src/a.js`.", [])).toEqual([]);
});

test("what was done to the content of a change is looked for in it", async () => {
  const git = project();
  expect(await open(git, "Added 3 tests for it.", [])).toEqual([
    "since the last commit, no file of tests was added to or made",
  ]);
  expect(await open(git, "Fixed the bug in `add()`.", [])).toEqual([
    "since the last commit, nothing was changed, and so not src/a.js, where add is",
  ]);
  git.write("package.json", '{ "name": "shop", "version": "1.0.1" }\n');
  expect(await open(git, "Added `zod` to `package.json`.", [wrote("package.json")])).toEqual([
    "since the last commit, package.json does not name zod",
  ]);
  git.write("package.json", '{ "dependencies": { "zod": "^3.0.0" } }\n');
  expect(await open(git, "Added `zod` to `package.json`.", [wrote("package.json")])).toEqual([]);
});

test("files that the session changed were not left as they were; what others changed is theirs", async () => {
  const git = project();
  git.write("README.md", "# other\n");
  git.write("test/a.test.js", 'test.skip("adds", () => {});\n');
  const readme = "since the last commit, README.md was modified";
  expect(await open(git, "I left README.md alone.", [wrote("README.md")])).toEqual([readme]);
  expect(await open(git, "I left README.md alone.", [])).toEqual([]);
  const tests = "since the last commit, test/a.test.js was modified";
  const own = [wrote("test/a.test.js")];
  expect(await open(git, "No tests were changed.", own)).toEqual([tests]);
  expect(await open(git, "没有修改任何测试。", own)).toEqual([tests]);
  expect(await open(git, "No tests were changed.", [])).toEqual([]);
  expect(await open(git, "No tests were skipped.", own)).toEqual([
    "since the last commit, more tests of test/a.test.js are skipped",
  ]);
  git.write("test/a.test.js", 'test("adds", () => {});\ntest("more", () => {});\n');
  expect(await open(git, "No existing tests were changed.", own)).toEqual([]);
  rmSync(join(git.path, "test/a.test.js"));
  expect(await open(git, "No tests were removed.", own)).toEqual([
    "since the last commit, 1 fewer tests are written",
  ]);
});
