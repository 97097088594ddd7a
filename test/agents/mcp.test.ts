import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { McpPeer, serveHttp } from "../../src/mcp/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { FIXTURE_OFFER } from "../mcp/conformance/fixture-offer.ts";
import { bearToken } from "../mcp/conformance/token-bearer.ts";
import { startMcp } from "../mcp/start-mcp.ts";

const run = promisify(execFile);
const program = (name: string): string => {
  const path = process.env[`SWORN_AGENT_${name}`];
  if (path === undefined) throw new Error("run this by npm run test:agents");
  return path;
};
const CLI = resolve(import.meta.dirname, "../../dist/cli/bin.js");

/** What a server may leave out and ours does: nobody is asked, logged to or kept posted by it. */
const NOT_OFFERED = {
  "2025-11-25": [
    ...["logging-set-level", "completion-complete", "tools-call-with-logging"],
    ...["tools-call-with-progress", "tools-call-sampling", "tools-call-elicitation"],
    ...["elicitation-sep1034-defaults", "elicitation-sep1330-enums"],
    ...["resources-subscribe", "resources-unsubscribe"],
  ],
  "2026-07-28": [
    ...["completion-complete", "tools-call-with-progress", "http-custom-header-server-validation"],
    ...["input-required-result-basic-elicitation", "input-required-result-basic-sampling"],
    ...["input-required-result-basic-list-roots", "input-required-result-request-state"],
    ...["input-required-result-multiple-input-requests", "input-required-result-multi-round"],
    ...["input-required-result-non-tool-request", "input-required-result-result-type"],
    ...["input-required-result-tampered-state", "input-required-result-capability-check"],
  ],
} as const;

/** What the suite prints, of all its scenarios or of one. */
async function suiteOutput(url: string, revision: string, scenario?: string): Promise<string> {
  const args = [program("CONFORMANCE"), "server", "--url", url, "--spec-version", revision];
  const which = scenario === undefined ? ["--suite", "all"] : ["--scenario", scenario];
  const options = { cwd: temporaryFolder(), maxBuffer: 1 << 26 };
  const { stdout } = await run(program("NODE"), [...args, ...which], options).catch(
    (failed: { stdout: string }) => failed,
  );
  return stdout;
}

/** Runs the suite and gives for each scenario how many checks passed and failed. */
async function conformance(url: string, revision: string) {
  const stdout = await suiteOutput(url, revision);
  const lines = [...stdout.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm)];
  return new Map(
    lines.map(([, name = "", passed, failed]) => [
      name,
      { passed: Number(passed), failed: Number(failed) },
    ]),
  );
}

async function fixture() {
  const token = "of-the-suite";
  const served = await serveHttp(new McpPeer(FIXTURE_OFFER), { port: 0, token });
  const bearer = await bearToken(served.url, token);
  onTestFinished(async () => {
    await bearer.close();
    await served.close();
  });
  return bearer.url;
}

test("the suite passes for all that is offered, in the revision with a handshake", async () => {
  const results = await conformance(await fixture(), "2025-11-25");
  expect(results.size).toBeGreaterThan(25);
  const failed = [...results].filter(([, { failed: count }]) => count > 0).map(([name]) => name);
  expect(failed.toSorted()).toEqual([...NOT_OFFERED["2025-11-25"]].toSorted());
});

test("the suite passes for all that is offered, in the stateless revision", async () => {
  const results = await conformance(await fixture(), "2026-07-28");
  expect(results.size).toBeGreaterThan(30);
  const failed = [...results].filter(([, { failed: count }]) => count > 0).map(([name]) => name);
  const whole = failed.filter((name) => name !== "server-stateless");
  expect(whole.toSorted()).toEqual([...NOT_OFFERED["2026-07-28"]].toSorted());
});

test("of the stateless architecture only what needs a tool that asks back cannot be tested", async () => {
  const stdout = await suiteOutput(await fixture(), "2026-07-28", "server-stateless");
  // Colours stand around the words.
  const checks = [...stdout.matchAll(/\[([a-z0-9-]+) *\] \S*?(SUCCESS|FAILURE|WARNING|SKIPPED)/g)];
  const of = (result: string) =>
    checks.filter(([, , found]) => found === result).map(([, name]) => name);
  expect(of("SUCCESS").length).toBe(22);
  expect(of("FAILURE")).toEqual([
    "sep-2575-server-rejects-undeclared-capability",
    "sep-2575-missing-capability-http-400",
    "sep-2575-http-server-no-independent-requests-on-stream",
  ]);
  const why = [...stdout.matchAll(/^ +Error: (.*)$/gm)].map(([, words = ""]) => words);
  expect(why.length).toBe(3);
  expect(why.filter((words) => !words.startsWith("Not testable: server does not list"))).toEqual(
    [],
  );
  // Nobody can subscribe: lists do not change while it serves.
  expect(of("SKIPPED").length).toBe(5);
  expect(of("WARNING")).toEqual([]);
});

test("our own server passes what needs no fixture, in both kinds of revisions", async () => {
  const { url, token } = await startMcp();
  const bearer = await bearToken(url, token);
  onTestFinished(bearer.close);
  for (const revision of ["2025-11-25", "2026-07-28"]) {
    const results = await conformance(bearer.url, revision);
    const needed = ["tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"];
    const more =
      revision === "2025-11-25"
        ? ["server-initialize", "ping"]
        : ["caching", "http-header-validation"];
    for (const name of [...needed, ...more]) {
      expect(results.get(name)?.failed, `${revision} ${name}`).toBe(0);
      expect(results.get(name)?.passed, `${revision} ${name}`).toBeGreaterThan(0);
    }
  }
});

test("the inspector lists our tools, calls one and reads what it did, over both transports", async () => {
  const folder = temporaryFolder();
  const env = { PATH: process.env["PATH"], HOME: folder, SWORN_STATE_DIR: join(folder, "state") };
  const inspect = async (...args: string[]) => {
    const all = [program("MCP_INSPECTOR"), "--cli", ...args];
    const { stdout } = await run(program("NODE"), all, { cwd: folder, env, maxBuffer: 1 << 26 });
    return JSON.parse(stdout);
  };
  const stdio = [process.execPath, CLI, "mcp", "--task", "demo"];
  const { tools } = await inspect(...stdio, "--method", "tools/list", "--strict");
  expect(tools.length).toBe(15);
  const call = ["--method", "tools/call", "--tool-name"];
  const posted = await inspect(...stdio, ...call, "bus_post", "--tool-arg", "text=hello");
  expect(posted.structuredContent.id).toMatch(/^MSG-\d+$/);
  const { contents } = await inspect(
    ...[...stdio, "--method", "resources/read", "--uri", "sworn://bus/task"],
  );
  expect(contents[0].text).toContain("hello");
  const { url, token } = await startMcp();
  const http = [url, "--transport", "http", "--header", `Authorization: Bearer ${token}`];
  const { prompts } = await inspect(...http, "--method", "prompts/list");
  expect(prompts.length).toBe(3);
});
