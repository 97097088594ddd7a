import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openRunTooling, toolingMount } from "../../../src/flow/tooling/run-tooling.ts";
import { RUN_SOCKET } from "../../../src/inside/index.ts";
import { McpPeer, verbOffer } from "../../../src/mcp/index.ts";
import { BwrapEngine } from "../../../src/sandbox/index.ts";
import { TOOLING } from "../../../src/schema/execution.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";
import { attempt } from "../../sandbox/attempt.ts";
import { verifies } from "../../verifies.ts";
import { type Call, CODER, listening } from "./stage.ts";

const engine = new BwrapEngine();
const INSIDE = resolve(import.meta.dirname, "../../../src/inside");

/** The tooling of a run in a folder that its sandbox's user owns. */
async function tooling(calls: Call[]) {
  const top = temporaryFolder();
  chmodSync(top, 0o711);
  const folder = join(top, "tooling");
  mkdirSync(folder, { mode: 0o700 });
  if (engine.owner) chownSync(folder, engine.owner.uid, engine.owner.gid);
  const opened = await openRunTooling({
    folder,
    speaker: CODER,
    functions: listening(calls),
    owner: engine.owner,
    openMcp: (ask) => {
      const peer = new McpPeer(verbOffer(ask, "1.0.0", { hasTask: true }));
      return async (message) => (await peer.take(message)).message;
    },
  });
  onTestFinished(() => opened.close());
  return { ...opened, folder };
}

const PATH = "/usr/local/bin:/usr/bin:/bin";
const sh = (opened: Awaited<ReturnType<typeof tooling>>, script: string, env = {}) =>
  attempt(engine, { kind: "host" }, ["sh", "-c", script], {}, () => {}, {
    mounts: [toolingMount(opened.folder)],
    env: { PATH: `/run/sworn/tooling/bin:${PATH}`, ...env },
  });

verifies(
  ["003-12", "003-42"],
  "in a sandbox `sworn` speaks as its run, whatever the environment says",
  async () => {
    const calls: Call[] = [];
    const env = {
      SWORN_STATE_DIR: "/tmp",
      SWORN_AGENT: "lead",
      JRUN_ID: "20200101-0000000000-1",
      JRUN_TASK_ID: "other",
      USER: "lead",
    };
    const other = await tooling([]);
    const script = [
      "sworn bus post --kind INFO hello",
      "sworn bus post --kind STOP over",
      `ls ${other.folder}`,
      "echo forged > /run/sworn/tooling/bin/sworn",
      "rm -f /run/sworn/tooling/run.sock",
      "sworn bus post --agent lead hello",
      `printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bus_post","arguments":{"text":"by mcp"}}}' '{"jsonrpc":"2.0","id":2,"method":"ping"}' | sworn mcp`,
    ].join("\n");
    const { out, err } = await sh(await tooling(calls), script, env);
    expect(out.split("\n").slice(0, 1)).toEqual(["Said MSG-1 on the project's bus."]);
    expect(err).toContain("Refused: STOP is the runner's to say");
    expect(err).toContain("Unknown option '--agent'");
    expect(err).toMatch(/cannot access .*No such file/);
    expect(err.match(/Read-only file system/g)?.length).toBe(2);
    const answers = out
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => JSON.parse(line));
    expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2]);
    expect(calls.map(({ args }) => (args as { text: string }).text)).toEqual(["hello", "by mcp"]);
    expect(calls.every(({ speaker }) => speaker === CODER)).toBe(true);
  },
);

test("`sworn` inside is small, and needs nothing but Node.js", async () => {
  const sources = readdirSync(INSIDE);
  expect(sources.length).toBeGreaterThan(5);
  for (const name of sources) {
    const text = readFileSync(join(INSIDE, name), "utf8");
    const imported = [...text.matchAll(/^(?:import|export) (?!type)[^;]*?from "([^"]+)"/gm)];
    const foreign = imported
      .map(([, from = ""]) => from)
      .filter((from) => !/^(\.\/|node:)/.test(from));
    expect(foreign, name).toEqual([]);
    expect(text, name).not.toMatch(/process\.env|\benv\b\s*[.[]/);
  }
  const { folder } = await tooling([]);
  const size = execFileSync("du", ["-sb", folder], { encoding: "utf8" }).split("\t")[0];
  expect(Number(size)).toBeLessThan(100_000);
  expect(readdirSync(folder).toSorted()).toEqual(["bin", "inside.mjs", "run.sock"]);
});

test("the place of the socket is the same for those who make it and those who use it", () => {
  expect(RUN_SOCKET).toBe(TOOLING.socket);
  expect(TOOLING.socket).toBe(`${TOOLING.folder}/run.sock`);
});
