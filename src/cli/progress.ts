import type { Io } from "./io.ts";

const EVERY_MS = 500;

/** A line of progress that redraws itself while somebody watches, and is silent otherwise. */
export function progress(io: Io, verb: string, what = "entries") {
  let next = Date.now() + EVERY_MS;
  let drawn = false;
  return {
    update: (count: number): void => {
      if (!io.isTerminal || Date.now() < next) return;
      next = Date.now() + EVERY_MS;
      drawn = true;
      io.err(`\r${verb} ${count} ${what}`);
    },
    end: (): void => {
      if (drawn) io.err("\r\u001b[K");
      drawn = false;
    },
  };
}
