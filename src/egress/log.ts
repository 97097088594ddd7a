import type { RefusalCode } from "./refusal.ts";

/** What is known of one request afterwards, and all that is: no path, no header, no body. */
export interface EgressLogLine {
  /** Empty when what was asked for is no host name. */
  readonly host: string;
  readonly method: string;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly verdict: "allowed" | "refused";
  /** Why not, or the name of the rule that allowed it. */
  readonly rule?: RefusalCode | (string & {});
  /** The status of the answer, where one came. */
  readonly status?: number;
}

/** Methods that a log may name; anything else the inside made up could carry a message. */
const METHODS = new Set(
  "GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK REPORT".split(
    " ",
  ),
);

/** A method as the log names it. */
export function loggedMethod(method: string): string {
  return METHODS.has(method) ? method : "OTHER";
}

/**
 * Hands lines on until there were too many. Refusals that moved nothing have lines of their own: a
 * flood of them is cut short, and cannot use up the lines of what really passed.
 */
export class EgressLog {
  readonly #onLog: (line: EgressLogLine) => void;
  #left: number;
  #refusalsLeft: number;

  constructor(onLog: (line: EgressLogLine) => void, linesMax: number) {
    this.#onLog = onLog;
    this.#left = linesMax;
    this.#refusalsLeft = linesMax;
  }

  /** Nothing may be served any more: it would go unlogged. */
  get isFull(): boolean {
    return this.#left <= 0;
  }

  add(line: EgressLogLine): void {
    if (line.verdict === "refused" && line.bytesIn + line.bytesOut === 0) {
      if (this.#refusalsLeft > 0) this.#onLog(line);
      this.#refusalsLeft -= 1;
      return;
    }
    this.#left -= 1;
    this.#onLog(line);
  }
}
