import { SwornError } from "../../base/index.ts";
import type { ConfigOf } from "../driver.ts";
import { type ModelChoice, modelChoice } from "../model-endpoint.ts";

/**
 * The model that was chosen, for agents that have none of their own.
 *
 * @throws SwornError `INPUT_INVALID` when none was.
 */
export function neededModel(config: ConfigOf<"cli">): ModelChoice {
  if (config.model === undefined) {
    throw new SwornError(
      "INPUT_INVALID",
      `${config.preset} has no model of its own: expected "model" in its settings, such as openai/<name> or anthropic/<name>`,
    );
  }
  return modelChoice(config.model);
}
