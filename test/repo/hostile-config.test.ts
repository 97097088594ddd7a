import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { all, GitFolder } from "./git-folder.ts";

/** A repository in which everything that git could start would leave a file behind. */
function trapped(): { folder: GitFolder; base: string; head: string; sprung: () => string[] } {
  const folder = new GitFolder();
  const base = folder.commit({ "a.ts": "a\n", "b.bin": "b\n", ".gitattributes": "* diff=trap\n" });
  folder.git("switch", "--quiet", "-c", "feature");
  const head = folder.commit({ "a.ts": "a\nmore\n", "c.ts": "c\n" });
  const marks = join(folder.home, "marks");
  mkdirSync(marks);
  const trap = (name: string) => {
    const path = join(folder.home, `trap-${name}`);
    writeFileSync(path, `#!/bin/sh\ntouch "${marks}/${name}"\nexit 1\n`);
    chmodSync(path, 0o755);
    return path;
  };
  for (const hook of ["post-index-change", "reference-transaction", "pre-commit"]) {
    mkdirSync(join(folder.home, "hooks"), { recursive: true });
    for (const place of [join(folder.home, "hooks"), join(folder.path, ".git/hooks")]) {
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, hook), `#!/bin/sh\ntouch "${marks}/hook-${hook}"\n`);
      chmodSync(join(place, hook), 0o755);
    }
  }
  writeFileSync(join(folder.path, ".git/info/attributes"), "* diff=trap filter=trap merge=trap\n");
  const config = {
    "core.fsmonitor": trap("fsmonitor"),
    "core.hooksPath": join(folder.home, "hooks"),
    "core.pager": trap("pager"),
    "core.editor": trap("editor"),
    "core.sshCommand": trap("ssh"),
    "core.gitProxy": trap("proxy"),
    "core.askPass": trap("askpass"),
    "core.alternateRefsCommand": trap("alternates"),
    "pager.diff-tree": trap("pager-diff-tree"),
    "pager.rev-parse": trap("pager-rev-parse"),
    "diff.external": trap("external"),
    "diff.trap.command": trap("driver"),
    "diff.trap.textconv": trap("textconv"),
    "filter.trap.clean": trap("clean"),
    "filter.trap.smudge": trap("smudge"),
    "filter.trap.process": trap("process"),
    "filter.trap.required": "true",
    "merge.trap.driver": trap("merge"),
    "alias.rev-parse": `!${trap("alias")}`,
    "alias.cat-file": `!${trap("alias")}`,
    "gpg.program": trap("gpg"),
    "log.showSignature": "true",
    "credential.helper": `!${trap("credential")}`,
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
    "remote.origin.url": `ext::${trap("lazy")} %s`,
    "remote.origin.promisor": "true",
    "remote.origin.partialclonefilter": "blob:none",
    "remote.origin.uploadpack": trap("uploadpack"),
    "remote.origin.vcs": "ext",
    "extensions.partialClone": "origin",
    "core.repositoryFormatVersion": "1",
  };
  for (const [key, value] of Object.entries(config)) folder.git("config", key, value);
  return { folder, base, head, sprung: () => readdirSync(marks) };
}

test("the traps do spring for plain git", () => {
  const { folder, base, head, sprung } = trapped();
  const tried = [
    ["status"],
    ["diff-tree", "-p", "--ext-diff", base, head],
    ["cat-file", "-p", "1".repeat(40)],
    // Writes the index for certain; whether `status` does depends on the age of the files.
    ["read-tree", "HEAD"],
  ];
  for (const args of tried) {
    try {
      folder.git(...args);
    } catch {
      // What the traps leave behind is looked at, not how git likes their answers.
    }
  }
  expect(sprung()).toEqual(["fsmonitor", "hook-post-index-change", "lazy", "process"]);
});

test("nothing that a repository configures is ever started", async () => {
  const { folder, base, head, sprung } = trapped();
  folder.git("-c", "core.fsmonitor=false", "-c", "filter.trap.required=false", "rev-parse", "HEAD");
  const missing = folder.git("rev-parse", `${base}:b.bin`);
  rmSync(join(folder.path, ".git/objects", missing.slice(0, 2), missing.slice(2)));
  for (const mark of sprung()) rmSync(join(folder.home, "marks", mark));

  const repository = await folder.open();
  expect(await repository.resolveCommit("HEAD")).toBe(head);
  expect((await repository.resolveRange()).base.commit).toBe(base);
  expect((await repository.resolveRange("main...feature")).base.commit).toBe(base);
  expect(await all(repository.changedFiles(base, head))).toMatchObject([
    { path: "a.ts", added: 1, isBinary: false },
    { path: "c.ts", added: 1 },
  ]);
  const entries = await all(repository.listTree(head));
  expect(entries).toHaveLength(4);
  const reader = repository.openBlobs();
  const contents = await Promise.all(entries.map(({ blob }) => reader.read(blob)));
  expect(contents.map(({ state }) => state)).toEqual(["content", "content", "missing", "content"]);
  await expect(repository.resolveCommit("2".repeat(40))).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(repository.pullRequestHead(3)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await repository.stagedTree().catch((error: unknown) => {
    expect(error).toMatchObject({ code: "STORE_UNREADABLE" });
  });
  await reader.close();
  expect(sprung()).toEqual([]);
});

test("a configuration that git cannot read is an error with git's words", async () => {
  const folder = new GitFolder();
  folder.commit();
  writeFileSync(join(folder.path, ".git/config"), "[core\n\u001b[31m");
  await expect(folder.open()).rejects.toMatchObject({
    code: "INPUT_INVALID",
    message: expect.stringMatching(/bad config line 1/),
  });
  expect(existsSync(join(folder.path, ".git/index.lock"))).toBe(false);
});
