import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ownedBy } from "../../../src/base/index.ts";
import { RunFolder, reapFolders } from "../../../src/run/workspace/index.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";

const OWNER = { uid: 64_321, gid: 64_321 };

function temporaryIn(mode: number): string {
  const above = temporaryFolder();
  chmodSync(above, 0o711);
  const folder = join(above, "tmp");
  mkdirSync(folder);
  chmodSync(folder, mode);
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return folder;
}

test("a temporary folder that the task cannot pass is refused by name, and nothing is left in it", () => {
  const folder = temporaryIn(0o700);
  expect(() => new RunFolder(OWNER)).toThrow(`${folder} is closed to others`);
  expect(readdirSync(folder)).toEqual([]);
});

test("one that others can pass is taken, and so is a closed one where the task is the same user", () => {
  temporaryIn(0o711);
  new RunFolder(OWNER).remove();
  temporaryIn(0o700);
  new RunFolder(undefined).remove();
});

const NOW = Date.UTC(2026, 0, 10);
/** No system gives out this number. */
const GONE = 4_194_399;

function made(folder: string, name: string, daysAgo = 0): string {
  const path = join(folder, name);
  mkdirSync(join(path, "tree"), { recursive: true });
  writeFileSync(join(path, "tree", "a.ts"), "x");
  const at = new Date(NOW - daysAgo * 86_400_000);
  utimesSync(path, at, at);
  return path;
}

test("folders of processes that are gone are removed, of every kind", () => {
  const folder = temporaryFolder();
  const kinds = ["run", "git", "prove", "read", "take", "try", "types", "version"];
  const paths = kinds.map((kind) => made(folder, `sworn-${kind}-${ownedBy(GONE)}a1B2c3`));
  paths.push(made(folder, `sworn-run-${ownedBy()}a1B2c3`, 9));
  // One that was to be an agent's, before there was one.
  paths.push(made(folder, `sworn-agent-${ownedBy(GONE)}a1B2c3`));
  expect(reapFolders(NOW, folder)).toBe(paths.length);
  expect(paths.filter((path) => existsSync(path))).toEqual([]);
});

test("what is in use, may be the only copy of work, is called otherwise, or is a link stays", () => {
  const folder = temporaryFolder();
  const target = made(folder, "precious");
  const kept = [
    made(folder, `sworn-run-${ownedBy()}a1B2c3`),
    made(folder, `sworn-agent-${ownedBy(GONE)}a1B2c3`),
    made(folder, `sworn-agent-${ownedBy()}a1B2c3`, 9),
    made(folder, `sworn-runs-${ownedBy(GONE)}a1B2c3`),
    // Of another process namespace, where the number may be anybody's.
    made(folder, `sworn-run-${GONE}-1-a1B2c3`),
    join(folder, `sworn-git-${ownedBy(GONE)}afile1`),
    join(folder, `sworn-git-${ownedBy(GONE)}alink1`),
  ];
  writeFileSync(join(kept[1] ?? "", "run.json"), "{}");
  writeFileSync(kept.at(-2) ?? "", "mine");
  symlinkSync(target, kept.at(-1) ?? "");
  expect(reapFolders(NOW, folder)).toBe(0);
  expect([...kept, join(target, "tree", "a.ts")].filter((path) => !existsSync(path))).toEqual([]);
  expect(reapFolders(NOW, join(folder, "not-there"))).toBe(0);
});
