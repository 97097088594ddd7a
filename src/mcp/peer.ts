import * as z from "zod";
import type { Json } from "../base/index.ts";
import type { McpOffer } from "./offer.ts";
import {
  HANDSHAKE_REVISIONS,
  type MessageHeaders,
  revisionOf,
  SERVER_INFO_KEY,
  STATELESS_REVISIONS,
} from "./revision.ts";
import { CODES, errorMessage, RpcError, RpcMessage, RpcResponse } from "./rpc.ts";

/** What came of a message: an answer where one is due, and what HTTP says of it. */
export interface Answered {
  readonly message: object | undefined;
  readonly status: number;
}

type Params = Readonly<Record<string, unknown>>;
type Revision = ReturnType<typeof revisionOf>;

/** Lists do not change while a peer lives, but what they point at does. */
const CACHE = { ttlMs: 0, cacheScope: "private" };
const CACHED = [
  ...["server/discover", "tools/list", "prompts/list", "resources/list"],
  ...["resources/templates/list", "resources/read"],
];

const Called = z.object({
  name: z.string().max(1_000),
  arguments: z.record(z.string(), z.unknown()).default({}),
});
const Got = z.object({
  name: z.string().max(1_000),
  arguments: z.record(z.string(), z.string().max(100_000)).default({}),
});
const Read = z.object({ uri: z.string().max(10_000) });
const Initialize = z.object({ protocolVersion: z.string().max(100) });

/**
 * Speaks MCP for one client, whatever carries the messages. It keeps nothing between messages: the
 * revisions with a handshake and the one without get their answers from the same functions.
 */
export class McpPeer {
  readonly #offer: McpOffer;
  readonly #onFault: (error: unknown) => void;

  constructor(offer: McpOffer, onFault: (error: unknown) => void = () => {}) {
    this.#offer = offer;
    this.#onFault = onFault;
  }

  /** Answers one message. It never throws. */
  async take(message: Json, headers?: MessageHeaders): Promise<Answered> {
    const parsed = RpcMessage.safeParse(message);
    if (!parsed.success) {
      if (RpcResponse.safeParse(message).success) return { message: undefined, status: 202 };
      const why = "expected one JSON-RPC 2.0 request or notification";
      return failed(null, new RpcError(CODES.invalidRequest, why, { status: 400 }));
    }
    const { id = null, method, params = {} } = parsed.data;
    try {
      const revision = revisionOf(parsed.data, headers);
      if (id === null) return { message: undefined, status: 202 };
      const result = await this.#answer(method, params, revision);
      return { message: { jsonrpc: "2.0", id, result }, status: 200 };
    } catch (error) {
      if (error instanceof RpcError) return failed(id, error);
      this.#onFault(error);
      return failed(id, new RpcError(CODES.internal, `${method} could not be answered`));
    }
  }

  async #answer(method: string, params: Params, revision: Revision): Promise<object> {
    const methods = revision === "stateless" ? this.#statelessOnly() : this.#handshakeOnly();
    const found = { ...this.#shared(revision), ...methods };
    const answer = Object.hasOwn(found, method) ? found[method] : undefined;
    if (answer === undefined) {
      const status = revision === "stateless" ? 404 : 200;
      throw new RpcError(CODES.methodNotFound, `there is no ${method.slice(0, 100)}`, { status });
    }
    const result = await answer(params);
    if (revision === "handshake") return result;
    return {
      resultType: "complete",
      ...(CACHED.includes(method) ? CACHE : {}),
      ...result,
      _meta: { [SERVER_INFO_KEY]: this.#info() },
    };
  }

  #handshakeOnly(): Methods {
    return { initialize: (params) => this.#initialize(params), ping: () => ({}) };
  }

  #statelessOnly(): Methods {
    return {
      "server/discover": () => ({
        supportedVersions: STATELESS_REVISIONS,
        capabilities: this.#capabilities(),
        instructions: this.#offer.instructions,
      }),
    };
  }

  #shared(revision: Revision): Methods {
    const offer = this.#offer;
    // The stateless revision has no code of its own for this any more.
    const noResource = revision === "stateless" ? CODES.invalidParams : CODES.resourceNotFound;
    return {
      "tools/list": () => ({ tools: offer.tools }),
      "tools/call": async (params) => {
        const { name, arguments: args } = shaped(Called, params);
        return there(await offer.callTool(name, args), `there is no tool ${quoted(name)}`);
      },
      "resources/list": async () => ({ resources: await offer.resources() }),
      "resources/templates/list": () => ({ resourceTemplates: offer.templates }),
      "resources/read": async (params) => {
        const { uri } = shaped(Read, params);
        const contents = await offer.readResource(uri);
        if (contents !== undefined) return { contents };
        throw new RpcError(noResource, `there is no resource ${quoted(uri)}`, { data: { uri } });
      },
      "prompts/list": () => ({ prompts: offer.prompts }),
      "prompts/get": (params) => {
        const { name, arguments: args } = shaped(Got, params);
        const messages = offer.getPrompt(name, args);
        const { description } = offer.prompts.find((prompt) => prompt.name === name) ?? {};
        return { description, messages: there(messages, `there is no prompt ${quoted(name)}`) };
      },
    };
  }

  #initialize(params: Params): object {
    const { protocolVersion } = shaped(Initialize, params);
    const isKnown = HANDSHAKE_REVISIONS.includes(protocolVersion);
    return {
      protocolVersion: isKnown ? protocolVersion : HANDSHAKE_REVISIONS[0],
      capabilities: this.#capabilities(),
      serverInfo: this.#info(),
      instructions: this.#offer.instructions,
    };
  }

  #capabilities(): object {
    return { tools: {}, resources: {}, prompts: {} };
  }

  #info(): object {
    return { name: this.#offer.name, version: this.#offer.version };
  }
}

type Methods = Record<string, (params: Params) => object | Promise<object>>;

const quoted = (text: string): string => JSON.stringify(text.slice(0, 200));

function failed(id: string | number | null, error: RpcError): Answered {
  return { message: errorMessage(id, error), status: error.status };
}

function shaped<T extends z.ZodType>(shape: T, params: Params): z.output<T> {
  const parsed = shape.safeParse(params);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new RpcError(CODES.invalidParams, `invalid params: ${wrong.slice(0, 5).join("; ")}`);
}

function there<T>(value: T | undefined, why: string): T {
  if (value !== undefined) return value;
  throw new RpcError(CODES.invalidParams, why);
}
