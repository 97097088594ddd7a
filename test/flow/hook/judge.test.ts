import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { judgeCommit } from "../../../src/flow/hook/commit-work.ts";
import { judgeStop } from "../../../src/flow/hook/stop-work.ts";
import { GitFolder } from "../../repo/git-folder.ts";

const signal = new AbortController().signal;

function project(): GitFolder {
  const git = new GitFolder();
  git.commit({
    "src/a.ts": "export function add(a: number, b: number) {\n  return a + b;\n}\n",
    "packages/web/src/page.tsx": "export const page = 1;\n",
    ".gitignore": "dist/\n",
  });
  return git;
}

const stop = (git: GitFolder, message: string, more: object = {}) =>
  judgeStop(
    { stop_hook_active: false, last_assistant_message: message, ...more },
    { folder: git.path, env: git.env, signal },
  );

function commit(git: GitFolder, message: string, index?: string) {
  const messageFile = join(git.home, "message");
  writeFileSync(messageFile, message);
  return judgeCommit({ messageFile, index, folder: git.path, env: git.env, signal });
}

describe("what an agent says when it stops", () => {
  test("made-up places and findings are refuted, real ones are not", async () => {
    const git = project();
    const real = "The sum is in `src/a.ts:2`, the page in `src/page.tsx:1`.";
    expect(await stop(git, real)).toEqual({ refuted: [], unverified: [] });
    expect((await stop(git, "See `src/gone.ts:40` and `src/a.ts:99`.")).refuted).toEqual([
      "`src/gone.ts:40`: there is no file src/gone.ts",
      "`src/a.ts:99`: src/a.ts has 3 lines",
    ]);
    const finding =
      "- [ ] **[SEC-001] SQL injection** in `src/a.ts:2`\n  ```ts\n  db.query(userInput)\n  ```\n";
    expect((await stop(git, finding)).refuted).toEqual([
      expect.stringMatching(/^SEC-001 SQL injection: /),
    ]);
  });

  test("the tree as it lies there counts, and the last commit, too", async () => {
    const git = project();
    git.write("src/new.ts", "one\ntwo\n");
    git.write("dist/out.js", "built\n");
    rmSync(join(git.path, "src/a.ts"));
    const message = "See `src/new.ts:2`, `dist/out.js:1` and, as it was, `src/a.ts:2`.";
    expect(await stop(git, message)).toEqual({ refuted: [], unverified: [] });
    const finding = "- [ ] **[BUG-001] Sum** in `src/a.ts:2`\n  ```ts\n  return a + b;\n  ```\n";
    expect(await stop(git, finding)).toEqual({ refuted: [], unverified: [] });
    const below = { cwd: join(git.path, "packages/web") };
    mkdirSync(join(git.path, "packages/web/dist"));
    git.write("packages/web/dist/x.js", "built\n");
    expect(await stop(git, "See `dist/x.js:1`.", below)).toEqual({ refuted: [], unverified: [] });
  });

  test("what is refuted counts beside words that nobody can read", async () => {
    const nested = `${">".repeat(80)} deep`;
    const said = `I created \`src/b.ts\`. See \`src/gone.ts:4\`.\n\n${nested}`;
    expect((await stop(project(), said)).refuted).toEqual([
      "`src/gone.ts:4`: there is no file src/gone.ts",
      '"I created `src/b.ts`.": there is no file src/b.ts',
    ]);
  });

  test("files that it says it made and that are not there, and the other way round", async () => {
    const git = project();
    const { refuted } = await stop(
      git,
      "I created `src/b.ts`. I updated `src/a.ts`. Removed `src/a.ts`. Deleted `src/old.ts`.",
    );
    expect(refuted).toEqual([
      '"I created `src/b.ts`.": there is no file src/b.ts',
      '"Removed `src/a.ts`.": src/a.ts is still there',
    ]);
  });

  test("a bare name that is nowhere is only said: it may be in a place that is not the project", async () => {
    const { refuted, unverified } = await stop(
      project(),
      "Wrote `report.json` to the scratch folder.",
    );
    expect(refuted).toEqual([]);
    expect(unverified).toEqual([expect.stringMatching(/there is no file report\.json$/)]);
  });

  test("what only looks like a file, or is only partly gone, is left alone", async () => {
    const git = project();
    const said =
      "Added `user.name`. Updated `feature/login`. Removed the unused import from `src/a.ts`. I will add `src/z.ts`.";
    expect(await stop(git, said)).toEqual({ refuted: [], unverified: [] });
  });

  test("that tests pass is unverified, unless the session's record shows a test run", async () => {
    const git = project();
    const said = "All tests pass.";
    const unverified = ['"All tests pass.": nothing here shows that a test was run'];
    expect(await stop(git, said)).toEqual({ refuted: [], unverified });
    const transcript_path = join(git.home, "session.jsonl");
    const record = (command: string) =>
      writeFileSync(
        transcript_path,
        `${JSON.stringify({
          type: "assistant",
          message: {
            role: "assistant",
            content: [{ type: "tool_use", name: "Bash", input: { command } }],
          },
        })}\n{"broken`,
      );
    record("cd x && CI=1 npm test");
    expect(await stop(git, said, { transcript_path })).toEqual({ refuted: [], unverified: [] });
    record("echo npm test");
    expect(await stop(git, said, { transcript_path })).toEqual({ refuted: [], unverified });
  });

  describe("holds that tests pass against the last test run of the session's record", () => {
    const claude = (command: string, content: string, is_error = false) => {
      const use = { type: "tool_use", id: command, name: "Bash", input: { command } };
      const result = { type: "tool_result", tool_use_id: command, is_error, content };
      return [
        { type: "assistant", message: { role: "assistant", content: [use] } },
        { type: "user", message: { role: "user", content: [result] } },
      ];
    };
    const codex = (command: string, output: string) => {
      const call = {
        call_id: command,
        arguments: JSON.stringify({ command: ["bash", "-lc", command] }),
      };
      return [
        { type: "response_item", payload: { type: "function_call", name: "shell", ...call } },
        {
          type: "response_item",
          payload: { type: "function_call_output", call_id: command, output },
        },
      ];
    };
    const edit = {
      type: "assistant",
      message: {
        role: "assistant",
        content: [{ type: "tool_use", id: "e", name: "Edit", input: { file_path: "/x/src/a.ts" } }],
      },
    };
    const FAILED = "Tests:       1 failed, 41 passed, 42 total";
    const PASSED = "Tests:       3 passed, 3 total";
    const heard = (said: string, records: readonly object[]) => {
      const git = project();
      const transcript_path = join(git.home, "session.jsonl");
      writeFileSync(transcript_path, records.map((one) => JSON.stringify(one)).join("\n"));
      return stop(git, said, { transcript_path });
    };
    const json = (output: string, exit_code: number) =>
      JSON.stringify({ output, metadata: { exit_code } });

    test.each([
      ["All 42 tests pass.", claude("npm test", `Exit code 1\n${FAILED}`, true)],
      ["Tests pass.", claude("cd x && npm test", "Exit code 1", true)],
      ["All tests pass.", claude("npm test 2>&1 | tail -5", FAILED)],
      ["All tests pass.", codex("npm test", json("", 1))],
      ["All tests pass.", codex("npm test", "Exit code: 1\nWall time: 0.1 seconds\nOutput:\n")],
      ["`npm run build` passes.", claude("npm run build", "Exit code 2", true)],
    ])("refuted: %s", async (said, records) => {
      const { refuted } = await heard(said, records);
      expect(refuted).toEqual([expect.stringMatching(/failed$/)]);
    });

    test.each([
      ["The new tests pass.", claude("npm test", FAILED), "had 1 that failed"],
      ["All tests pass.", claude("git stash && npm test; git stash pop", FAILED), "that failed"],
      ["All tests pass.", claude("npm test && npm run lint", "Exit code 1", true), "failed"],
      ["All tests pass.", [...claude("npm test", PASSED), edit], "files were changed after"],
      ["All 42 tests pass.", claude("npm test", PASSED), "passed 3, not 42"],
      ["All tests pass.", claude("npx jest a.test.js", PASSED), "ran a part"],
      ["All tests pass.", claude("node --test", "# pass 0\n# fail 0"), "ran no test"],
      ["The build succeeds.", [], "nothing here shows it (build)"],
      ["Lint is clean.", claude("npx eslint .", "Exit code 1", true), "was run, and failed"],
      ["No type errors.", [...claude("npx tsc", ""), edit], "files were changed after"],
      ["Everything is committed.", claude("git status", ""), "nothing here shows it (commit)"],
      ["I pushed the branch.", claude("git commit -m x", ""), "nothing here shows it (push)"],
      ["I ran the tests.", claude("git status", ""), "nothing here shows that a test was run"],
    ])("only not shown: %s", async (said, records, why) => {
      const { refuted, unverified } = await heard(said, records);
      expect([refuted, unverified]).toEqual([[], [expect.stringContaining(why)]]);
    });

    test.each([
      ["All 3 tests pass.", claude("npm test", PASSED)],
      ["The build succeeds.", [edit, ...claude("cd web && npm run build", "")]],
      ["I committed the change.", claude("git add -A && git commit -m x", "")],
      [
        "All tests pass.",
        [...claude("npm test", `Exit code 1\n${FAILED}`, true), ...claude("npm t", "")],
      ],
      ["All tests pass.", [edit, ...codex("npx vitest run 2>&1", json("", 0))]],
      ["All tests pass.", codex("npm test", "Exit code: 0\nOutput:\nExit code: 1\n")],
    ])("shown: %s", async (said, records) => {
      expect(await heard(said, records)).toEqual({ refuted: [], unverified: [] });
    });
  });

  test("without a message the last words of the session's record count, in both forms", async () => {
    const git = project();
    const path = join(git.home, "session.jsonl");
    const claude = (text: string) => ({
      type: "assistant",
      message: { role: "assistant", content: [{ type: "text", text }] },
    });
    const codex = (text: string) => ({
      type: "response_item",
      payload: { type: "message", role: "assistant", content: [{ type: "output_text", text }] },
    });
    const user = { type: "user", message: { role: "user", content: "See `src/user.ts:1`." } };
    for (const said of [claude, codex]) {
      const lines = [said("See `src/first.ts:1`."), said("See `src/last.ts:1`."), user];
      writeFileSync(path, lines.map((line) => JSON.stringify(line)).join("\n"));
      const input = { stop_hook_active: false, transcript_path: path };
      const { refuted } = await judgeStop(input, { folder: git.path, env: git.env, signal });
      expect(refuted).toEqual(["`src/last.ts:1`: there is no file src/last.ts"]);
    }
  });

  test("links are not followed out of the project", async () => {
    const git = project();
    writeFileSync(join(git.home, "secret.ts"), "a\n".repeat(50));
    symlinkSync(git.home, join(git.path, "out"));
    // It could not be looked at, so nothing is known, and nothing is shown.
    expect(await stop(git, "See `out/secret.ts:3`.")).toEqual({ refuted: [], unverified: [] });
    expect(await stop(git, "See `out/secret.ts:300`.")).toEqual({ refuted: [], unverified: [] });
  });

  test("where there is no project, no commit or no word, there is nothing to hold", async () => {
    const git = new GitFolder();
    const nothing = { refuted: [], unverified: [] };
    const said = "See `src/gone.ts:40`.";
    expect(await stop(git, said)).toEqual(nothing);
    expect(await stop(git, said, { cwd: git.home })).toEqual(nothing);
    expect(await stop(project(), "  ")).toEqual(nothing);
  });
});

