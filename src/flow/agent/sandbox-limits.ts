import type { AgentLimits } from "../../schema/agent.ts";
import { Limits } from "../../schema/execution.ts";

/** What an agent's sandbox holds it to; all else is watched by the runner. */
export function sandboxLimits({ seconds, output_bytes }: AgentLimits): Limits {
  return Limits.parse({ step_seconds: seconds, job_seconds: seconds, stream_bytes: output_bytes });
}
