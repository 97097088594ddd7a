import type { Io } from "./io.ts";

const EVERY_MS = 500;
const COLUMNS = 80;

/** A line of progress that redraws itself while somebody watches, and is silent otherwise. */
export function progress(io: Io, verb: string, what = "entries") {
  let next = Date.now() + EVERY_MS;
  let drawn = false;
  const draw = (text: () => string): void => {
    if (!io.isTerminal || Date.now() < next) return;
    next = Date.now() + EVERY_MS;
    drawn = true;
    // A line that is wider than the terminal would leave a piece of itself behind.
    io.err(`\r\u001b[K${text().slice(0, (io.columns ?? COLUMNS) - 1)}`);
  };
  return {
    update: (count: number): void => draw(() => `${verb} ${count} ${what}`),
    /** The same with words of its own, made only when they are drawn. */
    show: draw,
    end: (): void => {
      if (drawn) io.err("\r\u001b[K");
      drawn = false;
    },
  };
}
