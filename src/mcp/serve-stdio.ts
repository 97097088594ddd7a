import { decodeUtf8, messageOf, parseJson, SwornError } from "../base/index.ts";
import { LineReader } from "../flow/tooling/line-reader.ts";
import { RequestGate } from "../flow/tooling/request-gate.ts";
import { TOOLING_LINE_BYTES_MAX } from "../schema/tooling.ts";
import type { McpPeer } from "./peer.ts";
import { CODES, errorMessage, RpcError } from "./rpc.ts";

/** A client on the same machine is slowed down like a run, but further away. */
const BOUNDS = { inFlightMax: 16, burst: 1_000, perSecond: 500 };

/**
 * Serves a client over a pair of streams, a message a line, until the input ends. Nothing but
 * messages of the protocol is written.
 */
export async function serveStdio(
  peer: McpPeer,
  input: AsyncIterable<Buffer>,
  write: (line: string) => void,
): Promise<void> {
  const reader = new LineReader(TOOLING_LINE_BYTES_MAX);
  const gate = new RequestGate(BOUNDS);
  const open = new Set<Promise<void>>();
  const answer = async (line: Buffer): Promise<void> => {
    const message = await answerLine(peer, line);
    if (message !== undefined) write(`${JSON.stringify(message)}\n`);
  };
  try {
    for await (const chunk of input) {
      for (const line of reader.take(chunk)) {
        if (line.length === 0 || !(await gate.enter(line.length))) continue;
        const answered = answer(line).finally(() => {
          gate.leave();
          open.delete(answered);
        });
        open.add(answered);
      }
    }
  } catch (error) {
    // A line without an end: what follows it cannot be told apart from it.
    if (!(error instanceof SwornError)) throw error;
    write(`${JSON.stringify(errorMessage(null, new RpcError(CODES.parse, error.message)))}\n`);
  } finally {
    await Promise.allSettled(open);
  }
}

async function answerLine(peer: McpPeer, line: Buffer): Promise<object | undefined> {
  try {
    const parsed = parseJson(decodeUtf8(line), TOOLING_LINE_BYTES_MAX);
    return (await peer.take(parsed)).message;
  } catch (error) {
    return errorMessage(null, new RpcError(CODES.parse, messageOf(error)));
  }
}
