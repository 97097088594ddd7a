import { SwornError } from "../base/index.ts";
import type { AgentConfig } from "../schema/agent.ts";
import { modelChoice } from "./model-endpoint.ts";

/** Where an agent's model answers, and the caller's variable that holds the credential for it. */
export interface ModelService {
  readonly endpoint: string;
  readonly keyEnv: string | undefined;
}

type ServiceName = "anthropic" | "openai" | "gemini" | "ollama";

const SERVICES: Readonly<Record<ServiceName, ModelService>> = {
  anthropic: { endpoint: "https://api.anthropic.com", keyEnv: "ANTHROPIC_API_KEY" },
  openai: { endpoint: "https://api.openai.com/v1", keyEnv: "OPENAI_API_KEY" },
  gemini: {
    endpoint: "https://generativelanguage.googleapis.com",
    keyEnv: "GEMINI_API_KEY",
  },
  ollama: { endpoint: "http://localhost:11434", keyEnv: undefined },
};

/** Variables that were set for agents: only these may go to an address that a project's file names. */
const OWN_VARIABLE = /^SWORN_AGENT_[A-Z0-9_]+$/;

/**
 * The service that an agent talks to; undefined when it talks to none.
 *
 * @throws SwornError `INPUT_INVALID` when a credential would go where it does not belong. The settings
 * come with a repository, which must not choose which of the user's keys is sent to whom.
 */
export function modelServiceOf(config: AgentConfig): ModelService | undefined {
  const usual = usualOf(config);
  const endpoint = config.endpoint ?? usual?.endpoint;
  if (endpoint === undefined) {
    if (config.key_env === undefined) return undefined;
    throw new SwornError(
      "INPUT_INVALID",
      `key_env: ${config.key_env} is for no service; expected an endpoint beside it`,
    );
  }
  // Only a service's own address gets what is meant for the service.
  const isUsual = hostOf(endpoint) === hostOf(usual?.endpoint ?? "none:");
  const usualKey = isUsual ? usual?.keyEnv : undefined;
  const keyEnv = config.key_env ?? usualKey;
  const isFit = keyEnv === undefined || keyEnv === usualKey || OWN_VARIABLE.test(keyEnv);
  if (isFit) return { endpoint, keyEnv };
  throw new SwornError(
    "INPUT_INVALID",
    `key_env: ${keyEnv} may not go to ${hostOf(endpoint)}; expected the service's own variable, or one that begins with SWORN_AGENT_, set by you for this agent`,
  );
}

function usualOf(config: AgentConfig): ModelService | undefined {
  const name = nameOf(config);
  return name === undefined ? undefined : SERVICES[name];
}

function nameOf(config: AgentConfig): ServiceName | undefined {
  if (config.driver === "model")
    return config.provider === "compatible" ? undefined : config.provider;
  if (config.driver !== "cli") return undefined;
  if (config.preset === "claude") return "anthropic";
  if (config.preset === "gemini") return "gemini";
  return modelChoice(config.model ?? "").service;
}

function hostOf(endpoint: string): string {
  return new URL(endpoint).host;
}
