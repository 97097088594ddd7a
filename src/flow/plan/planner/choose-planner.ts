import { SwornError } from "../../../base/index.ts";
import {
  type AgentSearch,
  agentConfig,
  type ChosenAgent,
  chooseAgent,
} from "../../agent/choose-agent.ts";
import { agentFor } from "../../agent/role-agents.ts";
import { CONFIG_NAME, readConfig } from "../../workflow-config.ts";

/**
 * The agent that plans: the one that is named, else the one that `sworn.yaml` gives the role.
 *
 * @throws SwornError `NOT_FOUND` when there is none, with what to configure.
 */
export async function choosePlanner(
  named: string | undefined,
  search: AgentSearch,
): Promise<ChosenAgent> {
  const name = named ?? agentFor("planner", readConfig(search.root));
  if (name === undefined) throw new SwornError("NOT_FOUND", NONE);
  if (agentConfig(name, search.root).driver === "builtin") {
    throw new SwornError(
      "INPUT_INVALID",
      `${name} are the built-in reviewers, which plan nothing: name another agent in ${CONFIG_NAME}, or use --from`,
    );
  }
  return chooseAgent(name, search);
}

const NONE = [
  "no agent is set to plan. Name one with --agent, or in sworn.yaml:",
  "  agents:",
  "    thinker: { driver: cli, preset: claude }",
  "  roles: { planner: thinker }",
  'Without any agent, "sworn plan <task> --from answers.yaml" makes a plan from your own answers, and "--from -" asks for them.',
].join("\n");
