import { execFileSync } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { pullsThrough } from "../egress/inside.ts";

/** The first version that reads sparse registries is 1.68; Debian 12 has an older one. */
function hasSparseCargo(): boolean {
  try {
    const said = execFileSync("cargo", ["--version"]).toString();
    return Number(/^cargo 1\.(\d+)\./.exec(said)?.[1] ?? 0) >= 68;
  } catch {
    // Not installed.
    return false;
  }
}

test.skipIf(!hasSparseCargo())("a recent cargo gets a crate through the proxy", () =>
  pullsThrough("cargo", {
    RUSTUP_HOME: process.env["RUSTUP_HOME"] ?? join(homedir(), ".rustup"),
  }),
);
