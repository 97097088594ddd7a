import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Ended, keepEnding, keptEnding } from "../../../src/flow/agent/kept-ending.ts";
import { RunFolder } from "../../../src/run/index.ts";
import { Limits } from "../../../src/schema/execution.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";

const nothing = { bytes: 0, sha256: "", kept: Buffer.alloc(0) };
const program = {
  pid: 7,
  argv: ["/bin/sh", "-c", "true"],
  cwd: undefined,
  beganMs: 1,
  endedMs: 2,
  exit: undefined,
  signal: "SIGTERM",
  parent: undefined,
};
const ran = {
  kind: "ran",
  end: { code: undefined, signal: "SIGTERM", limit: "cancelled" },
  stdout: nothing,
  stderr: nothing,
  observed: { processes: [program], gaps: ["the trace was cut off"] },
} as const;
const ended: Ended = {
  heard: {
    ran,
    answer: "half a character: \ud83d",
    watch: { cpuMs: 12, peakBytes: undefined, processes: [] },
    use: {
      inputTokens: 1,
      outputTokens: 2,
      microUsd: undefined,
      turns: 3,
      toolCalls: 4,
      toolCallsBy: "partly",
    },
    troubles: [{ kind: "error", why: "busy", message: "it is busy" }],
  },
  egress: [
    {
      host: "models.example.org",
      method: "POST",
      bytesIn: 1,
      bytesOut: 2,
      startedAt: 3,
      endedAt: 4,
      verdict: "allowed",
      status: 503,
    },
  ],
  limits: Limits.parse({}),
};

function world() {
  const folder = new RunFolder(undefined, true);
  onTestFinished(() => folder.remove());
  const own = temporaryFolder();
  const output = join(own, "output");
  mkdirSync(output);
  const stdout = join(own, "agent-stdout.txt");
  writeFileSync(stdout, "printed");
  return { folder, own, output, stdout };
}

test("how an agent ended is read as it was written, with what it left in its output", () => {
  const { folder, output, stdout } = world();
  writeFileSync(join(output, "output.md"), "All of it.");
  expect(keptEnding(folder.path, stdout)).toBe(undefined);
  keepEnding(folder, ended, output);
  const kept = keptEnding(folder.path, stdout);
  const { ran: _ran, ...rest } = ended.heard;
  expect(kept?.heard).toMatchObject({ ...rest, answer: "half a character: \ufffd" });
  expect(kept?.heard.ran).toMatchObject({ end: ran.end, observed: ran.observed });
  expect(kept?.heard.ran).toMatchObject({ stdout: { bytes: 7, kept: Buffer.from("printed") } });
  expect([kept?.egress, kept?.limits]).toEqual([ended.egress, ended.limits]);
  expect(readFileSync(join(kept?.output ?? "", "output.md"), "utf8")).toBe("All of it.");
});

test("a link in the place of an output is not followed", () => {
  const { folder, own, output, stdout } = world();
  writeFileSync(join(own, "secret"), "mine");
  symlinkSync(join(own, "secret"), join(output, "output.md"));
  keepEnding(folder, ended, output);
  const kept = keptEnding(folder.path, stdout);
  expect(() => readFileSync(join(kept?.output ?? "", "output.md"))).toThrow(/ENOENT/);
});

test("half an ending is none: the run was cut short", () => {
  const { folder, output, stdout } = world();
  keepEnding(folder, ended, output);
  const path = join(folder.path, "ended.json");
  writeFileSync(path, readFileSync(path, "utf8").slice(0, 100));
  expect(keptEnding(folder.path, stdout)).toBe(undefined);
});
