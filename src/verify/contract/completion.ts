import { assert } from "../../base/index.ts";
import type { Contract } from "../../schema/contract.ts";
import type { Counts } from "./delivered-report.ts";

/** What is done once the agents have ended, in this order. */
export type CompletionStep =
  | "look-for-files"
  | "check-files"
  | "bind-parts"
  | "second-look"
  | "write-completion";

/** The steps a contract asks for; binding and the second look are left out where it has none. */
export function completionSteps({ aggregator, verification }: Contract): CompletionStep[] {
  const looksAgain = verification?.enabled === true && verification.layer_2_circuit !== undefined;
  return [
    "look-for-files",
    "check-files",
    ...(aggregator === undefined ? [] : (["bind-parts"] as const)),
    ...(looksAgain ? (["second-look"] as const) : []),
    "write-completion",
  ];
}

/** What became of one agent's part; the counts are ours and not the agent's. */
export interface CompletedPart extends Counts {
  readonly name: string;
  readonly status: "complete" | "partial" | "timeout" | "missing";
  /** In points; null where there is nothing to compute it from. */
  readonly confidence: number | null;
}

/** What `completion.json` tells, in our words. */
export interface Completion {
  readonly workflow: string;
  /** A pull request's number or another name of the run. */
  readonly identifier: string;
  readonly completedAt: string;
  readonly parts: readonly CompletedPart[];
  /** Absent where nothing was bound together. */
  readonly binding?: {
    readonly path: string;
    readonly total: number;
    /** How many there were before the same thing, said twice, became one. */
    readonly beforeMerging: number;
  };
}

/** The text of `completion.json`. The keys and the confidence from 0 to 1 are the format's. */
export function completionDocument(completion: Completion): string {
  const parts = completion.parts.map(({ name, status, p1, p2, p3, confidence }) => [
    name,
    {
      status,
      findings: p1 + p2 + p3,
      p1,
      p2,
      p3,
      confidence: confidence === null ? null : confidence / 100,
    },
  ]);
  const document = {
    workflow: completion.workflow,
    identifier: completion.identifier,
    completed_at: completion.completedAt,
    ["tarnished"]: Object.fromEntries(parts),
    ...bindingOf(completion.binding),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function bindingOf(binding: Completion["binding"]): object {
  if (binding === undefined) return {};
  const { path, total, beforeMerging } = binding;
  assert(total <= beforeMerging, "merging findings does not add any");
  const removed = beforeMerging - total;
  return {
    aggregation: {
      ["tome_path"]: path,
      total_findings: total,
      pre_dedup_total: beforeMerging,
      dedup_removed: removed,
    },
  };
}
