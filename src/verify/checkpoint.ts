import { messageOf, parseVerifierKey, toVerifierKey } from "../base/index.ts";
import {
  acknowledgedSize,
  CHECKPOINT_SIGNER,
  claimOf,
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
  /** Roots of the tree at the sizes that outside heads speak of, as far as it reaches. */
  readonly rootAt: ReadonlyMap<number, string>;
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

/** The sizes that heads kept elsewhere speak of; their roots must be taken while the tree grows. */
export function sizesOf(notes: readonly string[], trace: string): ReadonlySet<number> {
  return new Set(notes.flatMap((note) => claimOf(note, trace)?.size ?? []));
}

/**
 * Compares with heads kept elsewhere: a trace that became shorter since was cut or put back, one
 * that says something else at that size is a fork.
 */
export function checkOutsideHeads(
  findings: Findings,
  notes: readonly string[] | undefined,
  reading: Reading,
): void {
  const { trace, tree, runtimeKeys, rootAt } = reading;
  if (trace === undefined || notes === undefined) return;
  if (notes.length === 0) {
    const message = "the head kept outside the store is missing: a cut end would not be seen";
    findings.add("HEAD_MISSING", null, message);
  }
  const forked = notes.find((note) => {
    const size = acknowledgedSize(note, trace, runtimeKeys);
    return size > 0 && size <= tree.size && claimOf(note, trace)?.root !== rootAt.get(size);
  });
  if (forked !== undefined) {
    findings.add(
      "CHECKPOINT_INVALID",
      null,
      `the first ${claimOf(forked, trace)?.size} entries are not the ones that were acknowledged`,
    );
  }
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
