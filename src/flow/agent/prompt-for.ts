import { agentPreamble, type ToldAgent } from "../../run/index.ts";
import type { AgentLimits } from "../../schema/agent.ts";
import { sandboxLimits } from "./sandbox-limits.ts";

/** A task as an agent gets it: what it has to know about its run stands before it. */
export function promptFor(
  task: string,
  told: Omit<ToldAgent, "limits"> & { readonly limits: AgentLimits },
): string {
  return `${agentPreamble({ ...told, limits: sandboxLimits(told.limits) })}${task.trimEnd()}\n`;
}
