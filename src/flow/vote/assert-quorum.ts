import { SwornError } from "../../base/index.ts";
import type { Profile, Role } from "../../schema/index.ts";
import { quorumGaps } from "../../view/index.ts";
import { agentConfig } from "../agent/choose-agent.ts";
import { agentFor } from "../agent/role-agents.ts";
import { isSameAgent, sittingIn } from "../agent/same-agent.ts";
import { SESSION_RULES } from "../session/session-rules.ts";
import { readConfig } from "../workflow-config.ts";

/** Two votes can be had everywhere: the runtime's own check, and the person at this machine. */
const ALWAYS_THERE = [{ role: "runtime" }, { role: "operator" }] as const;

/**
 * Before anybody is paid for: where a profile asks for votes, those who could cast them have to exist.
 *
 * @param named the agents who would be asked
 * @throws SwornError `INPUT_INVALID` when even all of them together are no quorum.
 */
export function assertQuorum(profile: Profile, named: readonly { readonly role: Role }[]): void {
  if (!SESSION_RULES[profile].isVoted) return;
  const gaps = quorumGaps([...ALWAYS_THERE, ...named]);
  if (gaps.length === 0) return;
  throw new SwornError(
    "INPUT_INVALID",
    `the profile ${profile} needs a quorum of votes, which nobody here could reach: beside the runtime's own check and you it lacks ${gaps.join(" and ")}; expected in sworn.yaml roles: { voters: [<name>, <name>] }, or a critic or an auditor; sworn agents ls lists whom you could name`,
  );
}

/**
 * The same for a work, on which is voted after it: whom `sworn.yaml` has judge, but not who worked.
 *
 * @throws SwornError `INPUT_INVALID`, or `NOT_FOUND` when one of them is nobody.
 */
export function assertWorkQuorum(
  root: string,
  { agent: worker, profile }: { readonly agent?: string | undefined; readonly profile: Profile },
): void {
  if (!SESSION_RULES[profile].isVoted) return;
  const config = readConfig(root);
  const { critic, auditor, voters = [] } = config.roles ?? {};
  const named = new Map<string, Role>();
  for (const agent of [critic, ...voters]) if (agent !== undefined) named.set(agent, "critic");
  if (auditor !== undefined) named.set(auditor, "auditor");
  for (const agent of named.keys()) agentConfig(agent, root);
  const by = worker ?? agentFor("worker", config);
  const counted = by === undefined ? [] : [sittingIn("worker", by, root)];
  const voting = [...named].flatMap(([agent, role]) => {
    const one = sittingIn(role, agent, root);
    // Another name for the worker, or for one who votes already, is no other voter.
    if (counted.some((other) => isSameAgent(one, other))) return [];
    counted.push(one);
    return [{ role }];
  });
  assertQuorum(profile, voting);
}
