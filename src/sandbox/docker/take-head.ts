import type { Readable } from "node:stream";
import { SwornError } from "../../base/index.ts";

const HEAD_MS_MAX = 30_000;

/**
 * Takes the first bytes off a stream, which are the launcher's report; what comes after them is the
 * task's and stays.
 *
 * @throws SwornError `SANDBOX_FAILED` when the sandbox ends or stays silent before that many came.
 */
export function takeHead(
  stream: Readable,
  bytes: number,
  exited: Promise<unknown>,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    const settle = (): void => {
      clearTimeout(timer);
      stream.off("data", onData);
      stream.pause();
    };
    const fail = (why: string): void => {
      settle();
      const found = `${length} of ${bytes} bytes of its report came`;
      reject(new SwornError("SANDBOX_FAILED", `${why}: ${found}`));
    };
    const timer = setTimeout(() => fail("the sandbox was silent for too long"), HEAD_MS_MAX);
    const onData = (part: Buffer): void => {
      parts.push(part);
      length += part.length;
      if (length < bytes) return;
      settle();
      const all = Buffer.concat(parts);
      if (length > bytes) stream.unshift(all.subarray(bytes));
      resolve(all.subarray(0, bytes));
    };
    stream.on("data", onData);
    const onExit = (): void => fail("the sandbox ended before its task could begin");
    exited.then(onExit, onExit);
  });
}
