import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { opening } from "../fake/sandbox.ts";
import { Shell } from "./shell.ts";

const EXPORT = ["trace", "export", "latest", "--out"];
const PROVE = ["trace", "prove", "latest", "0", "--out"];

async function recorded(): Promise<Shell> {
  const shell = new Shell();
  await shell.run("trace", "record", shell.script("my.jsonl", opening()));
  return shell;
}

test.each([
  ["export", EXPORT, "a bundle"],
  ["prove", PROVE, "a proof"],
])("%s overwrites its own kind of file, and another only when told to", async (_, line, kind) => {
  const shell = await recorded();
  const script = readFileSync(join(shell.cwd, "my.jsonl"), "utf8");
  const refused = await shell.run(...line, "my.jsonl");
  expect([refused.exit, refused.out]).toEqual([3, ""]);
  expect(refused.err).toContain(`my.jsonl exists and is not ${kind}`);
  expect(refused.err).toContain("--force");
  expect(readFileSync(join(shell.cwd, "my.jsonl"), "utf8")).toBe(script);
  for (const _again of [1, 2]) expect((await shell.run(...line, "out.json")).exit).toBe(0);
  expect((await shell.run(...line, "my.jsonl", "--force")).exit).toBe(0);
  expect(readFileSync(join(shell.cwd, "my.jsonl"), "utf8")).not.toBe(script);
});

test("a bundle is not overwritten by a proof, nor a proof by a bundle, nor another tar", async () => {
  const shell = await recorded();
  await shell.run(...EXPORT, "a.tar");
  await shell.run(...PROVE, "p.json");
  expect((await shell.run(...PROVE, "a.tar")).exit).toBe(3);
  expect((await shell.run(...EXPORT, "p.json")).exit).toBe(3);
  const bytes = readFileSync(join(shell.cwd, "a.tar"));
  bytes.write("somethingx", 0, "latin1");
  shell.write("other.tar", bytes);
  expect((await shell.run(...EXPORT, "other.tar")).exit).toBe(3);
});

test.each([
  ["export", EXPORT],
  ["prove", PROVE],
])("%s into a folder that is not there, or onto a folder, is wrong usage", async (_, line) => {
  const shell = await recorded();
  const missing = await shell.run(...line, "nodir/b.tar");
  expect(missing.exit).toBe(2);
  expect(missing.err).toContain("the folder nodir does not exist");
  mkdirSync(join(shell.cwd, "there"));
  const folder = await shell.run(...line, "there");
  expect(folder.exit).toBe(2);
  expect(folder.err).toContain("there is a folder");
});

test("what was exported names the key others need", async () => {
  const shell = await recorded();
  const { out } = await shell.run(...EXPORT, "a.tar");
  expect(out).toMatch(/^Wrote a\.tar: 1 entry, 0 artifacts\n/);
  expect(out).toContain('"sworn verify a.tar --key <your verifier key>"');
});
