import { counted } from "../base/index.ts";
import { agentFor } from "../flow/agent/role-agents.ts";
import { readConfig } from "../flow/workflow-config.ts";
import type { GateReport } from "../plan/index.ts";

/** What a ready plan still lacks here: `sworn work` refuses checks for a judge where nobody is one. */
export function judgeNotes(report: GateReport | null, root: string): string[] {
  const proofs = report?.plan?.subtasks.flatMap(({ proofs: all }) => all) ?? [];
  const judged = proofs.filter(({ kind }) => kind === "judge").length;
  if (judged === 0 || agentFor("judge", readConfig(root)) !== undefined) return [];
  const need = judged === 1 ? "needs" : "need";
  return [
    `${judged} of ${counted(proofs.length, "proof")} ${need} a judge; name one under roles.judge in sworn.yaml`,
  ];
}
