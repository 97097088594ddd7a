import * as z from "zod";
import { examineAgents } from "../../flow/agent/examine-agents.ts";
import { execRoot } from "../../flow/exec/exec-root.ts";
import { agentTable } from "../agent-table.ts";
import type { Answer, CommandIo } from "../io.ts";

export const Arguments = z.strictObject({ all: z.boolean().default(false) });

export async function run({ all }: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  const root = await execRoot(io.cwd, io.env);
  const found = await examineAgents({ root, env: io.env, home: io.home });
  const agents = all ? found : found.filter((one) => one.is_listed || one.program !== null);
  return { exit: 0, json: { agents }, words: agentTable(agents, io.columns) };
}
