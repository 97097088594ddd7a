import type { AgentHealth } from "../flow/agent/examine-agents.ts";
import { table } from "./table.ts";

/** One line for each agent; what it lacks stands below it. */
export function agentTable(agents: readonly AgentHealth[], columns?: number): string {
  if (agents.length === 0) {
    return 'No agent is installed here, and sworn.yaml lists none; "sworn agents ls --all" shows the known ones.';
  }
  const rows = agents.flatMap((one) => {
    const [first = "", ...more] = one.missing;
    const state = one.missing.length === 0 ? "ready" : "not ready";
    const line = [one.agent, state, one.version ?? "-", first === "" ? one.confined_by : first];
    return [line, ...more.map((words) => ["", "", "", words])];
  });
  return table(["AGENT", "STATE", "VERSION", "CONFINED BY, OR MISSING"], rows, columns);
}
