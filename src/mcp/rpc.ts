import * as z from "zod";

/** The codes of JSON-RPC, and those that MCP adds. */
export const CODES = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  resourceNotFound: -32_002,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const;

/** Strings and whole numbers; null is for answers to nobody. */
const Id = z.union([z.string().max(1_000), z.int()]);

/** A message of a client: a request with an id, or a notification without. */
export const RpcMessage = z.object({
  jsonrpc: z.literal("2.0"),
  id: Id.optional(),
  method: z.string().min(1).max(200),
  params: z.record(z.string(), z.unknown()).optional(),
});
export type RpcMessage = z.infer<typeof RpcMessage>;

/** An answer to something that we never asked: it is dropped. */
export const RpcResponse = z
  .object({ jsonrpc: z.literal("2.0"), id: Id })
  .and(z.union([z.object({ result: z.unknown() }), z.object({ error: z.unknown() })]));

/** A request that cannot be answered; thrown by what answers and turned into a message by the peer. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: object | undefined;
  /** What HTTP says of it: problems of the request itself are not the handler's. */
  readonly status: number;

  constructor(
    code: number,
    message: string,
    more: { readonly data?: object; readonly status?: number } = {},
  ) {
    super(message);
    this.code = code;
    this.data = more.data;
    this.status = more.status ?? 200;
  }
}

/** The message that tells of an error. */
export function errorMessage(id: string | number | null, error: RpcError): object {
  const { code, message, data } = error;
  return {
    jsonrpc: "2.0",
    id,
    error: { code, message, ...(data === undefined ? {} : { data }) },
  };
}
