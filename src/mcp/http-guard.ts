import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** The one path that is served. */
export const MCP_PATH = "/mcp";

/** What is known of a request before anything of its body is read. */
export interface RequestHead {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** A no to a request as a whole. */
export interface HttpRefusal {
  readonly status: number;
  readonly reason: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Whether a request may be read. A page in a browser can send requests to loopback, under a name of
 * its own that resolves there: the Host and the Origin tell, and without the token nothing is done.
 */
export function httpRefusal(
  { method, url, headers }: RequestHead,
  port: number,
  token: string,
): HttpRefusal | undefined {
  const hosts = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`);
  if (!hosts.includes(headers.host ?? "")) {
    return { status: 403, reason: `expected the Host ${hosts[0]}` };
  }
  const { origin } = headers;
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) {
    return { status: 403, reason: "requests from another origin are not answered" };
  }
  if (url !== MCP_PATH) return { status: 404, reason: `expected the path ${MCP_PATH}` };
  if (!isBearer(headers.authorization, token)) {
    return {
      status: 401,
      reason: 'expected the header "Authorization: Bearer" with the token of this server',
      headers: { "WWW-Authenticate": "Bearer" },
    };
  }
  if (method !== "POST") {
    return { status: 405, reason: "expected POST", headers: { Allow: "POST" } };
  }
  return isJson(headers["content-type"])
    ? undefined
    : { status: 415, reason: "expected the content type application/json" };
}

/** Compares hashes in constant time: neither length nor content shows in how long it takes. */
function isBearer(given: string | undefined, token: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given ?? ""), hash(`Bearer ${token}`));
}

function isJson(type: string | undefined): boolean {
  return /^application\/json[ \t]*(?:;|$)/i.test(type ?? "");
}
