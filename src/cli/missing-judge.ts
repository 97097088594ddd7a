import { counted } from "../base/index.ts";
import { agentFor } from "../flow/agent/role-agents.ts";
import { readConfig } from "../flow/workflow-config.ts";
import type { GateReport } from "../plan/index.ts";

/** What to type first, where nobody is named as judge. */
export const JUDGE_FIRST = "name a judge in sworn.yaml, roles: { judge: <name> }, then";

/** What a plan lacks here although the gate lets it through: somebody for the checks that only a judge can make. */
export function missingJudge(report: GateReport | null, root: string): string | undefined {
  const proofs = report?.plan?.subtasks.flatMap(({ proofs: all }) => all) ?? [];
  const judged = proofs.filter(({ kind }) => kind === "judge").length;
  if (judged === 0 || agentFor("judge", readConfig(root)) !== undefined) return undefined;
  const need = judged === 1 ? "needs" : "need";
  const what = `${judged} of ${counted(proofs.length, "proof")} ${need} a judge, and sworn.yaml names none under roles.judge`;
  return `${what}: until it does, sworn work refuses this plan, and sworn run waits where the judge is asked`;
}