describe("a commit's message", () => {
  test("is held against what is staged", async () => {
    const git = project();
    git.commit({ "x.md": "x\n" });
    git.write("src/b.ts", "new\n");
    git.write("src/a.ts", "changed\n");
    git.git("add", "src/b.ts");
    const message = "Added `src/b.ts`.\n\nUpdated `src/a.ts`.\n# Updated `src/comment.ts`\n";
    expect((await commit(git, message)).refuted).toEqual([
      '"Updated `src/a.ts`.": the change does not touch src/a.ts',
    ]);
    git.git("add", "src/a.ts");
    expect(await commit(git, message)).toEqual({ refuted: [], unverified: [] });
  });

  test("says what nothing shows, and cites what is there", async () => {
    const git = project();
    git.write("src/b.ts", "new\n");
    git.git("add", "--all");
    const { refuted, unverified } = await commit(
      git,
      "Fix it\n\nSee `src/b.ts:1` and `src/nowhere.ts:7`. All tests pass.\n",
    );
    expect(refuted).toEqual(["`src/nowhere.ts:7`: there is no file src/nowhere.ts"]);
    expect(unverified).toEqual(['"All tests pass.": nothing here shows that a test was run']);
  });

  test("says what else was changed only of its own change", async () => {
    const git = project();
    git.commit({ "src/b.ts": "export const b = 1;\n" });
    git.write("src/c.ts", "export const c = 1;\n");
    git.git("add", "-A");
    const said = "Add c, and the build is green. No other files were touched.";
    expect(await commit(git, said)).toEqual({
      refuted: [],
      unverified: [
        '"Add c, and the build is green.": nothing that was seen shows it (build)',
        '"No other files were touched.": since the last commit, what was changed is src/c.ts',
      ],
    });
  });

  test("may name a file that is not in the project, but not one that is and was not changed", async () => {
    const git = project();
    git.commit({ "README.md": "A\n" });
    git.commit({ "x.md": "x\n" });
    git.write("src/b.ts", "new\n");
    git.git("add", "--all");
    const { refuted, unverified } = await commit(git, "Updated `README.md`. Updated `other.json`.");
    expect([refuted.length, unverified.length]).toEqual([1, 1]);
    expect(refuted[0]).toContain("README.md");
  });

  test("of a commit that is amended may speak of all of it", async () => {
    const git = project();
    git.commit({ "src/c.ts": "c\n" });
    git.write("src/d.ts", "d\n");
    git.git("add", "--all");
    const message = "Added `src/c.ts` and `src/d.ts`.";
    expect(await commit(git, message)).toEqual({ refuted: [], unverified: [] });
  });

  test("of the first commit is held against all of it", async () => {
    const git = new GitFolder();
    git.write("src/a.ts", "a\n");
    git.git("add", "--all");
    expect(await commit(git, "Created `src/a.ts`.")).toEqual({ refuted: [], unverified: [] });
    expect((await commit(git, "Created `src/b.ts`.")).refuted.length).toBe(1);
  });

  test("is understood in the mood that such messages are written in", async () => {
    const git = project();
    git.commit({ "x.md": "x\n" });
    git.write("src/new.ts", "new\n");
    git.git("add", "--all");
    for (const message of ["Add src/ghost.ts", "Added src/ghost.ts.", "Remove src/a.ts"]) {
      expect((await commit(git, message)).refuted, message).toEqual([
        expect.stringMatching(/the change does not touch src\/\w+\.ts/),
      ]);
    }
    expect((await commit(git, "Fix the sum in src/a.ts:900")).refuted).toEqual([
      "`src/a.ts:900`: src/a.ts has 3 lines",
    ]);
    git.commit({ "y.md": "y\n" });
    git.write("src/new2.ts", "new\n");
    git.git("add", "--all");
    for (const message of [
      "Update `src/a.ts`",
      "fix(sum): update `src/a.ts` to add three numbers",
      "Sum more\n\n- Rewrite `src/a.ts`, and all of it",
    ]) {
      const { refuted } = await commit(git, message);
      expect(refuted, message).toEqual([
        expect.stringMatching(/: the change does not touch src\/a\.ts$/),
      ]);
    }
    for (const message of [
      "Update `src/new2.ts`",
      "Update tests of `src/a.ts`",
      "Update `src/a.ts` imports",
      "Change `src/a.ts` to `src/b.ts` in the guide",
      "Subject\n\nWe had to\nUpdate `src/a.ts`",
      "Update `feature/login`",
      "Add src/new2.ts",
      "Add tests for src/a.ts",
      "Fix the sum in src/a.ts:2",
      "Fix a crash (node_modules/x/src/a.ts:900:3)",
      "See https://example.org/src/a.ts:900",
    ]) {
      expect(await commit(git, message), message).toEqual({ refuted: [], unverified: [] });
    }
  });
});
