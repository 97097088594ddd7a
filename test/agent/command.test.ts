import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AgentCommand, commandDriver, type ProgramDriver } from "../../src/agent/index.ts";
import { AgentConfig } from "../../src/schema/agent.ts";
import { expectLinear } from "../cost-growth.ts";

const PLACES = {
  tree: "/tree",
  home: "/home/agent",
  promptFile: "/prompt.md",
  endpoint: undefined,
};

function driver(argv: readonly string[], prompt?: "stdin" | "file"): ProgramDriver {
  const config = AgentConfig.parse({ driver: "command", argv, ...(prompt && { prompt }) });
  if (config.driver !== "command") throw new Error("expected a command");
  const path = process.execPath;
  return commandDriver(config, { path, argv: [path], version: undefined, folders: ["/opt"] });
}
const command = (argv: readonly string[], prompt: string, how?: "stdin" | "file"): AgentCommand =>
  driver(argv, how).command(prompt, PLACES);

describe("the prompt's way", () => {
  test("it comes on standard input unless something else is said", () => {
    expect(command(["agent", "--fast"], "do it")).toEqual({
      argv: [process.execPath, "--fast"],
      stdin: "do it",
      env: {},
      home: {},
    });
  });

  test("its file comes last when a file is asked for", () => {
    const { argv, stdin } = command(["agent", "--fast"], "do it", "file");
    expect([argv.slice(1), stdin]).toEqual([["--fast", "/prompt.md"], undefined]);
  });

  test("words and parts of words are filled in, and then nothing comes on standard input", () => {
    const { argv, stdin } = command(["agent", "-p={prompt}", "{prompt_file}", "{other}"], "do it");
    expect([argv.slice(1), stdin]).toEqual([["-p=do it", "/prompt.md", "{other}"], undefined]);
  });

  test("whatever the prompt says, it stays one argument and is filled in once", () => {
    const print = [
      "agent",
      "-e",
      "console.log(JSON.stringify(process.argv.slice(1)))",
      "--",
      "x{prompt}y",
    ];
    const given = [
      "$(touch a) `b` ; c | d && e",
      "{prompt} {prompt_file}",
      "$& $1 $$ $`",
      "a\nb\t\"'\\",
    ];
    for (const prompt of given) {
      const [program = "", ...args] = command(print, prompt).argv;
      const { stdout } = spawnSync(program, args, { encoding: "utf8" });
      expect(JSON.parse(stdout)).toEqual([`x${prompt}y`]);
    }
  });

  test("a prompt that is a whole argument is never taken for an option", () => {
    expect(command(["agent", "{prompt}"], "--delete-all").argv[1]).toBe("\n--delete-all");
  });

  test("a prompt that no argument can hold is refused with what to do instead", () => {
    expect(() => command(["agent", "{prompt}"], "é".repeat(70_000))).toThrow(
      "an argument with the prompt has 140000 bytes, expected at most 131071; use {prompt_file}",
    );
    expect(() => command(["agent", "{prompt}"], "a\0b")).toThrow("use {prompt_file}");
    expect(command(["agent", "{prompt_file}"], "é".repeat(70_000)).argv[1]).toBe("/prompt.md");
  });
});

test("it is told where its model answers, and sees a placeholder in place of the key", () => {
  process.env["MY_KEY"] = "real-key";
  try {
    const config = AgentConfig.parse({ driver: "command", argv: ["agent"], key_env: "MY_KEY" });
    if (config.driver !== "command") throw new Error("expected a command");
    const found = {
      path: "/opt/agent",
      argv: ["/opt/agent"],
      version: undefined,
      folders: [],
    } as const;
    const places = { ...PLACES, endpoint: "http://127.0.0.1:1" };
    expect(commandDriver(config, found).command("do it", places).env).toEqual({
      OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
      OPENAI_API_KEY: "sworn-placeholder",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
      ANTHROPIC_API_KEY: "sworn-placeholder",
      MY_KEY: "sworn-placeholder",
    });
  } finally {
    delete process.env["MY_KEY"];
  }
});

describe("what it prints", () => {
  const read = (chunks: readonly Buffer[]) => {
    const reader = driver(["agent"]).reader();
    return [...chunks.flatMap((chunk) => reader.take(chunk)), ...reader.end()];
  };

  test("is text, and the answer", () => {
    expect(read([Buffer.from("one "), Buffer.from("two\n")])).toEqual([
      { kind: "text", text: "one " },
      { kind: "text", text: "two\n" },
      { kind: "answer", text: "one two\n" },
    ]);
  });

  test("is the same text however it is cut into chunks", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(), (text, at) => {
        const bytes = Buffer.from(`a${text}`);
        const cut = at % bytes.length;
        const events = read([bytes.subarray(0, cut), bytes.subarray(cut)]);
        expect(events.at(-1)).toEqual({ kind: "answer", text: bytes.toString() });
      }),
    );
  });

  test("nothing is no answer", () => {
    expect(read([Buffer.from(" \n")])).toEqual([{ kind: "text", text: " \n" }]);
  });

  test("the end of a flood is the answer, and says how much came before", () => {
    const flood = Array.from({ length: 64 }, () => Buffer.alloc(1 << 20, "x"));
    const answer = read([...flood, Buffer.from("the end")]).at(-1);
    expect(answer?.kind === "answer" && answer.text.endsWith("xthe end")).toBe(true);
    expect(answer?.kind === "answer" && answer.text.slice(0, 40)).toBe(
      "(66846727 characters before) …xxxxxxxxxx",
    );
    expect(answer?.kind === "answer" && answer.text.length).toBeLessThan(263_000);
  });

  test("takes time in proportion to what comes", () => {
    const piece = Buffer.from("0123456789".repeat(10));
    expectLinear((times) => read(Array.from({ length: 10_000 * times }, () => piece)));
  });
});
