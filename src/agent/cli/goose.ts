import type { ConfigOf } from "../driver.ts";
import { anthropicBase, type ModelChoice, openAiBase, PLACEHOLDER_KEY } from "../model-endpoint.ts";
import { GooseSense } from "./goose-stream.ts";
import { neededModel } from "./needed-model.ts";
import type { CliPreset } from "./preset.ts";

/** goose (`@aaif/goose`). Run with version 1.34. */
export const goose: CliPreset = {
  program: "goose",
  command: (config, prompt, places) => ({
    args: [
      "run",
      "--quiet",
      "--no-session",
      // Extensions of the user's own are programs that nobody looked at.
      "--no-profile",
      "--with-builtin",
      "developer",
      "--output-format",
      "stream-json",
      ...config.args,
      "--instructions",
      "-",
    ],
    stdin: prompt,
    env: {
      GOOSE_MODE: "auto",
      GOOSE_DISABLE_KEYRING: "1",
      GOOSE_TELEMETRY_ENABLED: "false",
      ...serviceOf(config, places.endpoint),
    },
    home: {},
  }),
  sense: () => new GooseSense(),
};

function serviceOf(config: ConfigOf<"cli">, endpoint: string | undefined): Record<string, string> {
  const model = neededModel(config);
  return {
    GOOSE_PROVIDER: model.service,
    GOOSE_MODEL: model.name,
    ...(endpoint === undefined ? {} : addressOf(model, endpoint)),
    [model.service === "anthropic" ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY"]: PLACEHOLDER_KEY,
  };
}

/** It wants the host and the path of OpenAI's form apart. */
function addressOf(model: ModelChoice, endpoint: string): Record<string, string> {
  if (model.service === "anthropic") return { ANTHROPIC_HOST: anthropicBase(endpoint) };
  const base = new URL(openAiBase(endpoint));
  return {
    OPENAI_HOST: base.origin,
    OPENAI_BASE_PATH: `${base.pathname.slice(1)}/chat/completions`,
  };
}
