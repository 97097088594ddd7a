import * as z from "zod";
import { examineMachine, type Health } from "../../flow/doctor.ts";
import { execRoot } from "../../flow/exec/exec-root.ts";
import { agentTable } from "../agent-table.ts";
import { openPlace } from "../config.ts";
import type { Answer, CommandIo } from "../io.ts";
import { table } from "../table.ts";

export const Arguments = z.strictObject({});

export async function run(_: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  // It is asked everywhere, also where there is no repository.
  const root = await execRoot(io.cwd, io.env).catch(() => io.cwd);
  const health = await examineMachine(openPlace(io), { root, env: io.env, home: io.home });
  const agents = health.agents.filter((one) => one.is_listed || one.program !== null);
  const rows = health.engines.flatMap(({ engine, refusals }) =>
    refusals.length === 0
      ? [[engine, "ready", "enforces every control"]]
      : refusals.map(({ control, reason }) => [engine, `no ${control}`, reason]),
  );
  const isReady = health.engines.some(({ refusals }) => refusals.length === 0);
  const { digest, rules } = health.policies;
  const words = `${table(["ENGINE", "STATE", "WHY"], rows, io.columns)}\npolicies ${digest.slice(0, 12)}, ${rules} rules\n\n${agentTable(agents, io.columns)}\n${roleWords(health)}\n${watchWords(health.observes)}\n`;
  const isSound = isReady && health.unknown.length === 0;
  return { exit: isSound ? 0 : 3, json: health, words, isAnswered: true };
}

function roleWords({ roles, unknown }: Health): string {
  const shown = roles.map(({ role, agent, by }) => {
    if (agent === null) return `${role}: nobody`;
    return `${role}: ${agent}${by === "default" ? " (the default)" : ""}`;
  });
  const nobodies = unknown.map(
    ({ role, agent }) =>
      `roles.${role} in sworn.yaml names ${agent}, and there is no such agent: list it under agents, or name one of "sworn agents ls --all"`,
  );
  return [`roles in sworn.yaml: ${shown.join(", ")}`, ...nobodies].join("\n");
}

function watchWords(observes: boolean): string {
  return observes
    ? "strace works: every program that an agent starts is seen"
    : "strace is missing or may not watch here: only what runs for a while is seen of an agent; install strace";
}
