import { anthropicBase, type ModelChoice, openAiBase, PLACEHOLDER_KEY } from "../model-endpoint.ts";
import { neededModel } from "./needed-model.ts";
import { OpencodeSense } from "./opencode-stream.ts";
import type { CliPreset } from "./preset.ts";

const PROVIDER = "sworn";

/** opencode, as its own program or through the script that npm puts before it. */
export const opencode: CliPreset = {
  program: "opencode",
  command: (config, prompt, places) => {
    const model = neededModel(config);
    const provider = places.endpoint === undefined ? model.service : PROVIDER;
    return {
      // With a title of ours it does not ask the model for one.
      args: [
        "run",
        "--format",
        "json",
        "--title",
        "sworn",
        "--model",
        `${provider}/${model.name}`,
        ...config.args,
      ],
      stdin: prompt,
      env: {
        ANTHROPIC_API_KEY: PLACEHOLDER_KEY,
        OPENAI_API_KEY: PLACEHOLDER_KEY,
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      },
      home: { ".config/opencode/opencode.json": JSON.stringify(settings(model, places.endpoint)) },
    };
  },
  sense: () => new OpencodeSense(),
};

function settings(model: ModelChoice, endpoint: string | undefined): object {
  return {
    autoupdate: false,
    share: "disabled",
    // What lies outside of its tree is the sandbox's business: its output folder does, and tools do.
    permission: { edit: "allow", bash: "allow", webfetch: "deny", external_directory: "allow" },
    ...(endpoint === undefined ? {} : { provider: { [PROVIDER]: providerOf(model, endpoint) } }),
  };
}

function providerOf(model: ModelChoice, endpoint: string): object {
  const isAnthropic = model.service === "anthropic";
  return {
    npm: isAnthropic ? "@ai-sdk/anthropic" : "@ai-sdk/openai-compatible",
    name: PROVIDER,
    options: {
      baseURL: isAnthropic ? `${anthropicBase(endpoint)}/v1` : openAiBase(endpoint),
      apiKey: PLACEHOLDER_KEY,
    },
    models: { [model.name]: { name: model.name } },
  };
}
