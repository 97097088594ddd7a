import { SwornError } from "../base/index.ts";
import type { Front } from "./client-connection.ts";
import type { Credential, EgressRule } from "./rule.ts";

/** How long a model may take before the first word of its answer. */
const THINKING_MS = 600_000;
const BODY_BYTES_MAX = 32 * 2 ** 20;
/** What clients of model services send beside the body; none of it is a credential. */
const PASSED = ["content-type", "anthropic-version", "anthropic-beta", "openai-beta"];
/** Whole queries that clients of model services add. */
const QUERIES = ["beta=true", "alt=sse"];
const LOOPBACK = /^(?:127\.0\.0\.1|\[::1\])$/;

/** An agent's way to its model, and to nothing else. */
export interface ModelAccess {
  readonly rules: readonly EgressRule[];
  readonly front: Front;
  /** What the agent takes for its model's address. */
  readonly inside: string;
}

/**
 * The rule for an agent's own model traffic: one host, one prefix of paths, bodies allowed. The
 * credential is put in on the way out; the agent holds a placeholder, which never gets out.
 *
 * @param port where the inside finds the proxy on its own loopback
 * @throws SwornError `INPUT_INVALID` for an endpoint that is no plain address, or that a credential
 * would travel to unencrypted.
 */
export function modelAccess(
  endpoint: string,
  port: number,
  credential: Credential | undefined,
): ModelAccess {
  const url = new URL(endpoint);
  const host = LOOPBACK.test(url.hostname) ? "localhost" : url.hostname;
  const isLocal = host === "localhost";
  const scheme = url.protocol === "https:" ? "https" : "http";
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new SwornError(
      "INPUT_INVALID",
      `the endpoint at ${host} has a user, a query or a fragment; expected https://host/path, with the credential in a variable`,
    );
  }
  if (scheme === "http" && !isLocal && credential !== undefined) {
    throw new SwornError(
      "INPUT_INVALID",
      `${endpoint}: a credential goes out over https only; expected an https address`,
    );
  }
  const prefix = url.pathname.replace(/\/$/, "");
  const origin = {
    scheme,
    host,
    port: url.port === "" ? (scheme === "https" ? 443 : 80) : Number(url.port),
  } as const;
  return {
    inside: `http://127.0.0.1:${port}${prefix}`,
    front: { as: { scheme: "http", host: "127.0.0.1", port }, for: origin },
    rules: [
      {
        name: "model",
        ...origin,
        methods: ["GET", "POST"],
        paths: [`${prefix}/**`],
        queries: QUERIES,
        passHeaders: PASSED,
        bodyBytesMax: BODY_BYTES_MAX,
        stallMs: THINKING_MS,
        // Whoever runs a model in his own network says so by naming it.
        allowPrivate: true,
        ...(credential === undefined ? {} : { credential }),
      },
    ],
  };
}
