#!/usr/bin/env node
import { insideMain } from "./inside-main.ts";
import { RUN_SOCKET } from "./talking.ts";

const controller = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    controller.abort();
    process.stdin.destroy();
  });
}

process.exitCode = await insideMain(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  input: process.stdin,
  output: process.stdout,
  signal: controller.signal,
  socket: RUN_SOCKET,
});
