import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { GitFolder } from "../repo/git-folder.ts";
import { Shell } from "./shell.ts";

const BIN = resolve(import.meta.dirname, "../../dist/cli/bin.js");

function project() {
  const git = new GitFolder();
  git.commit({ "src/a.ts": "one\ntwo\n" });
  git.commit({ "README.md": "A project\n" });
  const shell = new Shell();
  const run = (input: unknown, ...argv: string[]) => {
    const text = typeof input === "string" ? input : JSON.stringify(input);
    return shell.runWith(
      {
        cwd: git.path,
        home: git.home,
        env: git.env,
        input: async function* () {
          yield Buffer.from(text);
        },
      },
      ...argv,
    );
  };
  return { git, run };
}

test("an agent that made something up is told so with 2, once", async () => {
  const { run } = project();
  const said = { last_assistant_message: "See `src/gone.ts:4`. All tests pass." };
  const first = await run({ ...said, stop_hook_active: false }, "hook", "run", "claude");
  expect([first.exit, first.out]).toEqual([2, ""]);
  expect(first.err).toBe(
    [
      "sworn: What you said does not hold:",
      "- `src/gone.ts:4`: there is no file src/gone.ts",
      "Nothing shows this, either:",
      '- "All tests pass.": nothing here shows that a test was run',
      "Correct it or take it back.\n",
    ].join("\n"),
  );
  const again = await run({ ...said, stop_hook_active: true }, "hook", "run", "claude");
  expect([again.exit, again.err]).toEqual([0, ""]);
  expect(JSON.parse(again.out).systemMessage).toContain("there is no file src/gone.ts");
});

test("what nothing shows is said to the user, and what holds is not spoken of", async () => {
  const { run } = project();
  const unseen = await run({ last_assistant_message: "All tests pass." }, "hook", "run", "codex");
  expect([unseen.exit, unseen.err]).toEqual([0, ""]);
  expect(JSON.parse(unseen.out)).toEqual({
    systemMessage:
      'sworn: Said, and shown by nothing:\n- "All tests pass.": nothing here shows that a test was run',
  });
  const true_ = await run({ last_assistant_message: "See `src/a.ts:2`." }, "hook", "run", "codex");
  expect(true_).toMatchObject({ exit: 0, out: "", err: "" });
});

test("a hook that cannot be asked never ends with 2: the agent would be held up without end", async () => {
  const { run } = project();
  for (const input of ["", "{", "[]", '{"cwd": 1}', '{"a":1,"a":2}', "x".repeat(9 << 20)]) {
    const { exit, out, err } = await run(input, "hook", "run", "claude");
    expect([exit, out]).toEqual([1, ""]);
    expect(err).toMatch(/^sworn: nothing that the agent says was checked: /);
  }
});

test("where it cannot be known what was said, that is told with 1, and nothing is passed over", async () => {
  const { git, run } = project();
  const path = join(git.home, "session.jsonl");
  const stopped = { hook_event_name: "Stop", cwd: git.path, transcript_path: path };
  const unknown = async (input: object) => {
    const { exit, out, err } = await run(input, "hook", "run", "claude");
    expect([exit, out]).toEqual([1, ""]);
    return err;
  };
  expect(await unknown({})).toContain(
    "nothing that the agent says was checked: expected last_assistant_message or transcript_path",
  );
  expect(await unknown(stopped)).toContain(`the session's record ${path} cannot be read`);
  expect(await unknown({ ...stopped, transcript_path: git.home })).toContain("cannot be read");
  const user = JSON.stringify({ type: "user", message: { role: "user", content: "Go on" } });
  for (const text of [
    "",
    "\n",
    "\u0000\u0007 random",
    '{"a":1}\n',
    `${user}\nrubbish\n${user}\n`,
  ]) {
    writeFileSync(path, text);
    expect(await unknown(stopped)).toContain("expected the record of a session, found none");
  }
  const said = { last_assistant_message: "See `src/gone.ts:4`." };
  expect(await unknown({ ...said, cwd: join(git.path, "nowhere") })).toContain(
    "there is no folder",
  );
  // A session in which the agent was stopped before it said a word.
  writeFileSync(path, `${user}\n{"type":"assis`);
  const silent = await run(stopped, "hook", "run", "claude");
  expect(silent).toMatchObject({ exit: 0, out: "", err: "" });
  const plain = { role: "assistant", content: "See `src/gone.ts:4`." };
  writeFileSync(path, `${user}\n${JSON.stringify({ type: "assistant", message: plain })}\n`);
  expect((await run(stopped, "hook", "run", "claude")).exit).toBe(2);
});

test("hidden letters in what is quoted are written out", async () => {
  const { run } = project();
  const said = { last_assistant_message: "I created `src/b.ts`\u202e\u0007 now." };
  const { err } = await run(said, "hook", "run", "claude");
  expect(err).toContain("\\u{202e}\\u{7}");
});

test("real git: a message that the change does not bear out refuses the commit", async () => {
  const { git, run } = project();
  const bin = join(git.home, "bin");
  mkdirSync(bin);
  const script = `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`;
  writeFileSync(join(bin, "sworn"), script, { mode: 0o755 });
  expect((await run("", "hook", "install", "git")).exit).toBe(0);
  git.write("src/a.ts", "changed\n");
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  const commit = (message: string) =>
    spawnSync("git", [...who, "commit", "--all", "--message", message], {
      cwd: git.path,
      env: { ...git.env, PATH: `${bin}${delimiter}${process.env["PATH"]}` },
      encoding: "utf8",
    });
  const lie = commit("Updated `src/other.ts`.");
  expect(lie.status).not.toBe(0);
  expect(lie.stderr).toContain("the change does not touch src/other.ts");
  expect(lie.stderr).toContain("--no-verify");
  // With --all git commits another index than the usual one, in which nothing is staged.
  expect(commit("Updated `src/a.ts`.").status).toBe(0);
  expect(git.git("show", "--format=%s", "--no-patch", "HEAD")).toBe("Updated `src/a.ts`.");
});

test("a commit that cannot be judged is told with 1, and is not held to have been", async () => {
  const { git, run } = project();
  writeFileSync(join(git.home, "message"), "Updated `src/a.ts`.");
  writeFileSync(join(git.path, ".git/index"), "rubbish");
  const broken = await run("", "hook", "run", "git", join(git.home, "message"));
  expect([broken.exit, broken.out]).toEqual([1, ""]);
  expect(broken.err).toMatch(/^sworn: nothing of the commit's message was checked: /);
  const gone = await run("", "hook", "run", "git", "nowhere", "--json");
  expect(gone.exit).toBe(1);
  expect(gone.json()).toMatchObject({ error: { code: "UNCHECKED" } });
  expect((await run("", "hook", "run", "git")).exit).toBe(2);
});

test("the commands say what they did, in words and as a document", async () => {
  const { git, run } = project();
  const path = join(git.path, ".codex/hooks.json");
  const installed = await run("", "hook", "install", "codex", "--json");
  expect(installed.json()).toEqual({ kind: "codex", path, change: "added" });
  expect((await run("", "hook", "install", "codex")).out).toContain("type /hooks in codex");
  const listed = (await run("", "hook", "ls", "--json")).json<{ hooks: object[] }>();
  expect(listed.hooks).toContainEqual({ kind: "codex", scope: "project", path, state: "current" });
  expect((await run("", "hook", "remove", "codex", "--json")).json()).toEqual({
    kind: "codex",
    path,
    removed: true,
  });
  expect((await run("", "hook", "install", "emacs")).exit).toBe(2);
});
