import { modelChoice, openAiBase, PLACEHOLDER_KEY } from "../model-endpoint.ts";
import { MessageSense } from "./message-stream.ts";
import type { CliPreset } from "./preset.ts";

/** Qwen Code, through an endpoint that speaks like OpenAI's. */
export const qwen: CliPreset = {
  program: "qwen",
  command: (config, prompt, places) => {
    const model = config.model === undefined ? undefined : modelChoice(config.model).name;
    return {
      args: [
        "--output-format",
        "stream-json",
        "--approval-mode",
        "yolo",
        "--auth-type",
        "openai",
        ...(model === undefined ? [] : ["--model", model]),
        ...config.args,
      ],
      stdin: prompt,
      env: {
        OPENAI_API_KEY: PLACEHOLDER_KEY,
        ...(places.endpoint === undefined ? {} : { OPENAI_BASE_URL: openAiBase(places.endpoint) }),
        ...(model === undefined ? {} : { OPENAI_MODEL: model }),
        QWEN_SANDBOX: "false",
      },
      home: {
        ".qwen/settings.json": JSON.stringify({
          general: { disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false },
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
          security: { auth: { selectedType: "openai" } },
        }),
      },
    };
  },
  sense: () => new MessageSense("[API Error: "),
};
