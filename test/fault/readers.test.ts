import { join } from "node:path";
import { expect, test } from "vitest";
import { sworn } from "../fake/child.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { killedProject } from "./damage.ts";
import { contentOf, exampleProject, type Project } from "./project.ts";

/** Every command that only looks. */
const READERS = (elsewhere: string): string[][] => [
  ["trace", "ls"],
  ["trace", "show", "latest"],
  ["trace", "show", "latest", "1"],
  ["trace", "tail", "latest"],
  ["trace", "fsck"],
  ["trace", "fsck", "latest"],
  ["trace", "recover", "latest"],
  ["trace", "export", "latest", "--out", join(elsewhere, "bundle.tar")],
  ["trace", "prove", "latest", "1"],
  ["trace", "prove", "latest", "1", "--since", "2", "--out", join(elsewhere, "proof.json")],
  ["verify", "latest"],
  ["verify", "latest", "--fast"],
  ["verify", join(elsewhere, "bundle.tar")],
  ["verify", join(elsewhere, "proof.json")],
  ["keys", "list"],
  ["keys", "export-public"],
];

async function expectUnchanged(project: Project): Promise<void> {
  const elsewhere = temporaryFolder();
  const before = contentOf(project.folder);
  for (const args of READERS(elsewhere)) {
    const { code, err } = await sworn(project, args);
    expect(code, `${args.join(" ")}: ${err}`).toBe(0);
    const after = contentOf(project.folder);
    for (const path of Object.keys(after)) if (isEmptyCompanion(path, after)) delete after[path];
    const known = Object.entries(before).filter(([path]) => !isEmptyCompanion(path, before));
    expect(after, args.join(" ")).toEqual(Object.fromEntries(known));
  }
}

const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** What SQLite puts beside a database to read it: shared memory, and a log without anything in it. */
function isEmptyCompanion(path: string, content: Record<string, string>): boolean {
  return path.endsWith("-shm") || (path.endsWith("-wal") && content[path] === EMPTY);
}

test("commands that only look leave every file of store and state as it is", async () => {
  await expectUnchanged(await exampleProject());
});

test("commands that only look leave the log of a killed writer as it is", async () => {
  await expectUnchanged(await killedProject(4));
});
