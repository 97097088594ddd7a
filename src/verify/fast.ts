import { sha256Hex } from "../base/index.ts";
import { TreeHead } from "../ledger/index.ts";
import { CHECKS, type CheckId, GENESIS_PREV, LINE_BYTES_MAX } from "../schema/index.ts";
import { sizesOf } from "./checkpoint.ts";
import type { Findings } from "./findings.ts";
import { KeyWatch } from "./key-watch.ts";
import { splitLines } from "./line.ts";
import { type OverlongLine, wholeLines } from "./pieces.ts";
import type { TraceSource } from "./source.ts";
import { BROKEN_LINES_MAX } from "./trace-pass.ts";

/** How a canonical entry ends; in this order the members that chain it stand together at the end. */
const TAIL =
  /,"prev":"([0-9a-f]{64})","seq":(\d{1,15}),"sig":"[A-Za-z0-9+/]{86}==","trace":"(trace_[0-9A-Z]{26})","type":"[a-z_]{1,40}","v":1\}$/;
const TAIL_BYTES = 320;
const MADE: readonly CheckId[] = ["CHK_CHAIN_CONTINUITY", "CHK_CHECKPOINT"];

/** What a quick reading found out. */
export interface FastReading {
  readonly trace: string | undefined;
  readonly tree: TreeHead;
  readonly head: string | undefined;
  readonly runtimeKey: string | undefined;
  readonly runtimeKeys: readonly string[];
  readonly rootAt: ReadonlyMap<number, string>;
}

/**
 * Checks the chain and builds the tree, from the ends of lines alone. With the checkpoint's
 * signature this shows that the entries are the ones the runtime signed for; it does not show that
 * each was signed by its agent, or that the rules were kept.
 */
export async function readFast(findings: Findings, source: TraceSource): Promise<FastReading> {
  const chain = new FastChain(sizesOf(source.outsideHeads ?? [], source.trace ?? ""));
  let breaks = 0;
  for await (const piece of wholeLines(source)) {
    if (breaks >= BROKEN_LINES_MAX) break;
    for (const line of linesOf(piece)) {
      const seq = chain.tree.size;
      if (chain.take(line)) continue;
      breaks += 1;
      findings.add("CHAIN_BREAK", seq, `entry ${seq}: it does not follow the entry before it`);
    }
  }
  findings.skip(CHECKS.filter((check) => !MADE.includes(check)));
  findings.add(
    "CHECKS_SKIPPED",
    null,
    "fast verification: only chain, tree and checkpoint were checked",
  );
  return chain.reading();
}

function linesOf(piece: Buffer | OverlongLine): readonly (Buffer | OverlongLine)[] {
  return "hash" in piece ? [piece] : splitLines(piece);
}

/** The chain and the tree as they grow. */
class FastChain {
  readonly tree = new TreeHead();
  readonly #watch = new KeyWatch();
  readonly #rootSizes: ReadonlySet<number>;
  readonly #rootAt = new Map<number, string>();
  #head = GENESIS_PREV;
  #trace: string | undefined;

  constructor(rootSizes: ReadonlySet<number>) {
    this.#rootSizes = rootSizes;
  }

  /** Takes a line in, whether it fits or not; says whether it did. */
  take(line: Buffer | OverlongLine): boolean {
    if (!("hash" in line) && line.length <= LINE_BYTES_MAX) return this.#takeWhole(line);
    this.#append("hash" in line ? line.hash.toString("hex") : sha256Hex(line));
    return false;
  }

  #takeWhole(line: Buffer): boolean {
    const tail = TAIL.exec(line.toString("latin1", Math.max(0, line.length - TAIL_BYTES)));
    this.#trace ??= tail?.[3];
    const follows = tail?.[1] === this.#head && Number(tail[2]) === this.tree.size;
    this.#watch.look(line);
    this.#append(sha256Hex(line));
    return follows && tail[3] === this.#trace;
  }

  #append(hash: string): void {
    this.#head = hash;
    this.tree.append(hash);
    if (this.#rootSizes.has(this.tree.size)) this.#rootAt.set(this.tree.size, this.tree.root());
  }

  reading(): FastReading {
    const { runtimeKeys } = this.#watch;
    return {
      trace: this.#trace,
      tree: this.tree,
      head: this.tree.size === 0 ? undefined : this.#head,
      runtimeKey: runtimeKeys.at(-1),
      runtimeKeys,
      rootAt: this.#rootAt,
    };
  }
}
