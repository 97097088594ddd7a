import { describe, expect, test } from "vitest";
import { PLACEHOLDER_KEY } from "../../src/agent/index.ts";
import { PRESETS, type Preset } from "../../src/schema/agent.ts";
import { driverOf } from "./read-stream.ts";

const PROMPT = '--help; $(touch owned) {prompt} @secret /quit\n"quoted"';
const at = (endpoint: string | undefined) => ({
  tree: "/tree",
  home: "/home/agent",
  promptFile: "/prompt.md",
  endpoint,
});
const command = (preset: Preset, endpoint?: string, settings: object = { model: "some-model" }) =>
  driverOf(preset, settings).command(PROMPT, at(endpoint));

describe.each(PRESETS)("%s", (preset) => {
  test("gets the prompt on standard input alone, as it is", () => {
    const { argv, stdin, env, home } = command(preset, "http://127.0.0.1:1");
    expect(stdin).toBe(PROMPT);
    expect(JSON.stringify([argv, env, home])).not.toContain("owned");
  });

  test("gets a placeholder as its key, and nothing of the caller's environment", () => {
    process.env["OPENAI_API_KEY"] = "real-key";
    try {
      const all = JSON.stringify(
        command(preset, "http://127.0.0.1:1", { model: "m", key_env: "OPENAI_API_KEY" }),
      );
      expect(all).toContain(PLACEHOLDER_KEY);
      expect(all).not.toContain("real-key");
    } finally {
      delete process.env["OPENAI_API_KEY"];
    }
  });

  test("is told the model and where it answers", () => {
    const { argv, env, home } = command(preset, "http://127.0.0.1:4321");
    const settings = JSON.stringify([argv, env, home]);
    expect(settings).toContain("some-model");
    expect(settings).toContain("http://127.0.0.1:4321");
  });

  test("takes arguments of the user's own", () => {
    const { argv } = command(preset, undefined, { model: "m", args: ["--extra", "a b; c"] });
    expect(argv).toContain("a b; c");
    expect(argv[0]).toBe(`/opt/${preset}`);
  });

  test("writes nothing outside its home", () => {
    for (const path of Object.keys(command(preset, "http://127.0.0.1:1").home)) {
      expect(path).toMatch(/^\.[a-z]+(\/[a-z.]+)+$/);
      expect(path).not.toContain("..");
    }
  });
});

test.each(["goose", "opencode", "pi"] as const)("%s without a model is refused", (preset) => {
  expect(() => command(preset, undefined, {})).toThrow(`${preset} has no model of its own`);
});

test.each([
  ["http://127.0.0.1:1", "http://127.0.0.1:1/v1"],
  ["http://127.0.0.1:1/", "http://127.0.0.1:1/v1"],
  ["http://127.0.0.1:1/v1/", "http://127.0.0.1:1/v1"],
  ["http://127.0.0.1:1/api/v4", "http://127.0.0.1:1/api/v4"],
])("an endpoint like OpenAI's at %s is asked at %s", (endpoint, base) => {
  expect(command("qwen", endpoint).env["OPENAI_BASE_URL"]).toBe(base);
  const { OPENAI_HOST, OPENAI_BASE_PATH } = command("goose", endpoint).env;
  expect(`${OPENAI_HOST}/${OPENAI_BASE_PATH}`).toBe(`${base}/chat/completions`);
  expect(command("codex", endpoint).home[".codex/config.toml"]).toContain(`base_url = "${base}"`);
});

test.each(["http://127.0.0.1:1", "http://127.0.0.1:1/v1/"])(
  "an endpoint like Anthropic's at %s is asked below its root",
  (endpoint) => {
    expect(command("claude", endpoint).env["ANTHROPIC_BASE_URL"]).toBe("http://127.0.0.1:1");
    const model = { model: "anthropic/some-model" };
    expect(command("goose", endpoint, model).env).toMatchObject({
      ANTHROPIC_HOST: "http://127.0.0.1:1",
      GOOSE_PROVIDER: "anthropic",
      GOOSE_MODEL: "some-model",
    });
    const models = JSON.parse(command("pi", endpoint, model).home[".pi/agent/models.json"] ?? "");
    expect(models.providers.sworn).toMatchObject({
      baseUrl: "http://127.0.0.1:1",
      api: "anthropic-messages",
      models: [{ id: "some-model" }],
    });
  },
);

test("a model's name with slashes of its own stays whole", () => {
  expect(command("goose", undefined, { model: "maker/some-model" }).env["GOOSE_MODEL"]).toBe(
    "maker/some-model",
  );
});

test("a name cannot break out of codex's settings", () => {
  const model = 'm"\nsandbox_mode = "x"\u007f';
  const lines = (command("codex", undefined, { model }).home[".codex/config.toml"] ?? "").split(
    "\n",
  );
  expect(lines[0]).toBe('model = "m\\"\\nsandbox_mode = \\"x\\"\\u007f"');
  expect(lines.filter((line) => line.startsWith("sandbox_mode"))).toEqual([
    'sandbox_mode = "danger-full-access"',
  ]);
});

test("updates, telemetry and whatever comes with the work tree are off", () => {
  expect(command("claude").env).toMatchObject({
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  });
  expect(command("claude").argv).toEqual(expect.arrayContaining(["--setting-sources", "user"]));
  expect(command("goose").argv).toContain("--no-profile");
  expect(command("pi").argv).toEqual(expect.arrayContaining(["--offline", "--no-extensions"]));
  const config = command("codex").home[".codex/config.toml"] ?? "";
  for (const line of [
    "check_for_update_on_startup = false",
    "plugins = false",
    'web_search = "disabled"',
  ]) {
    expect(config).toContain(line);
  }
  for (const [preset, file] of [
    ["gemini", ".gemini/settings.json"],
    ["qwen", ".qwen/settings.json"],
  ] as const) {
    expect(JSON.parse(command(preset).home[file] ?? "")).toMatchObject({
      general: { disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    });
  }
  expect(
    JSON.parse(command("opencode").home[".config/opencode/opencode.json"] ?? ""),
  ).toMatchObject({
    autoupdate: false,
    share: "disabled",
  });
});
