import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../fake/sandbox.ts";
import { ROOT, read } from "./markdown.ts";

/** Runs the script on a machine that has the given commands and no way to install others. */
function setup(commands: readonly string[], ...args: string[]) {
  const bin = temporaryFolder();
  for (const command of commands) symlinkSync(process.execPath, join(bin, command));
  const script = resolve(ROOT, "scripts/setup-system");
  const { status, stderr } = spawnSync("/bin/sh", [script, ...args], {
    env: { PATH: bin },
    encoding: "utf8",
  });
  return { status, stderr };
}

test("the demo needs git and what seals commands off, and nothing that only the tests need", () => {
  expect(setup(["git", "bwrap", "strace"], "demo")).toEqual({ status: 0, stderr: "" });
  expect(setup([], "demo")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("git bubblewrap strace"),
  });
});

const EVERYTHING = [
  ...["git", "strace", "python3", "script", "curl", "bwrap", "socat"],
  ...["dockerd", "podman", "catatonit", "busybox", "mmdebstrap", "minisign"],
  ...["ssh", "sshd"],
];

test("the tests need everything, and so does a setup without a purpose", () => {
  for (const args of [["test"], []]) {
    expect(setup(EVERYTHING, ...args).status).toBe(0);
    const { status, stderr } = setup(["git"], ...args);
    expect(status).toBe(1);
    expect(stderr).toContain("strace python3");
  }
  expect(setup(["git"], "nonsense").status).toBe(2);
});

test("each script asks for what it needs", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  expect(scripts["predemo"]).toContain("setup --silent -- demo");
  expect(scripts["pretest"]).toContain("setup --silent -- test");
});
