import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeUtf8, messageOf, parseJson, SwornError } from "../base/index.ts";
import { RequestGate } from "../flow/tooling/request-gate.ts";
import { TOOLING_LINE_BYTES_MAX } from "../schema/tooling.ts";
import { type HttpRefusal, httpRefusal, MCP_PATH } from "./http-guard.ts";
import type { McpPeer } from "./peer.ts";
import type { MessageHeaders } from "./revision.ts";
import { CODES, errorMessage, RpcError } from "./rpc.ts";

const LOOPBACK = "127.0.0.1";
const BOUNDS = { inFlightMax: 16, burst: 1_000, perSecond: 500 };
const CONNECTIONS_MAX = 64;
/** How long a request's head may take, all of a request, and how often that is looked at. */
const PATIENCE = { headMs: 10_000, requestMs: 30_000, lookMs: 1_000 };
const HEAD_BYTES_MAX = 16_384;

export interface HttpOptions {
  /** 0 for whichever is free. */
  readonly port: number;
  /** What every request has to carry. */
  readonly token: string;
  readonly patience?: Readonly<typeof PATIENCE>;
}

/** A server that answers, until it is closed. */
export interface HttpEndpoint {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Serves MCP over HTTP, on loopback alone. Every message stands for itself: there are no sessions to
 * take over, and no streams to keep open.
 *
 * @throws SwornError `INPUT_INVALID` when the port cannot be had.
 */
export async function serveHttp(peer: McpPeer, options: HttpOptions): Promise<HttpEndpoint> {
  const gate = new RequestGate(BOUNDS);
  const { headMs, requestMs, lookMs } = options.patience ?? PATIENCE;
  // Node.js looks every half minute, unless it is told otherwise: times below that would hold for nobody.
  const bounds = { maxHeaderSize: HEAD_BYTES_MAX, connectionsCheckingInterval: lookMs };
  const server = createServer(bounds, (request, response) => {
    // Whoever goes away while being answered needs no answer.
    answer(peer, gate, request, response, options.token).catch(() => response.destroy());
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.headersTimeout = headMs;
  server.requestTimeout = requestMs;
  const port = await listen(server, options.port);
  return {
    url: `http://${LOOPBACK}:${port}${MCP_PATH}`,
    close: async () => {
      gate.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      const message = `port ${port} cannot be listened on: ${messageOf(cause)}; try another --port`;
      reject(new SwornError("INPUT_INVALID", message, { cause }));
    });
    server.listen({ host: LOOPBACK, port }, resolve);
  });
  // A server that listens on a port has an address of this kind.
  return (server.address() as AddressInfo).port;
}

async function answer(
  peer: McpPeer,
  gate: RequestGate,
  request: IncomingMessage,
  response: ServerResponse,
  token: string,
): Promise<void> {
  const refusal = httpRefusal(request, request.socket.localPort ?? 0, token);
  if (refusal) return refused(response, refusal);
  // Before it takes a place: whoever sends slowly must not keep the others out.
  const body = await bodyOf(request);
  if (body === undefined) {
    return refused(response, { status: 413, reason: `at most ${TOOLING_LINE_BYTES_MAX} bytes` });
  }
  if (!(await gate.enter())) return refused(response, { status: 503, reason: "closing" });
  try {
    await answerBody(peer, body, request, response);
  } finally {
    gate.leave();
  }
}

async function answerBody(
  peer: McpPeer,
  body: Buffer,
  { headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let parsed: ReturnType<typeof parseJson>;
  try {
    parsed = parseJson(decodeUtf8(body), TOOLING_LINE_BYTES_MAX);
  } catch (error) {
    const message = errorMessage(null, new RpcError(CODES.parse, messageOf(error)));
    return send(response, 400, message);
  }
  const given: MessageHeaders = {
    version: single(headers["mcp-protocol-version"]),
    method: single(headers["mcp-method"]),
    name: single(headers["mcp-name"]),
  };
  const { message, status } = await peer.take(parsed, given);
  send(response, status, message);
}

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(", ") : value;

/** The body, or undefined as soon as it is too long. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > TOOLING_LINE_BYTES_MAX) return undefined;
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/** The connection ends with it: what else it would bring is not read. */
function refused(response: ServerResponse, { status, reason, headers }: HttpRefusal): void {
  const error = new RpcError(CODES.invalidRequest, reason);
  response.setHeader("Connection", "close");
  send(response, status, errorMessage(null, error), headers);
}

function send(
  response: ServerResponse,
  status: number,
  message: object | undefined,
  headers: Readonly<Record<string, string>> = {},
): void {
  const type = message === undefined ? {} : { "Content-Type": "application/json" };
  response.writeHead(status, { ...type, "Cache-Control": "no-store", ...headers });
  response.end(message === undefined ? undefined : JSON.stringify(message));
}
