import type { Config } from "../../schema/config.ts";
import { readConfig } from "../workflow-config.ts";
import { agentConfig, namedAgents } from "./choose-agent.ts";

type Roles = NonNullable<Config["roles"]>;

/** What `sworn.yaml` can name somebody for. */
export const AGENT_ROLES = ["planner", "worker", "reviewer", "judge"] as const;
export type AgentRole = (typeof AGENT_ROLES)[number];

/** Who has a role, and whether by its own name or because the default has it. */
export interface RoleAgent {
  readonly role: AgentRole;
  readonly agent: string | null;
  readonly by: "name" | "default" | null;
}

/** Roles in which somebody looks at what the worker did. */
const LOOKING: readonly AgentRole[] = ["reviewer", "judge"];

/**
 * Who is named for a role: its own agent, else the default one; undefined where there is neither. Nobody
 * looks at its own work only because nobody else was named.
 *
 * @param worker who works, where a command says somebody else than the file
 */
export function agentFor(
  role: AgentRole,
  { roles = {} }: Pick<Config, "roles">,
  worker = roles.worker ?? roles.default,
): string | undefined {
  const own = roles[role];
  if (own !== undefined) return own;
  return LOOKING.includes(role) && roles.default === worker ? undefined : roles.default;
}

/** Who does what in a project, for people to see. */
export function roleAgents(root: string): RoleAgent[] {
  const config = readConfig(root);
  return AGENT_ROLES.map((role) => {
    const agent = agentFor(role, config) ?? null;
    const by = agent === null ? null : config.roles?.[role] === undefined ? "default" : "name";
    return { role, agent, by };
  });
}

/** A role whose agent nobody knows. */
export interface UnknownAgent {
  readonly role: keyof Roles;
  readonly agent: string;
}

/** Those whom a project's file gives a role without saying who they are. */
export function unknownAgents(root: string): UnknownAgent[] {
  const known = namedAgents(root);
  return namesIn(readConfig(root).roles ?? {}).filter(({ agent }) => !known.has(agent));
}

/**
 * Everybody whom the project names has to be somebody, before anything is recorded.
 *
 * @throws SwornError `NOT_FOUND`, naming the first who is not.
 */
export function assertNamed(roles: Roles, root: string): void {
  for (const { agent } of namesIn(roles)) agentConfig(agent, root);
}

function namesIn(roles: Roles): UnknownAgent[] {
  return Object.entries(roles).flatMap(([role, names]) =>
    [names ?? []].flat().map((agent) => ({ role: role as keyof Roles, agent })),
  );
}
