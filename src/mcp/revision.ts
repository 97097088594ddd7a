import * as z from "zod";
import { CODES, RpcError, type RpcMessage } from "./rpc.ts";

/** Revisions that begin with a handshake, newest first. */
export const HANDSHAKE_REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/** Revisions in which every request stands for itself. */
export const STATELESS_REVISIONS = ["2026-07-28"];

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
export const SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo";

/** What every stateless request carries. */
const Envelope = z.object({
  [VERSION_KEY]: z.string(),
  [CAPABILITIES_KEY]: z.record(z.string(), z.unknown()),
});

/** The headers that repeat a message's content; undefined where there are none, as on stdio. */
export interface MessageHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/**
 * How a message is to be answered: as the revisions with a handshake say, or as the stateless one.
 * The body decides; headers must agree with it, or two readers would see two requests.
 *
 * @throws RpcError for a revision that is not spoken here, and for headers that say something else.
 */
export function revisionOf(
  message: RpcMessage,
  headers: MessageHeaders | undefined,
): "handshake" | "stateless" {
  const meta = (message.params?.["_meta"] ?? {}) as Record<string, unknown>;
  const isClaimed = VERSION_KEY in meta;
  const isAnnounced = STATELESS_REVISIONS.includes(headers?.version ?? "");
  if (!isClaimed && !isAnnounced) {
    assertHandshakeHeader(headers);
    return "handshake";
  }
  if (message.id === undefined) return "stateless";
  const claimed = assertEnvelope(meta);
  if (headers) assertHeaders(message, claimed, headers);
  if (!STATELESS_REVISIONS.includes(claimed)) throw unsupported(claimed, STATELESS_REVISIONS);
  return "stateless";
}

function assertEnvelope(meta: Record<string, unknown>): string {
  const parsed = Envelope.safeParse(meta);
  if (parsed.success) return parsed.data[VERSION_KEY];
  const wrong = parsed.error.issues.map(({ path }) => path.join(".")).join(", ");
  throw new RpcError(
    CODES.invalidParams,
    `expected params._meta to carry ${VERSION_KEY} and ${CAPABILITIES_KEY}; missing or wrong: ${wrong}`,
    { status: 400 },
  );
}

function assertHandshakeHeader(headers: MessageHeaders | undefined): void {
  const version = headers?.version;
  if (version === undefined || HANDSHAKE_REVISIONS.includes(version)) return;
  throw unsupported(version, HANDSHAKE_REVISIONS);
}

function unsupported(requested: string, supported: readonly string[]): RpcError {
  return new RpcError(
    CODES.unsupportedVersion,
    `the protocol revision ${JSON.stringify(requested.slice(0, 100))} is not spoken here`,
    { data: { supported, requested }, status: 400 },
  );
}

/** Which member of a request its Mcp-Name header repeats. */
const NAMED: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

function assertHeaders(message: RpcMessage, claimed: string, headers: MessageHeaders): void {
  assertHeader("MCP-Protocol-Version", headers.version, claimed);
  assertHeader("Mcp-Method", headers.method, message.method);
  const named = message.params?.[NAMED[message.method] ?? ""];
  if (typeof named === "string") assertHeader("Mcp-Name", decoded(headers.name), named);
}

function assertHeader(name: string, found: string | undefined, expected: string): void {
  if (found === expected) return;
  const what = found === undefined ? "it is missing" : `found ${JSON.stringify(found)}`;
  throw new RpcError(
    CODES.headerMismatch,
    `expected the header ${name} to say what the body says; ${what}`,
    { status: 400 },
  );
}

/** A name that is no plain ASCII comes in Base64, marked as such. */
function decoded(value: string | undefined): string | undefined {
  const inner = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value ?? "")?.[1];
  return inner === undefined ? value : Buffer.from(inner, "base64").toString("utf8");
}
