import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { modelDriver, type ProgramDriver } from "../../../src/agent/index.ts";
import { AgentConfig } from "../../../src/schema/agent.ts";
import { calls, refuse, says, serve } from "./scripted-service.ts";
import { startNarrow } from "./start-narrow.ts";

function driver(more: object = {}): ProgramDriver {
  const config = AgentConfig.parse({
    driver: "model",
    provider: "openai",
    model: "scripted",
    ...more,
  });
  if (config.driver !== "model") throw new Error("expected a model");
  return modelDriver(config);
}

test("it runs where it sees nothing of the host but the system and its own files", async () => {
  const { asked, endpoint } = await serve([
    calls(["write_file", { path: "out.txt", content: "hello\n" }], ["run", { argv: ["ls"] }]),
    says("Done: out.txt is there."),
  ]);
  const { events, code, tree } = await startNarrow(driver(), "Write out.txt.", endpoint);
  expect(events.filter(({ kind }) => kind === "unread" || kind === "error")).toEqual([]);
  expect(events.at(-1)).toEqual({ kind: "answer", text: "Done: out.txt is there." });
  expect(code).toBe(0);
  expect(readFileSync(join(tree, "out.txt"), "utf8")).toBe("hello\n");
  expect(asked[0]?.body.messages.at(-1).content).toBe("Write out.txt.");
  expect(asked[1]?.body.messages.at(-1).content).toContain("| out.txt");
});

test("without an answer it exits with 1", async () => {
  const { endpoint } = await serve([refuse(401)]);
  const { events, code } = await startNarrow(driver(), "Do it.", endpoint);
  expect([events.map(({ kind }) => kind), code]).toEqual([["error"], 1]);
});

test("its turns are those of the settings, and a model without an address is refused", () => {
  const places = { tree: "/t", home: "/h", promptFile: "/p", endpoint: "http://127.0.0.1:1" };
  const { argv, env } = driver({ limits: { turns: 7 } }).command("secret prompt", places);
  expect(JSON.parse(argv.at(-1) ?? "")).toMatchObject({ turnsMax: 7, promptFile: "/p" });
  expect([argv.join(" ").includes("secret prompt"), env]).toEqual([false, {}]);
  expect(() => driver().command("x", { ...places, endpoint: undefined })).toThrow(
    'the model scripted has no address: expected "endpoint" in its settings',
  );
});

test("lines of others are read as anybody's: an answer counts only as the last word", () => {
  const read = (...lines: unknown[]) => {
    const reader = driver().reader();
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    return [...reader.take(Buffer.from(text)), ...reader.end()];
  };
  const answer = { kind: "answer", text: "Done." };
  expect(read({ kind: "turn" }, answer)).toEqual([{ kind: "turn" }, answer]);
  expect(read(answer, { kind: "error", why: "nonsense", message: 1 })).toEqual([
    { kind: "error", why: "other", message: "no message" },
  ]);
  expect(read(answer, answer)).toEqual([answer]);
  expect(read({ kind: "tool_end", name: "run" }, { kind: "usage", inputTokens: -5 })).toEqual([
    { kind: "tool_end", name: "run", failed: true },
    { kind: "usage", inputTokens: 0, outputTokens: 0 },
  ]);
  for (const odd of [{ kind: "verdict" }, { kind: "text", text: 1 }, { kind: "answer" }, [], 1]) {
    expect(read(odd)).toMatchObject([{ kind: "unread" }]);
  }
});
