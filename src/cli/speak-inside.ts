import { Readable, Writable } from "node:stream";
import { RUN_SOCKET } from "../inside/index.ts";
import { insideMain } from "../inside/inside-main.ts";
import type { Io } from "./io.ts";

/** Runs a command of those that talk over the socket of the run that this process is in. */
export function speakInside(argv: readonly string[], io: Io): Promise<number> {
  const output = new Writable({
    write: (chunk: Buffer, _, done) => {
      io.out(chunk);
      done();
    },
  });
  return insideMain(argv, {
    out: io.out,
    err: io.err,
    input: Readable.from(io.input(), { objectMode: false }),
    output,
    signal: io.signal,
    socket: io.runSocket ?? RUN_SOCKET,
  });
}
