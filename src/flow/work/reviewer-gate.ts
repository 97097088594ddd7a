import * as z from "zod";
import { messageOf } from "../../base/index.ts";
import { dataBlock } from "../../plan/index.ts";
import type { Repository } from "../../repo/index.ts";
import type { Plan } from "../../schema/plan.ts";
import type { ReviewReport } from "../../schema/review.ts";
import type { GateVerdict } from "../../schema/work.ts";
import { builtInReport, findingLine, type ReviewedChange } from "../agent/built-in-report.ts";
import { type AskedStranger, askForWord } from "./ask-agent.ts";
import type { Seen } from "./work-parts.ts";

const PATCH_BYTES_MAX = 400_000;
const REASONS_MAX = 50;

const Verdict = z.strictObject({
  verdict: z.enum(["accept", "reject"]),
  reasons: z.array(z.string().min(1).max(2_000)).max(REASONS_MAX),
});

/** What a reviewer came to; one that could not be heard has said no, but nobody has to answer that no. */
export type Reviewed = Omit<GateVerdict, "gate"> & { readonly isUnheard?: true };

/**
 * A reviewer in a fresh context, who sees the change and the criteria and nothing else: neither the
 * plan's reasoning nor who did the work. Only a plain yes is one; silence, an error and anything that
 * cannot be read are a no.
 */
export async function agentReview(
  seen: Seen,
  repository: Repository,
  asked: Omit<AskedStranger, "prompt" | "signal" | "onStep">,
): Promise<Reviewed> {
  const by = `${asked.chosen.name}, who saw the change and the criteria alone`;
  const patch = await repository.patchText(seen.before, seen.after, PATCH_BYTES_MAX);
  if (patch === undefined) {
    const why = `the change has more than ${PATCH_BYTES_MAX} bytes, which nobody can review at once`;
    return { by, verdict: "unproven", reasons: [why] };
  }
  const { signal, onStep } = seen;
  try {
    const prompt = reviewPrompt(seen.plan, patch);
    const word = await askForWord({ ...asked, prompt, signal, onStep }, Verdict);
    const { verdict, reasons } = word;
    if (verdict === "accept") return { by, verdict: "pass", reasons };
    return { by, verdict: "fail", reasons: reasons.length === 0 ? ["it gave no reason"] : reasons };
  } catch (error) {
    // Fail closed: a reviewer that could not be heard has agreed to nothing.
    return { by, verdict: "fail", reasons: [messageOf(error)], isUnheard: true };
  }
}

function reviewPrompt(
  { verimapped_task, negative_contract, subtasks }: Plan,
  patch: string,
): string {
  const criteria = subtasks.map(({ id, name, proofs, verification_functions, edge_cases }) => ({
    ...{ id, name, proofs, edge_cases },
    checks: verification_functions.natural_language_checks,
  }));
  return [
    "You review a change that others made. You have not seen how it came about, and you owe nobody an agreement.",
    "Reject it unless every criterion is met and you find no fault that would have to be repaired. When in doubt, reject.",
    dataBlock("task", verimapped_task),
    dataBlock("what must not happen", negative_contract),
    dataBlock("criteria", JSON.stringify(criteria, null, 2)),
    dataBlock("change", patch),
    "The last line of your answer is one JSON object and nothing else:",
    '{"verdict": "accept" or "reject", "reasons": ["<each fault, with its file and line>"]}',
  ].join("\n\n");
}

/** The built-in reviewers in that seat, where no agent is configured; the report says so. */
export async function builtInReview(change: ReviewedChange): Promise<Omit<GateVerdict, "gate">> {
  const by = "the built-in reviewers, because no agent is configured as reviewer";
  if (change.before === change.after) return { by, verdict: "pass", reasons: [] };
  return { by, ...judgeBuiltIn(await builtInReport(change)) };
}

/** Whether what they found keeps a change from being accepted. */
export function judgeBuiltIn(report: ReviewReport): Pick<GateVerdict, "verdict" | "reasons"> {
  const grave = report.findings.filter(({ finding }) => finding.priority === "P1").map(findingLine);
  if (grave.length > 0) return { verdict: "fail", reasons: grave.slice(0, REASONS_MAX) };
  // Whoever could not look has found nothing clean.
  const unseen = [
    ...(report.status === "failed" || report.status === "cancelled" ? [`it ${report.status}`] : []),
    ...report.gaps.map(({ what, why }) => `${what}: ${why}`),
  ];
  const verdict = unseen.length === 0 ? "pass" : "unproven";
  return { verdict, reasons: unseen.slice(0, REASONS_MAX) };
}
