import { messageOf, parseVerifierKey, toVerifierKey } from "../base/index.ts";
import {
  acknowledgedSize,
  CHECKPOINT_SIGNER,
  openCheckpoint,
  type TreeHead,
} from "../ledger/index.ts";
import type { Findings } from "./findings.ts";

/** What the entries turned out to be, for comparison with what was signed about them. */
export interface Reading {
  readonly trace: string | undefined;
  readonly tree: TreeHead;
  /** The key the trace says checkpoints are signed with. */
  readonly runtimeKey: string | undefined;
  /** That one and those it had before. */
  readonly runtimeKeys: readonly string[];
}

/** Compares the signed checkpoint with the entries: nothing cut off, nothing put on, nothing exchanged. */
export function checkCheckpoint(
  findings: Findings,
  note: string | undefined,
  reading: Reading,
): void {
  const { trace, tree, runtimeKey } = reading;
  if (note === undefined || trace === undefined || runtimeKey === undefined) {
    const missing =
      note === undefined
        ? "there is no checkpoint"
        : "the entries name no key that signs checkpoints";
    findings.add("CHECKPOINT_INVALID", null, missing);
    return;
  }
  try {
    const { size, root } = openCheckpoint(note, trace, runtimeKey);
    if (size > tree.size) {
      findings.add(
        "TAIL_MISSING",
        tree.size,
        `${size} entries were signed for, ${tree.size} are there: the end is missing`,
      );
    } else if (size < tree.size) {
      findings.add(
        "TAIL_UNSIGNED",
        size,
        `${size} entries were signed for, ${tree.size} are there: the end was added`,
      );
    } else if (root !== tree.root()) {
      findings.add(
        "CHECKPOINT_INVALID",
        null,
        "the entries are not the ones that were signed for: the tree's root differs",
      );
    }
  } catch (error) {
    findings.add("CHECKPOINT_INVALID", null, messageOf(error));
  }
}

/** Compares with heads kept elsewhere: a trace that became shorter since was cut or put back. */
export function checkOutsideHeads(
  findings: Findings,
  notes: readonly string[],
  reading: Reading,
): void {
  const { trace, tree, runtimeKeys } = reading;
  if (trace === undefined) return;
  const longest = Math.max(0, ...notes.map((note) => acknowledgedSize(note, trace, runtimeKeys)));
  if (longest > tree.size) {
    findings.add(
      "TAIL_MISSING",
      tree.size,
      `${longest} entries were acknowledged, ${tree.size} are there: an older copy was put back or the end is lost`,
    );
  }
}

/** Compares the signer with the one the reader knows; without one, everything rests on the trace's own word. */
export function checkTrust(
  findings: Findings,
  runtimeKey: string | undefined,
  trustedKey: string | undefined,
): string | null {
  const signer =
    runtimeKey === undefined
      ? null
      : toVerifierKey({ name: CHECKPOINT_SIGNER, public: runtimeKey });
  if (trustedKey !== undefined && parseVerifierKey(trustedKey).public !== runtimeKey) {
    findings.add(
      "KEY_NOT_TRUSTED",
      0,
      `the checkpoint's key is ${signer}, expected ${trustedKey.trim()}`,
    );
  }
  return signer;
}
