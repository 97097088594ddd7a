import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { runAgent } from "./start-agent.ts";

const BIN = resolve(import.meta.dirname, "../../dist/cli/bin.js");

/** A project with one commit, the hook for all projects of the user, and `sworn` as people have it. */
async function prepare(home: string, tree: string): Promise<string> {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  execFileSync("git", ["init", "--quiet", tree]);
  writeFileSync(join(tree, "a.txt"), "one\n");
  execFileSync("git", ["-C", tree, "add", "--all"]);
  execFileSync("git", ["-C", tree, ...who, "commit", "--quiet", "--message", "first"]);
  const env = { PATH: process.env.PATH, HOME: home };
  const install = [BIN, "hook", "install", "codex", "--user"];
  execFileSync(process.execPath, install, { cwd: tree, env, stdio: "pipe" });
  const bin = join(home, "bin");
  mkdirSync(bin);
  const script = `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`;
  writeFileSync(join(bin, "sworn"), script, { mode: 0o755 });
  return bin;
}

test("codex that made something up is told so by the hook, and may take it back", async () => {
  const steps = [{ say: "The fix is in `src/gone.ts:4`." }, { say: "I take that back." }];
  const args = ["--dangerously-bypass-hook-trust"];
  const seen = await runAgent("codex", steps, { prepare, args });
  expect(seen.asked.length).toBe(2);
  expect(seen.asked[1]?.body).toContain("there is no file src/gone.ts");
  expect(seen.events.at(-1)).toEqual({ kind: "answer", text: "I take that back." });
  expect([seen.strays, seen.survivors]).toEqual([0, []]);
});

test("codex that keeps to its story is held up once, and no more", async () => {
  const steps = [{ say: "The fix is in `src/gone.ts:4`." }];
  const args = ["--dangerously-bypass-hook-trust"];
  const seen = await runAgent("codex", steps, { prepare, args });
  expect(seen.asked.length).toBe(2);
});
