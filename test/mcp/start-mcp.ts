import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../fake/sandbox.ts";

const CLI = resolve(import.meta.dirname, "../../dist/cli/bin.js");

/** `sworn mcp --http` as a process of its own, gone after the test. */
export async function startMcp(...args: string[]) {
  const folder = temporaryFolder();
  const env = { PATH: process.env["PATH"], HOME: folder, SWORN_STATE_DIR: join(folder, "state") };
  const child = spawn(process.execPath, [CLI, "mcp", "--http", ...args], {
    ...{ cwd: folder, env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const stop = async (): Promise<number> => {
    child.kill("SIGTERM");
    const [code] = await ended;
    return code;
  };
  onTestFinished(async () => {
    await stop();
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const url = /^Serving MCP at (.*)$/.exec((await lines.next()).value)?.[1] ?? "";
  const tokenFile = /^The token is in (.*)$/.exec((await lines.next()).value)?.[1] ?? "";
  return { url, tokenFile, token: readFileSync(tokenFile, "utf8").trim(), stop };
}
