import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";

/** A folder that is gone after the test, whatever the test put into it. */
export function workspace(): string {
  const path = mkdtempSync(join(tmpdir(), "sworn-collect-"));
  chmodSync(path, 0o755);
  onTestFinished(() => {
    if (!existsSync(path)) return;
    execFileSync("chmod", ["-R", "u+rwx", path]);
    // Node's own removal gives up where paths become too long.
    execFileSync("rm", ["-rf", path]);
  });
  return path;
}

const NOBODY = 65_534;

/**
 * Runs a line of JavaScript against the built code as a user without privileges, and gives back what
 * it evaluates to. Modes mean nothing to root, so that root's own tests cannot show them.
 */
export function asPlainUser(line: string): unknown {
  const built = resolve(import.meta.dirname, "../../../dist/run/collect/index.js");
  const script = `import * as collect from ${JSON.stringify(built)};
import * as fs from "node:fs";
process.umask(0o022);
console.log(JSON.stringify((() => { ${line} })()));`;
  const isRoot = process.getuid?.() === 0;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", script],
    { encoding: "utf8", ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}) },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
