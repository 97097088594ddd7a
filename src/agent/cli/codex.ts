import { openAiBase, PLACEHOLDER_KEY } from "../model-endpoint.ts";
import { CodexSense } from "./codex-stream.ts";
import type { CliPreset } from "./preset.ts";

const KEY_VARIABLE = "CODEX_API_KEY";

/** codex (`@openai/codex`). Run with version 0.166; it speaks the responses form alone. */
export const codex: CliPreset = {
  program: "codex",
  command: (config, prompt, places) => ({
    args: ["exec", "--json", "--skip-git-repo-check", ...config.args, "-"],
    stdin: prompt,
    env: { [KEY_VARIABLE]: PLACEHOLDER_KEY },
    home: { ".codex/config.toml": settings(config.model, places.endpoint) },
  }),
  sense: () => new CodexSense(),
};

/** As a file and not as options, so that arguments of the user's own can overrule each of them. */
function settings(model: string | undefined, endpoint: string | undefined): string {
  const provider = [
    "[model_providers.sworn]",
    'name = "sworn"',
    `base_url = ${tomlText(openAiBase(endpoint ?? "https://api.openai.com"))}`,
    'wire_api = "responses"',
    `env_key = "${KEY_VARIABLE}"`,
  ];
  return [
    ...(model === undefined ? [] : [`model = ${tomlText(model)}`]),
    'model_provider = "sworn"',
    // Its own sandbox cannot be built inside ours, and then its writes fail with exit code 0.
    'sandbox_mode = "danger-full-access"',
    'approval_policy = "never"',
    // The model's host would search on its behalf: a way out past the proxy.
    'web_search = "disabled"',
    "check_for_update_on_startup = false",
    "[analytics]",
    "enabled = false",
    "[features]",
    "plugins = false",
    "apps = false",
    ...provider,
    "",
  ].join("\n");
}

/** JSON's strings are TOML's, but for one control character that JSON leaves as it is. */
function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}
