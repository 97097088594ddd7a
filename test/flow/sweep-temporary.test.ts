import { existsSync, lstatSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sweepTemporary } from "../../src/flow/review/sweep-temporary.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

const NOW = Date.UTC(2026, 0, 10);
const hoursAgo = (hours: number) => new Date(NOW - hours * 3_600_000);

function made(folder: string, name: string, { hours = 25, mode = 0o700 } = {}): string {
  const path = join(folder, name);
  mkdirSync(join(path, "tree"), { recursive: true, mode });
  writeFileSync(join(path, "tree", "a.ts"), "x");
  utimesSync(path, hoursAgo(hours), hoursAgo(hours));
  return path;
}

test("folders that a killed run left behind are removed", () => {
  const folder = temporaryFolder();
  const names = ["sworn-git-a1B2c3", "sworn-types-a1B2c3", "sworn-read-a1B2c3"];
  const paths = names.map((name) => made(folder, name));
  sweepTemporary(NOW, folder);
  expect(paths.filter((path) => existsSync(path))).toEqual([]);
});

test("what may be in use, is another's by its name, or can be entered by others stays", () => {
  const folder = temporaryFolder();
  const kept = [
    made(folder, "sworn-git-aaaaaa", { hours: 23 }),
    made(folder, "sworn-gits-aaaaa"),
    made(folder, "sworn-git-aaaaaa.bak"),
    made(folder, "sworn-types-shared", { mode: 0o755 }),
  ];
  const file = join(folder, "sworn-git-afile1");
  writeFileSync(file, "mine", { mode: 0o600 });
  utimesSync(file, hoursAgo(99), hoursAgo(99));
  sweepTemporary(NOW, folder);
  expect([...kept, file].filter((path) => !existsSync(path))).toEqual([]);
});

test("a link is neither followed nor removed", () => {
  const folder = temporaryFolder();
  const target = made(folder, "precious");
  const link = join(folder, "sworn-git-alink1");
  symlinkSync(target, link);
  sweepTemporary(Date.now() + 99 * 3_600_000, folder);
  expect(existsSync(join(target, "tree", "a.ts"))).toBe(true);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

test("a folder that cannot be listed stops nobody", () => {
  expect(() => sweepTemporary(NOW, join(temporaryFolder(), "gone"))).not.toThrow();
});
