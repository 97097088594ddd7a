import type { Socket } from "node:net";
import { decodeUtf8, type Json, parseJson, SwornError } from "../../base/index.ts";
import { TOOLING_LINE_BYTES_MAX } from "../../schema/tooling.ts";
import { LineReader } from "./line-reader.ts";
import type { RequestGate } from "./request-gate.ts";

/** Answers one parsed line; undefined where no answer is due. */
export type LineAnswer = (line: Json) => Promise<object | undefined>;

/** What a connection needs of the socket that it came over. */
export interface ConnectionSetting {
  readonly gate: RequestGate;
  readonly answer: LineAnswer;
  /** How long the rest of a line, or a reader of answers, may take. */
  readonly patienceMs: number;
}

/**
 * Serves one connection until its end. Lines are taken as fast as they are answered. What is no line
 * of JSON ends the connection: there is no telling where the next one would begin.
 */
export async function serveConnection(socket: Socket, setting: ConnectionSetting): Promise<void> {
  const { gate, patienceMs } = setting;
  const open = new Set<Promise<void>>();
  try {
    for await (const { line, bytes } of linesOf(socket, patienceMs)) {
      if (!(await gate.enter(bytes))) break;
      const answered = answerLine(socket, line, setting).finally(() => {
        gate.leave();
        open.delete(answered);
      });
      open.add(answered);
    }
  } catch (error) {
    // Anything else is the other side going away, which it may.
    if (error instanceof SwornError) await write(socket, failure(error), patienceMs);
  } finally {
    await Promise.allSettled(open);
    socket.destroy();
  }
}

/** The lines of a connection, parsed one after the other: behind rubbish nothing is a request. */
async function* linesOf(
  socket: Socket,
  patienceMs: number,
): AsyncGenerator<{ readonly line: Json; readonly bytes: number }> {
  const reader = new LineReader(TOOLING_LINE_BYTES_MAX);
  const waiting = new Patience(patienceMs, () => socket.destroy());
  // Whoever has said all there is to say may still be waiting for the answers.
  const chunks: AsyncIterable<Buffer> = socket.iterator({ destroyOnReturn: false });
  try {
    for await (const chunk of chunks) {
      for (const line of reader.take(chunk)) {
        waiting.end();
        if (socket.destroyed) return;
        const parsed = parseJson(decodeUtf8(line), TOOLING_LINE_BYTES_MAX);
        yield { line: parsed, bytes: line.length };
      }
      if (reader.held > 0) waiting.begin();
    }
  } finally {
    waiting.end();
  }
}

async function answerLine(
  socket: Socket,
  line: Json,
  { answer, patienceMs }: ConnectionSetting,
): Promise<void> {
  const given = await answer(line);
  if (given !== undefined) await write(socket, given, patienceMs);
}

/** A failure of a line as a whole: it belongs to no request. */
function failure({ code, message }: SwornError): object {
  return { id: null, error: { code, message } };
}

/** Waits until the other side has read it: answers that nobody fetches would pile up here. */
async function write(socket: Socket, value: object, patienceMs: number): Promise<void> {
  if (!socket.writable) return;
  const patience = new Patience(patienceMs, () => socket.destroy());
  patience.begin();
  await new Promise<void>((resolve) => {
    socket.write(`${JSON.stringify(value)}\n`, () => resolve());
  });
  patience.end();
}

/** Does something when what was waited for has not come in time. */
class Patience {
  readonly #ms: number;
  readonly #lost: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, lost: () => void) {
    this.#ms = ms;
    this.#lost = lost;
  }

  begin(): void {
    this.#timer ??= setTimeout(this.#lost, this.#ms);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
