import { Worker } from "node:worker_threads";
import { sha256Hex } from "../base/index.ts";
import { checkLine, KeyTable, type LineProblem } from "./line.ts";

/** Whole lines of a ledger, as one run of bytes and one by one. */
export interface Piece {
  readonly bytes: Buffer;
  readonly lines: readonly Buffer[];
}

/** A piece of a ledger whose lines were each checked by themselves. */
export interface CheckedPiece {
  readonly lines: readonly Buffer[];
  /** The lines' hashes, 32 bytes each, one after the other. */
  readonly hashes: Uint8Array;
  readonly problems: ReadonlyMap<number, LineProblem>;
}

export type EnrolledKey = readonly [id: string, publicText: string];

/** Checks pieces of a ledger, in order; `keys` are the ones that became known with the piece. */
export interface LineChecker {
  check(piece: Piece, keys: readonly EnrolledKey[]): Promise<CheckedPiece>;
  /** How many pieces may be under way at once. */
  readonly width: number;
  close(): Promise<void>;
}

/** Checks on the calling thread: best for small traces, which end before a thread has started. */
export function inlineChecker(): LineChecker {
  const table = new KeyTable();
  return {
    width: 1,
    check: async ({ lines }, keys) => {
      for (const [id, publicText] of keys) table.add(id, publicText);
      return { lines, ...checkPiece(lines, table) };
    },
    close: async () => {},
  };
}

/** What a worker thread sends back. */
export interface PieceVerdict {
  readonly hashes: Uint8Array<ArrayBuffer>;
  readonly problems: Map<number, LineProblem>;
}

export function checkPiece(lines: readonly Buffer[], table: KeyTable): PieceVerdict {
  const hashes = Buffer.from(new ArrayBuffer(32 * lines.length));
  const problems = new Map<number, LineProblem>();
  for (const [index, line] of lines.entries()) {
    hashes.write(sha256Hex(line), 32 * index, "hex");
    const problem = checkLine(line, table);
    if (problem) problems.set(index, problem);
  }
  return { hashes, problems };
}

interface Lane {
  readonly worker: Worker;
  readonly waiting: { resolve(verdict: PieceVerdict): void; reject(error: Error): void }[];
  /** How many of the known keys this worker was told. */
  told: number;
}

/** Checks on several threads; signatures are nearly all of the work, and they do not need each other. */
export function threadedChecker(threads: number): LineChecker {
  const known: EnrolledKey[] = [];
  const lanes = Array.from({ length: threads }, startLane);
  return {
    width: threads * 3,
    check: async ({ bytes, lines }, keys) => {
      known.push(...keys);
      const lane = leastBusy(lanes);
      const news = known.slice(lane.told);
      lane.told = known.length;
      const verdict = new Promise<PieceVerdict>((resolve, reject) =>
        lane.waiting.push({ resolve, reject }),
      );
      lane.worker.postMessage({ piece: bytes, keys: news });
      return { lines, ...(await verdict) };
    },
    close: async () => {
      await Promise.all(lanes.map((lane) => lane.worker.terminate()));
    },
  };
}

/** Threads share their cores with others, so they do not keep step. */
function leastBusy(lanes: readonly Lane[]): Lane {
  return lanes.reduce((best, lane) => (lane.waiting.length < best.waiting.length ? lane : best));
}

function startLane(): Lane {
  const lane: Lane = {
    worker: new Worker(new URL("./line-worker.js", import.meta.url)),
    waiting: [],
    told: 0,
  };
  lane.worker.on("message", (verdict: PieceVerdict) => lane.waiting.shift()?.resolve(verdict));
  const fail = (error: Error) => {
    for (const waiter of lane.waiting.splice(0)) waiter.reject(error);
  };
  lane.worker.on("error", fail);
  lane.worker.on("exit", () => fail(new Error("a verification thread ended early")));
  return lane;
}
