import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../fake/sandbox.ts";
import { GitFolder } from "./git-folder.ts";

async function openedWith(files: Record<string, string>) {
  const project = new GitFolder();
  const base = project.commit(files);
  const repository = await project.open();
  return { project, base, repository, maker: repository.commitMaker() };
}

test("a commit has the changes that it was given, and none besides", async () => {
  const { project, base, repository, maker } = await openedWith({ "a.txt": "one\n", b: "1\n" });
  const other = project.commit({ "a.txt": "two\n", b: "2\n", c: "new\n" });
  const changes = await repository.rawChanges(base, other);
  const commit = await maker.withChanges(
    base,
    changes.filter(({ path }) => path !== "b"),
    "only two",
  );
  expect(project.git("show", `${commit}:a.txt`)).toBe("two");
  expect(project.git("show", `${commit}:b`)).toBe("1");
  expect(project.git("show", `${commit}:c`)).toBe("new");
  expect(project.git("rev-parse", `${commit}^`)).toBe(base);
});

test("two sides are put together, and a contradiction names its files and leaves both", async () => {
  const { project, base, maker } = await openedWith({ "a.txt": "1\n2\n3\n4\n5\n", b: "1\n" });
  project.git("switch", "--quiet", "--create", "left");
  const left = project.commit({ "a.txt": "one\n2\n3\n4\n5\n" });
  project.git("switch", "--quiet", "--create", "right", base);
  const right = project.commit({ "a.txt": "1\n2\n3\n4\nfive\n" });
  project.git("switch", "--quiet", "--create", "against", base);
  const against = project.commit({ "a.txt": "eins\n2\n3\n4\n5\n" });
  const merged = await maker.merge(left, right, "both");
  if (!("commit" in merged)) throw new Error("they do not contradict each other");
  expect(project.git("show", `${merged.commit}:a.txt`)).toBe("one\n2\n3\n4\nfive");
  expect(await maker.merge(left, against, "no")).toEqual({ conflicts: ["a.txt"] });
  await maker.point("refs/heads/sworn/work/x", merged.commit);
  expect(project.git("rev-parse", "sworn/work/x")).toBe(merged.commit);
  expect(project.git("rev-parse", "--abbrev-ref", "HEAD")).toBe("against");
});

test("a reference that is not ours is never moved", async () => {
  const { base, maker } = await openedWith({ a: "1" });
  await expect(maker.point("refs/heads/main", base)).rejects.toThrow("one of ours");
});

test("an empty commit shows nothing of the project", async () => {
  const { project, maker } = await openedWith({ a: "1" });
  const commit = await maker.empty("for a stranger");
  expect(project.git("ls-tree", "-r", commit)).toBe("");
});

test("a folder that is kept is saved although the project ignores it", async () => {
  const { project, base, repository } = await openedWith({ ".gitignore": "staging/\nnoise\n" });
  const folder = temporaryFolder();
  const keeps = "staging/st-01";
  const tree = await repository.openRunTree({ folder, commit: base, env: project.env, keeps });
  writeFileSync(join(folder, keeps, "output.json"), "{}");
  mkdirSync(join(folder, keeps, "nested/.git"), { recursive: true });
  writeFileSync(join(folder, keeps, "nested/.git/HEAD"), "ref: x\n");
  writeFileSync(join(folder, "noise"), "1");
  const { changed, commit } = await tree.save("refs/sworn/runs/x", "x");
  tree.remove();
  expect(changed.map(({ path }) => path)).toEqual([
    `${keeps}/nested/.git-saved/HEAD`,
    `${keeps}/output.json`,
  ]);
  expect(project.git("show", `${commit}:${keeps}/output.json`)).toBe("{}");
});

test("a link in place of the folder is not followed, neither before the run nor after it", async () => {
  const { project, base, repository } = await openedWith({ a: "1" });
  const elsewhere = temporaryFolder();
  mkdirSync(join(elsewhere, "st-01/.git"), { recursive: true });
  writeFileSync(join(elsewhere, "st-01/secret"), "1");
  const folder = temporaryFolder();
  const options = { folder, commit: base, env: project.env, keeps: "staging/st-01" };
  const kept = await repository.openRunTree(options);
  rmSync(join(folder, "staging"), { recursive: true });
  symlinkSync(elsewhere, join(folder, "staging"));
  const saved = await kept.save("refs/sworn/runs/y", "y");
  kept.remove();
  expect(saved.changed.map(({ path }) => path)).toEqual(["staging"]);
  expect(existsSync(join(elsewhere, "st-01/.git"))).toBe(true);
  symlinkSync(elsewhere, join(project.path, "staging"));
  const linked = project.commit();
  const again = { ...options, folder: temporaryFolder(), commit: linked };
  await expect(repository.openRunTree(again)).rejects.toThrow(/has a link on the way/);
});
