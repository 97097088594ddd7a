import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ProgramDriver } from "../../../src/agent/index.ts";
import type { AgentEvent } from "../../../src/schema/agent.ts";

/**
 * Starts an agent where it sees the system, what its driver names, its prompt, its home and its work
 * tree, and nothing else of the host but loopback.
 */
export async function startNarrow(driver: ProgramDriver, prompt: string, endpoint: string) {
  const base = mkdtempSync(join(tmpdir(), "sworn-narrow-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [tree, home, promptFile] = [
    join(base, "tree"),
    join(base, "home"),
    join(base, "prompt.md"),
  ];
  mkdirSync(tree);
  mkdirSync(home);
  writeFileSync(promptFile, prompt);
  const command = driver.command(prompt, { tree, home, promptFile, endpoint });
  const links = ["bin", "sbin", "lib", "lib64"].flatMap((name) => [
    ...["--symlink", `usr/${name}`, `/${name}`],
  ]);
  const shown = [promptFile, ...driver.programFolders];
  const child = spawn(
    "bwrap",
    [
      ...["--ro-bind", "/usr", "/usr", ...links, "--proc", "/proc", "--dev", "/dev"],
      ...["--tmpfs", "/tmp", ...shown.flatMap((path) => ["--ro-bind", path, path])],
      ...["--bind", home, home, "--bind", tree, tree, "--chdir", tree],
      ...["--unshare-pid", "--die-with-parent", ...command.argv],
    ],
    {
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: home, ...command.env },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const reader = driver.reader();
  const events: AgentEvent[] = [];
  child.stdout.on("data", (chunk: Buffer) => events.push(...reader.take(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  events.push(...reader.end());
  return { events, code, tree };
}
