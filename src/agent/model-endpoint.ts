/** What an agent is given as its credential; the proxy puts the real one in on the way out. */
export const PLACEHOLDER_KEY = "sworn-placeholder";

/** Which service a model is asked from, and the service's own name for it. */
export interface ModelChoice {
  readonly service: "anthropic" | "openai";
  readonly name: string;
}

/**
 * `anthropic/x` and `openai/x` name the service as well; any other name is asked from an endpoint
 * that speaks like OpenAI's, slashes and all, because many of those have slashes in their names.
 */
export function modelChoice(model: string): ModelChoice {
  const match = /^(anthropic|openai)\/(.+)$/s.exec(model);
  if (match === null) return { service: "openai", name: model };
  return { service: match[1] === "anthropic" ? "anthropic" : "openai", name: match[2] ?? "" };
}

/** The address below which `/chat/completions` and `/responses` are: `/v1` unless it has a path. */
export function openAiBase(endpoint: string): string {
  const url = new URL(endpoint);
  const path = trimmed(url.pathname);
  return url.origin + (path === "" ? "/v1" : path);
}

/** The address below which `/v1/messages` is. */
export function anthropicBase(endpoint: string): string {
  const url = new URL(endpoint);
  return url.origin + trimmed(url.pathname).replace(/\/v1$/, "");
}

/** The address below which Ollama's own `/api/chat` is. */
export function ollamaBase(endpoint: string): string {
  const url = new URL(endpoint);
  return url.origin + trimmed(url.pathname).replace(/\/(?:v1|api)$/, "");
}

function trimmed(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}
