import { existsSync } from "node:fs";
import { type JsonObject, objectsOf, textOf } from "../json-value.ts";
import { RpcError, type RpcPeer } from "./rpc-peer.ts";

/** The version of the protocol that is spoken here. */
const VERSION = 1;
/** The protocol's own code for: log in first. */
const AUTH_REQUIRED = -32_000;
/** How agents call logging in with a key from the environment; every other way needs a person. */
const BY_KEY = /api.?key/i;

/** Where an agent is to work, and with what. */
export interface SessionPlace {
  readonly tree: string;
  /** Where the way to the runtime lies, in runs that have one: the agent gets it as tools. */
  readonly tooling: string;
}

/**
 * Greets an agent and opens a session with it.
 *
 * @returns the session's id
 * @throws RpcError when it speaks another version, wants a person to log in, or does not answer in time.
 */
export async function openAcpSession(
  peer: RpcPeer,
  { tree, tooling }: SessionPlace,
  timeoutMs: number,
): Promise<string> {
  const greeted = await greet(peer, timeoutMs);
  const own = { name: "sworn", command: tooling, args: ["mcp"], env: [] };
  const asked = { cwd: tree, mcpServers: existsSync(tooling) ? [own] : [] };
  const opened = await peer.call("session/new", asked, timeoutMs).catch(async (error: unknown) => {
    const methodId = keyMethodOf(greeted);
    if (!isAuthRequired(error) || methodId === undefined) throw error;
    await peer.call("authenticate", { methodId }, timeoutMs);
    return peer.call("session/new", asked, timeoutMs);
  });
  const sessionId = textOf(opened["sessionId"]);
  if (sessionId !== undefined && sessionId !== "") return sessionId;
  throw new RpcError(0, "the agent opened a session without an id");
}

/** Whether an agent wants somebody to log in. */
export function isAuthRequired(error: unknown): boolean {
  return error instanceof RpcError && error.code === AUTH_REQUIRED;
}

async function greet(peer: RpcPeer, timeoutMs: number): Promise<JsonObject> {
  const greeting = {
    protocolVersion: VERSION,
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: false },
    clientInfo: { name: "sworn", version: "1" },
  };
  const greeted = await peer.call("initialize", greeting, timeoutMs);
  const { protocolVersion } = greeted;
  if (protocolVersion === VERSION) return greeted;
  throw new RpcError(0, `expected version ${VERSION} of the protocol, found ${protocolVersion}`);
}

function keyMethodOf(greeted: JsonObject): string | undefined {
  const ids = objectsOf(greeted["authMethods"]).map(({ id }) => textOf(id));
  return ids.find((id) => id !== undefined && BY_KEY.test(id));
}
