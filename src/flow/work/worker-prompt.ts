import { type Json, SwornError } from "../../base/index.ts";
import { dataBlock, taskBlock } from "../../plan/index.ts";
import { AGENT_TREE } from "../../run/index.ts";
import type { PlanSubtask } from "../../schema/plan.ts";
import type { TryProofs } from "../../schema/work.ts";
import { cut } from "../record/entry-text.ts";
import { fieldsOf } from "./output-value.ts";
import { SENTINEL_NAME } from "./sentinel.ts";
import type { Staging } from "./staging.ts";

const FEEDBACK_CHARS_MAX = 20_000;
const FLAW = /^[ \t>*-]{0,10}FLAW:[ \t]*(\S.{0,2000})$/gim;
const FLAWS_MAX = 100;
const NONE = /^none\b/i;

/** What a worker is told beside its instruction: what it stands on, and why the last try failed. */
export interface ToldWorker {
  readonly subtask: PlanSubtask;
  readonly staging: Staging;
  /** The named keys of upstream outputs, by subtask. */
  readonly context: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly feedback?: { readonly why: string; readonly proofs: TryProofs | undefined } | undefined;
}

/**
 * What one worker is asked to do: its own subtask with its acceptance, the upstream values that the
 * plan names for it, and where to put its output. Of other subtasks it learns nothing else. Whatever
 * others wrote stands in it as data.
 */
export function workerPrompt({ subtask, staging, context, feedback }: ToldWorker): string {
  const place = `${AGENT_TREE}/${staging.folder}`;
  const parts = [
    `# ${subtask.id}: ${plain(subtask.name)}`,
    taskBlock(subtask.instruction),
    ...(Object.keys(context).length === 0
      ? []
      : [dataBlock("values from earlier subtasks", JSON.stringify(context, null, 2))]),
    acceptanceOf(subtask),
    [
      "Deliver:",
      `- Change the project's files in ${AGENT_TREE}${scopeOf(subtask)}.`,
      `- Write ${place}/${staging.output} with these fields: ${JSON.stringify(subtask.output_schema)}.`,
      `- Write no ${SENTINEL_NAME}: the runner writes it once the proofs pass.`,
      "- Before you end, look for what is wrong with your own work. Name each flaw that stays in a line",
      '  "FLAW: ..." of your last words, or say "FLAW: none".',
      "- Leave no `_temp_*` file behind. What you leave undone on purpose is named, not hidden.",
    ].join("\n"),
    ...(feedback === undefined ? [] : [feedbackOf(feedback)]),
  ];
  return `${parts.join("\n\n")}\n`;
}

function acceptanceOf({ proofs, edge_cases, verification_functions }: PlanSubtask): string {
  // Assertions and the test are among the proofs, and so are most checks in words.
  const proven = JSON.stringify(proofs);
  const worded = verification_functions.natural_language_checks.filter(
    (check) => !proven.includes(JSON.stringify(check).slice(1, -1)),
  );
  const checks = {
    proofs,
    ...(worded.length === 0 ? {} : { in_words: worded }),
    edge_cases: edge_cases.map(({ label, scenario }) => `${label}: ${scenario}`),
  };
  return dataBlock("how it is checked afterwards, by the runtime", JSON.stringify(checks, null, 2));
}

function scopeOf({ files }: PlanSubtask): string {
  return files === undefined ? "" : `, and only these: ${files.map(plain).join(", ")}`;
}

function feedbackOf({ why, proofs }: NonNullable<ToldWorker["feedback"]>): string {
  const failed = (proofs?.outcomes ?? []).filter(({ verdict }) => verdict !== "pass");
  const lines = [
    why,
    ...(proofs?.against ?? []),
    ...failed.map(({ proof, reason, output }) => `${JSON.stringify(proof)}\n${reason}\n${output}`),
  ];
  const text = cut(lines.join("\n\n"), FEEDBACK_CHARS_MAX);
  return dataBlock("why an earlier try does not count", text);
}

/**
 * The values that a subtask is given: of each upstream output the keys that the plan names, and no
 * others.
 *
 * @throws SwornError `INPUT_INVALID` when an output does not have one of them.
 */
export function contextOf(
  { id, context_required }: PlanSubtask,
  outputOf: (upstream: string) => Json | undefined,
): ToldWorker["context"] {
  return Object.fromEntries(
    Object.entries(context_required).map(([upstream, keys]) => {
      const fields = fieldsOf(outputOf(upstream));
      const values = keys.map((key) => {
        const value = fields.get(key);
        if (value !== undefined) return [key, value] as const;
        throw new SwornError(
          "INPUT_INVALID",
          `${id} needs ${key} of ${upstream}, and the output of ${upstream} does not have it`,
        );
      });
      return [upstream, Object.fromEntries(values)];
    }),
  );
}

/** What a worker says is wrong with its own work; undefined when it did not answer. */
export function flawsIn(words: string): string[] | undefined {
  const said = [...words.matchAll(FLAW)].slice(0, FLAWS_MAX).map(([, flaw = ""]) => flaw.trim());
  if (said.length === 0) return undefined;
  return said.filter((flaw) => !NONE.test(flaw)).map((flaw) => flaw.toWellFormed());
}

function plain(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ").slice(0, 1_000);
}
