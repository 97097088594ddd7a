import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { acpDriver, type ProgramDriver } from "../../../src/agent/index.ts";
import { AgentConfig } from "../../../src/schema/agent.ts";
import { startNarrow } from "./start-narrow.ts";

const PEER = resolve(import.meta.dirname, "acp-peer.mjs");

function driver(mode: string, env: Record<string, string> = {}): ProgramDriver {
  const config = AgentConfig.parse({ driver: "acp", argv: ["peer", mode], env, key_env: "MY_KEY" });
  if (config.driver !== "acp") throw new Error("expected an agent");
  return acpDriver(config, {
    path: PEER,
    argv: [process.execPath, PEER],
    version: undefined,
    folders: [dirname(process.execPath), PEER],
  });
}

test("it runs where it sees nothing of the host but the system and its own files", async () => {
  const { events, code, tree } = await startNarrow(driver("truth"), "Write it.", "http://x.test");
  expect(events.filter(({ kind }) => kind === "unread" || kind === "error")).toEqual([]);
  expect(events.at(-1)).toMatchObject({ kind: "answer" });
  expect(code).toBe(0);
  expect(readFileSync(join(tree, "out.txt"), "utf8")).toBe("hello\nthere\n");
});

test("a request to end reaches the agent as the protocol has it", async () => {
  const tree = mkdtempSync(join(tmpdir(), "sworn-acp-"));
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }));
  const promptFile = join(tree, "prompt.md");
  writeFileSync(promptFile, "Fix it.");
  const places = { tree, home: tree, promptFile, endpoint: undefined };
  const [program = "", ...args] = driver("stalls").command("", places).argv;
  const child = spawn(program, args, { cwd: tree, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk;
    if (printed.includes("Let me think")) child.kill("SIGTERM");
  });
  const code = await new Promise<number | null>((done) => child.once("close", done));
  expect([code, printed]).toEqual([1, expect.stringContaining("its turn ended with cancelled")]);
});

test("its own settings reach it, with the address that is known inside", () => {
  const places = { tree: "/t", home: "/h", promptFile: "/p", endpoint: "http://127.0.0.1:1" };
  const { env } = driver("truth", { OPENAI_HOST: "{endpoint}", MODE: "$& auto" }).command(
    "",
    places,
  );
  expect(env).toMatchObject({
    OPENAI_HOST: "http://127.0.0.1:1",
    MODE: "$& auto",
    MY_KEY: "sworn-placeholder",
  });
});
