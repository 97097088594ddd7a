import { type IncomingMessage, request } from "node:http";

/** What a service answered: not yet looked at, but all there. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/** Asking again will not help: whoever is silent now would be silent again, just as long. */
export class HopelessPost extends Error {}

/** It was there, and answered what nobody can use: no trouble of the service's. */
export class TooLong extends HopelessPost {}

export interface PostLimits {
  /** Without a byte for so long, nobody is there any more. */
  readonly stallMs: number;
  readonly bytesMax: number;
}

/**
 * Asks over plain HTTP: inside a sandbox the only way out is the proxy on loopback, and that one
 * speaks TLS to the world. Throws when no whole answer came: refused, broken off, stalled, too long.
 */
export function postJson(
  address: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
  limits: PostLimits,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(JSON.stringify(body));
    const asked = request(address, {
      method: "POST",
      // A connection of its own: one that was kept could be closed while it is used.
      agent: false,
      headers: { ...headers, "content-type": "application/json", "content-length": bytes.length },
    });
    const silence = setTimeout(
      () =>
        fail(new HopelessPost(`no byte from the model for ${limits.stallMs / 1_000} s: timed out`)),
      limits.stallMs,
    );
    const fail = (error: Error): void => {
      clearTimeout(silence);
      asked.destroy();
      reject(error);
    };
    asked.once("error", fail);
    asked.once("response", (response) => {
      silence.refresh();
      collect(response, limits.bytesMax, () => silence.refresh())
        .then((text) => {
          clearTimeout(silence);
          const { statusCode = 0, headers: got } = response;
          resolve({ status: statusCode, retryAfter: got["retry-after"], text });
        })
        .catch(fail);
    });
    asked.end(bytes);
  });
}

async function collect(
  response: IncomingMessage,
  bytesMax: number,
  onByte: () => void,
): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      onByte();
      size += chunk.length;
      if (size > bytesMax) throw new TooLong(`the model's answer is longer than ${bytesMax} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof TooLong) throw error;
    // One that is broken off throws here, with a word that says nothing; it does not end.
    throw new Error(`the model's answer broke off after ${size} bytes`, { cause: error });
  }
  return Buffer.concat(chunks).toString("utf8");
}
