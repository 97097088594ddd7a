import { expect, test } from "vitest";
import { recipesOf } from "../../../src/flow/ci/make-recipes.ts";
import { testFiles } from "../../../src/flow/ci/test-files.ts";
import { Repository } from "../../../src/repo/index.ts";
import { GitFolder } from "../../repo/git-folder.ts";

test("settings that hold each other come to no more than a line", () => {
  const text = `A = ${"x".repeat(9_000)}\nB = ${"$(A)".repeat(2_000)}\nall:\n\t@echo ${"$(B)".repeat(2_000)}\n`;
  for (const line of recipesOf(text, ["all"]) ?? []) expect(line.length).toBeLessThan(10_001);
  expect([...(recipesOf("P = node\nt:\n\t@$(P) --test\n", ["t"]) ?? [])]).toEqual(["node --test"]);
});

test("a rule that starts itself over and over comes to an end, and is not known", async () => {
  const git = new GitFolder();
  const commit = git.commit({
    Makefile: `test:\n${"\t@make test\n".repeat(1_000)}`,
    "a.sh": "true\n",
  });
  const repository = await Repository.open(git.path, { env: git.env });
  try {
    const commands = [{ argv: ["make", "test"], folder: "" }];
    const files = await testFiles(repository, commit, { commands, weakened: [] });
    expect(files.mayBe("a.sh")).toMatch(/^nothing here reads what `make test` runs/);
  } finally {
    repository.close();
  }
});
