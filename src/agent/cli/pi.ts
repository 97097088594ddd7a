import type { ConfigOf } from "../driver.ts";
import { anthropicBase, openAiBase, PLACEHOLDER_KEY } from "../model-endpoint.ts";
import { neededModel } from "./needed-model.ts";
import { PiSense } from "./pi-stream.ts";
import type { CliPreset } from "./preset.ts";

const PROVIDER = "sworn";

/** pi (`@earendil-works/pi-coding-agent`). Run with version 0.74; it has no questions to turn off. */
export const pi: CliPreset = {
  program: "pi",
  command: (config, prompt, places) => {
    const model = neededModel(config);
    return {
      args: [
        "--offline",
        "--no-session",
        // All of these are loaded from the work tree too, and extensions are programs.
        "--no-extensions",
        "--no-skills",
        "--no-prompt-templates",
        "--no-themes",
        "--provider",
        places.endpoint === undefined ? model.service : PROVIDER,
        "--model",
        model.name,
        "--mode",
        "json",
        ...config.args,
        // Its arguments can be files to include: the prompt comes on standard input.
        "--print",
      ],
      stdin: prompt,
      env: {
        PI_OFFLINE: "1",
        PI_TELEMETRY: "0",
        PI_SKIP_VERSION_CHECK: "1",
        ANTHROPIC_API_KEY: PLACEHOLDER_KEY,
        OPENAI_API_KEY: PLACEHOLDER_KEY,
      },
      home: {
        ".pi/agent/settings.json": JSON.stringify({
          enableInstallTelemetry: false,
          quietStartup: true,
        }),
        ...(places.endpoint === undefined
          ? {}
          : { ".pi/agent/models.json": modelsFile(config, places.endpoint) }),
      },
    };
  },
  sense: () => new PiSense(),
};

function modelsFile(config: ConfigOf<"cli">, endpoint: string): string {
  const { service, name } = neededModel(config);
  const isAnthropic = service === "anthropic";
  return JSON.stringify({
    providers: {
      [PROVIDER]: {
        baseUrl: isAnthropic ? anthropicBase(endpoint) : openAiBase(endpoint),
        api: isAnthropic ? "anthropic-messages" : "openai-completions",
        apiKey: PLACEHOLDER_KEY,
        models: [{ id: name }],
      },
    },
  });
}
