import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildEnvironment, rootFolder } from "../../src/sandbox/environment/index.ts";
import { installBusybox } from "../sandbox/environment/fixture.ts";
import { Shell } from "./shell.ts";

const built = async (shell: Shell) => {
  const state = shell.env["SWORN_STATE_DIR"] ?? "";
  const { digest } = await buildEnvironment("base", { state, install: installBusybox });
  return { digest, root: rootFolder(state, digest) };
};

test("env detect says which environment fits, and why", async () => {
  const shell = new Shell();
  shell.write("go.mod", "module x\n");
  const found = await shell.run("env", "detect");
  expect([found.exit, found.out]).toEqual([0, 'go, by the repository\'s files: "go.mod"\n']);
  const stated = await shell.run("env", "detect", "--language", "Rust", "--json");
  expect(stated.json()).toEqual({ environment: "rust", because: "language", seen: "rust" });
});

test("env detect looks at files only: a folder's name is no hint, and nothing is opened", async () => {
  const shell = new Shell();
  mkdirSync(join(shell.cwd, "package.json"));
  const { out } = await shell.run("env", "detect");
  expect(out).toBe("base: nothing speaks for one language alone\n");
  expect((await shell.run("env", "detect", "nowhere", "--json")).exit).toBe(2);
});

test("env ls lists nothing at first, and says how to begin", async () => {
  const { exit, out } = await new Shell().run("env", "ls");
  expect([exit, out]).toEqual([0, expect.stringContaining('"sworn env build base"')]);
});

test("env ls lists what was built and ends with 4 once a file was changed", async () => {
  const shell = new Shell();
  const { digest, root } = await built(shell);
  const listed = await shell.run("env", "ls", "--verify", "--json");
  expect(listed.exit).toBe(0);
  expect(listed.json()).toEqual({
    environments: [
      { name: "base", digest, built_at: expect.any(String), packages: 2, state: "verified" },
    ],
  });
  appendFileSync(join(root, "etc/hosts"), "\n");
  const changed = await shell.run("env", "ls");
  expect([changed.exit, changed.out]).toEqual([
    4,
    expect.stringContaining("is not what was built"),
  ]);
});

test("env ls of a record that nobody can read ends with 4", async () => {
  const shell = new Shell();
  const { root } = await built(shell);
  writeFileSync(join(root, "..", "base.lock.json"), "{}");
  const { exit, json } = await shell.run("env", "ls", "--json");
  expect([exit, json()]).toMatchObject([4, { error: { code: "STORE_UNREADABLE" } }]);
});

test.each(["host", "perl", "base:latest"])("env build %s is wrong usage", async (name) => {
  const { exit, json } = await new Shell().run("env", "build", name, "--json");
  expect([exit, json()]).toMatchObject([2, { error: { code: "INPUT_INVALID" } }]);
});
