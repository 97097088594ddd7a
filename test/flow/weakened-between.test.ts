import { symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { weakenedBetween } from "../../src/flow/change/weakened-between.ts";
import { Repository } from "../../src/repo/index.ts";
import { GitFolder } from "../repo/git-folder.ts";

const PATH = "test/sum.test.ts";
const SUM = [
  'test("adds", () => {',
  "  expect(sum(1, 2)).toBe(3);",
  "  expect(sum(2, 2)).toBe(4);",
  "});",
  "",
].join("\n");

async function judged(git: GitFolder, before: string, after: string) {
  const repository = await Repository.open(git.path, { env: git.env });
  onTestFinished(() => repository.close());
  const found = await weakenedBetween(repository, before, after);
  return found.map(({ severity, kind, path, line }) => [severity, kind, path, line]);
}

test("two commits are compared by what git holds of them", async () => {
  const git = new GitFolder();
  const first = git.commit({ [PATH]: SUM, "src/sum.ts": "export const sum = 1;\n" });
  const same = git.commit({ "src/sum.ts": "export const sum = 2;\n" });
  const less = git.commit({ [PATH]: SUM.replace("toBe(4)", "toBeTruthy()") });
  expect(await judged(git, first, same)).toEqual([]);
  expect(await judged(git, first, less)).toEqual([["weakened", "loosened", PATH, 3]]);
  expect(await judged(git, less, first)).toEqual([]);
});

test("a file that was renamed away is found, and one that was copied is not", async () => {
  const git = new GitFolder();
  const first = git.commit({ [PATH]: SUM });
  const copied = git.commit({ "test/copy.ts": SUM });
  git.git("rm", "--quiet", "test/copy.ts");
  git.git("mv", PATH, "test/sum.ts");
  const away = git.commit();
  expect(await judged(git, first, copied)).toEqual([]);
  expect(await judged(git, first, away)).toEqual([
    ["weakened", "renamed-away", "test/sum.ts", undefined],
  ]);
});

test("a test that became a link, or bytes that are no text, is not passed over", async () => {
  const git = new GitFolder();
  const first = git.commit({ [PATH]: SUM, "src/a.ts": "1;\n" });
  const binary = git.commit({ [PATH]: `${SUM}// \0\n`, "src/a.ts": "1; // \0\n" });
  unlinkSync(join(git.path, PATH));
  symlinkSync("nowhere", join(git.path, PATH));
  const link = git.commit();
  expect(await judged(git, first, binary)).toEqual([["weakened", "unread", PATH, undefined]]);
  expect(await judged(git, first, link)).toEqual([["weakened", "removed", PATH, 1]]);
});
