import { STANDING_END, STANDING_RULES } from "../../plan/knowledge/index.ts";
import { agentPreamble, type ToldAgent } from "../../run/index.ts";
import type { AgentLimits } from "../../schema/agent.ts";
import { sandboxLimits } from "./sandbox-limits.ts";

/**
 * A task as an agent gets it: what it has to know about its run stands before it. Whoever can ask the
 * project is also told what counts as known and how work is traced, before the task and once more
 * after it: the task can hold a part to play, and no part takes these rules away.
 */
export function promptFor(
  task: string,
  told: Omit<ToldAgent, "limits" | "rules"> & { readonly limits: AgentLimits },
): string {
  const rules = told.hasTooling ? STANDING_RULES : [];
  const preamble = agentPreamble({ ...told, limits: sandboxLimits(told.limits), rules });
  const end = told.hasTooling ? `\n# Still\n\n${STANDING_END}\n` : "";
  return `${preamble}${task.trimEnd()}\n${end}`;
}
