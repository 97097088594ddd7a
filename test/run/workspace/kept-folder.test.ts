import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type KeptFolder, takeKept } from "../../../src/run/index.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";

const isGone = (owner: string) => owner.startsWith("gone");

function kept(): KeptFolder {
  const run = {
    store: "/s",
    task: "t",
    run_id: "r",
    agent: "a",
    trace: "t",
    base: "b",
    owner: "o",
  };
  return { path: temporaryFolder(), run };
}

test("of two that find the same holder of a folder gone at the same moment, one takes it", () => {
  const folder = kept();
  expect(takeKept(folder, "gone-1", isGone)).toBe(true);
  const took: string[] = [];
  const isGoneMeanwhile = (owner: string) => {
    // While the second one looks, the first one takes it.
    if (took.length === 0 && takeKept(folder, "first", isGone)) took.push("first");
    return isGone(owner);
  };
  if (takeKept(folder, "second", isGoneMeanwhile)) took.push("second");
  expect(took).toEqual(["first"]);
  expect(takeKept(folder, "third", isGone)).toBe(false);
  expect(readdirSync(folder.path).filter((name) => name.startsWith("taking"))).toEqual([]);
});

test("a folder whose takers all died can be taken again, and who lives keeps it", () => {
  const folder = kept();
  for (const self of ["gone-1", "gone-2", "gone-3", "alive"]) {
    expect(takeKept(folder, self, isGone)).toBe(true);
  }
  expect(takeKept(folder, "late", isGone)).toBe(false);
  // Of one that was killed while it wrote, by an earlier version, nothing is known.
  const torn = kept();
  writeFileSync(join(torn.path, "taken"), "");
  expect(takeKept(torn, "alive", (owner) => owner === "")).toBe(true);
});
