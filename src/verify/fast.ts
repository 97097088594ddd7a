import { sha256Hex } from "../base/index.ts";
import { TreeHead } from "../ledger/index.ts";
import { CHECKS, type CheckId, GENESIS_PREV } from "../schema/index.ts";
import type { Findings } from "./findings.ts";
import { KeyWatch } from "./key-watch.ts";
import { splitLines } from "./line.ts";
import { wholeLines } from "./pieces.ts";
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
}

/**
 * Checks the chain and builds the tree, from the ends of lines alone. With the checkpoint's
 * signature this shows that the entries are the ones the runtime signed for; it does not show that
 * each was signed by its agent, or that the rules were kept.
 */
export async function readFast(findings: Findings, source: TraceSource): Promise<FastReading> {
  const tree = new TreeHead();
  const watch = new KeyWatch();
  let [head, trace]: [string, string | undefined] = [GENESIS_PREV, undefined];
  let breaks = 0;
  for await (const piece of wholeLines(source)) {
    if (breaks >= BROKEN_LINES_MAX) break;
    for (const line of splitLines(piece)) {
      const tail = TAIL.exec(line.toString("latin1", Math.max(0, line.length - TAIL_BYTES)));
      trace ??= tail?.[3];
      if (tail?.[1] !== head || Number(tail[2]) !== tree.size || tail[3] !== trace) {
        breaks += 1;
        findings.add(
          "CHAIN_BREAK",
          tree.size,
          `entry ${tree.size}: it does not follow the entry before it`,
        );
      }
      watch.look(line);
      head = sha256Hex(line);
      tree.append(head);
    }
  }
  findings.skip(CHECKS.filter((check) => !MADE.includes(check)));
  findings.add(
    "CHECKS_SKIPPED",
    null,
    "fast verification: only chain, tree and checkpoint were checked",
  );
  const { runtimeKeys } = watch;
  return {
    trace,
    tree,
    head: tree.size === 0 ? undefined : head,
    runtimeKey: runtimeKeys.at(-1),
    runtimeKeys,
  };
}
