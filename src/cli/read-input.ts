import { SwornError } from "../base/index.ts";
import type { Io } from "./io.ts";

/** All of standard input. @throws SwornError `LIMIT_EXCEEDED`, saying what was expected. */
export async function readInput({ input }: Io, bytesMax: number, what: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input()) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw new SwornError("LIMIT_EXCEEDED", `expected ${what} of at most ${bytesMax} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
