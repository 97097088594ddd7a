import type { Readable } from "node:stream";
import { SwornError } from "../../base/index.ts";

const REPORT_MS_MAX = 20_000;

/**
 * Reads the launcher's report.
 *
 * @throws SwornError `SANDBOX_FAILED` when the sandbox ends or stays silent before it has reported.
 */
export function takeReport(
  channel: Readable,
  bytes: number,
  exited: Promise<unknown>,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const fail = (why: string) => {
      clearTimeout(timer);
      reject(new SwornError("SANDBOX_FAILED", why));
    };
    const timer = setTimeout(() => fail("the sandbox did not report in time"), REPORT_MS_MAX);
    channel.on("error", () => fail("the sandbox cut its report short"));
    channel.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size < bytes) return;
      clearTimeout(timer);
      resolve(Buffer.concat(chunks));
    });
    void exited.then(() => fail("the sandbox ended before its task could begin"));
  });
}
