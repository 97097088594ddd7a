import type { EgressRule } from "./rule.ts";

/** How long a model may take before the first word of its answer. */
const THINKING_MS = 600_000;
const BODY_BYTES_MAX = 32 * 2 ** 20;
/** What clients of model services send beside the body; none of it is a credential. */
const PASSED = ["content-type", "anthropic-version", "anthropic-beta", "openai-beta"];

/**
 * The rule for an agent's own model traffic: one host, one prefix of paths, bodies allowed. The
 * credential is put in here; the agent's environment holds a placeholder, which never gets out.
 */
export function modelRules(model: {
  readonly host: string;
  readonly port?: number;
  /** All paths below this one. */
  readonly pathPrefix: string;
  /** The header that carries the credential. */
  readonly header: string;
  /** The whole value of that header. */
  readonly secret: string;
  /** Whole queries that the service's clients add. */
  readonly queries?: readonly string[];
  readonly passHeaders?: readonly string[];
  readonly allowPrivate?: boolean;
}): EgressRule[] {
  const prefix = model.pathPrefix.replace(/\/$/, "");
  return [
    {
      name: "model",
      scheme: "https",
      host: model.host,
      port: model.port ?? 443,
      methods: ["GET", "POST"],
      paths: [`${prefix}/**`],
      queries: model.queries ?? [],
      passHeaders: [...PASSED, ...(model.passHeaders ?? [])],
      setHeaders: { [model.header.toLowerCase()]: model.secret },
      bodyBytesMax: BODY_BYTES_MAX,
      stallMs: THINKING_MS,
      allowPrivate: model.allowPrivate ?? false,
    },
  ];
}
