import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownedBy } from "../base/index.ts";

const TIMEOUT_MS = 20_000;
const OUTPUT_BYTES_MAX = 64 << 10;
const VERSION = /\d{1,9}\.\d{1,9}(?:\.\d{1,9})?(?:[-+][0-9A-Za-z.-]{1,40})?/;

/**
 * What a program answers to `--version`. It is given nothing of the caller's environment but the
 * PATH, an empty home, no folder of the project, and bounds in time and output.
 */
export async function askVersion(
  argv: readonly [string, ...string[]],
  path: string,
  timeoutMs = TIMEOUT_MS,
): Promise<string | undefined> {
  const [program, ...args] = argv;
  const home = mkdtempSync(join(tmpdir(), `sworn-version-${ownedBy()}`));
  const child = spawn(program, [...args, "--version"], {
    cwd: "/",
    env: { PATH: path, HOME: home, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  try {
    return VERSION.exec(await outputOf(child, timeoutMs))?.[0];
  } finally {
    killGroup(child);
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Both streams: some programs answer on the wrong one. An error of the start is no answer. */
function outputOf(child: ChildProcess, timeoutMs: number): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (): void => {
      clearTimeout(timer);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(Buffer.concat(chunks).toString("utf8"));
    };
    // Waiting for the pipes alone could take for ever: a child that left the group may hold them.
    const timer = setTimeout(finish, timeoutMs);
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= OUTPUT_BYTES_MAX) chunks.push(chunk);
      else finish();
    };
    child.stdout?.on("data", take);
    child.stderr?.on("data", take);
    child.once("error", finish);
    child.once("close", finish);
  });
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group is gone already.
  }
}
