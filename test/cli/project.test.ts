import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findStore } from "../../src/flow/place.ts";
import { opening, temporaryFolder } from "../fake/sandbox.ts";
import { Shell } from "./shell.ts";

function within(shell: Shell, name: string): { cwd: string } {
  const cwd = join(shell.cwd, name);
  mkdirSync(cwd, { recursive: true });
  return { cwd };
}

test("in a folder of a project its store is used, and no second one is made", async () => {
  const shell = new Shell();
  await shell.run("init");
  const sub = within(shell, "a/b");
  const script = join(shell.cwd, shell.script("s.jsonl", opening()));
  expect((await shell.runWith(sub, "trace", "record", script)).exit).toBe(0);
  expect(existsSync(join(sub.cwd, ".sworn"))).toBe(false);
  expect((await shell.run("trace", "ls", "--json")).json()).toMatchObject({
    traces: [{ entries: 1 }],
  });
  expect((await shell.runWith(sub, "verify", "latest")).exit).toBe(0);
});

test("init inside a project says so, and nests a store only when told to", async () => {
  const shell = new Shell();
  await shell.run("init");
  const sub = within(shell, "a");
  const inside = await shell.runWith(sub, "init");
  expect(inside.exit).toBe(0);
  expect(inside.out).toContain(`Nothing to do: ${join(shell.cwd, ".sworn")} is there already`);
  expect(inside.out).toContain('inside that project; "sworn init --here"');
  expect(existsSync(join(sub.cwd, ".sworn"))).toBe(false);
  const nested = await shell.runWith(sub, "init", "--here");
  expect(nested.out).toContain(`Ready: records go to ${join(sub.cwd, ".sworn")}`);
  expect(nested.out).not.toContain("--here");
  expect((await shell.runWith(within(shell, "a/c"), "trace", "ls")).out).toContain(
    `looked in ${join(sub.cwd, ".sworn")}`,
  );
});

test("a list without traces, and a recording that makes a store, name the folder", async () => {
  const shell = new Shell();
  const store = join(shell.cwd, ".sworn");
  expect((await shell.run("trace", "ls")).out).toContain(`looked in ${store}`);
  shell.script("s.jsonl", opening());
  const first = await shell.run("trace", "record", "s.jsonl");
  expect(first.out).toContain(`Made a new store for it: ${store}`);
  expect((await shell.run("trace", "record", "s.jsonl")).out).not.toContain("new store");
});

test("the search ends below the home folder and never takes it", () => {
  const home = realpathSync(temporaryFolder());
  const store = join(home, ".sworn");
  mkdirSync(join(store, "traces"), { recursive: true });
  const deep = join(home, "p", "q");
  mkdirSync(deep, { recursive: true });
  expect(findStore(deep, home)).toBe(join(deep, ".sworn"));
  expect(findStore(home, home)).toBe(store);
  expect(findStore(deep, "/nonexistent")).toBe(store);
});

test("a folder that only looks like a store is passed over on the way up", () => {
  const home = realpathSync(temporaryFolder());
  const deep = join(home, "p", "q");
  mkdirSync(deep, { recursive: true });
  mkdirSync(join(home, "p", ".sworn"));
  expect(findStore(deep, home)).toBe(join(deep, ".sworn"));
  mkdirSync(join(home, "p", ".sworn", "traces"));
  expect(findStore(deep, home)).toBe(join(home, "p", ".sworn"));
});
