import { STANDING_END, STANDING_RULES } from "../../plan/knowledge/index.ts";
import { agentPreamble, PREAMBLE_BEGIN, TASK_HEAD, type ToldAgent } from "../../run/index.ts";
import type { AgentLimits } from "../../schema/agent.ts";
import { sandboxLimits } from "./sandbox-limits.ts";

/** Put before the prompt of every run of a chain but the first. */
export const CONTINUE = "Continue working on the following:";
const END = `\n# Still\n\n${STANDING_END}\n`;

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
  return `${preamble}${task.trimEnd()}\n${told.hasTooling ? END : ""}`;
}

/** The task alone, out of a prompt of the form above; any other prompt is all task. */
export function taskIn(prompt: string): string {
  const first = prompt.startsWith(CONTINUE) ? prompt.slice(CONTINUE.length).trimStart() : prompt;
  const head = first.indexOf(TASK_HEAD);
  if (!first.startsWith(PREAMBLE_BEGIN) || head === -1) return prompt;
  const task = first.slice(head + TASK_HEAD.length);
  return (task.endsWith(END) ? task.slice(0, -END.length) : task).trimEnd();
}
