import { PLACEHOLDER_KEY } from "../model-endpoint.ts";
import { GeminiSense } from "./gemini-stream.ts";
import type { CliPreset } from "./preset.ts";

/** Gemini CLI with an API key. */
export const gemini: CliPreset = {
  program: "gemini",
  command: (config, prompt, places) => ({
    args: [
      "--output-format",
      "stream-json",
      "--approval-mode",
      "yolo",
      "--skip-trust",
      ...(config.model === undefined ? [] : ["--model", config.model]),
      ...config.args,
    ],
    stdin: prompt,
    env: {
      GEMINI_API_KEY: PLACEHOLDER_KEY,
      ...(places.endpoint === undefined ? {} : { GOOGLE_GEMINI_BASE_URL: places.endpoint }),
      // Approving everything turns on a sandbox of its own, which needs containers.
      GEMINI_SANDBOX: "false",
    },
    home: {
      ".gemini/settings.json": JSON.stringify({
        general: { disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        security: { auth: { selectedType: "gemini-api-key" } },
      }),
    },
  }),
  sense: () => new GeminiSense(),
};
