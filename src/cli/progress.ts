import type { Io } from "./io.ts";

const EVERY_MS = 500;
/** Where nobody watches, a log wants a sign of life now and then, on a line of its own. */
const LOGGED_EVERY_MS = 10_000;
const COLUMNS = 80;

/** A line of progress that redraws itself while somebody watches, and is written rarely otherwise. */
export function progress(io: Io, verb: string, what = "entries") {
  const every = io.isTerminal ? EVERY_MS : LOGGED_EVERY_MS;
  let next = Date.now() + every;
  let drawn = false;
  const draw = (text: () => string): void => {
    if (Date.now() < next) return;
    next = Date.now() + every;
    if (!io.isTerminal) {
      io.err(`${text()}\n`);
      return;
    }
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
