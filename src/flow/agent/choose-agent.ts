import {
  type ModelService,
  modelServiceOf,
  openDriver,
  type ProgramDriver,
  type ProgramFound,
} from "../../agent/index.ts";
import { messageOf, SwornError } from "../../base/index.ts";
import { AgentConfig, PRESETS } from "../../schema/agent.ts";
import type { RunRole } from "../../schema/run-info.ts";
import { nearest } from "../words/nearest.ts";
import { CONFIG_NAME, readConfig } from "../workflow-config.ts";
import { closedWords, sandboxSees } from "./closed-folder.ts";

/** Where agents are looked for. */
export interface AgentSearch {
  /** The work tree, whose `sworn.yaml` names them; programs in it are not trusted. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** An agent that can be started. */
export interface ChosenAgent {
  readonly name: string;
  readonly config: AgentConfig;
  readonly driver: ProgramDriver;
  readonly program: ProgramFound;
  readonly service: ModelService | undefined;
}

/**
 * The agents that can be named here: those that `sworn.yaml` lists, and the known command-line agents
 * by their own names, with their usual settings.
 */
export function namedAgents(root: string): ReadonlyMap<string, AgentConfig> {
  const { agents = {} } = readConfig(root);
  const usual = PRESETS.map((preset) => {
    const config = AgentConfig.parse({ driver: "cli", preset });
    return [preset as string, config] as const;
  });
  const builtIn = ["builtin", AgentConfig.parse({ driver: "builtin" })] as const;
  return new Map([builtIn, ...usual, ...Object.entries(agents)]);
}

/** What `sworn.yaml` has an agent judge work as; undefined for whoever does it. */
export function roleOfAgent(name: string, root: string): RunRole | undefined {
  const { worker, critic, auditor, voters = [] } = readConfig(root).roles ?? {};
  if (name === worker) return undefined;
  if (name === auditor) return "auditor";
  return name === critic || voters.includes(name) ? "critic" : undefined;
}

/**
 * Finds one agent with everything that it needs to be started.
 *
 * @throws SwornError `NOT_FOUND` when nobody of that name is known, or its program is not here;
 * `INPUT_INVALID` when its settings do not fit.
 */
export async function chooseAgent(name: string, search: AgentSearch): Promise<ChosenAgent> {
  const config = agentConfig(name, search.root);
  const opened = await openDriver(config, programSearch(search));
  const missing = "missing" in opened ? opened.missing : closedWords(opened.found)[0];
  if ("missing" in opened || missing !== undefined) {
    throw new SwornError("NOT_FOUND", `agent ${name}: ${missing}`);
  }
  try {
    const service = modelServiceOf(config);
    return { name, config, driver: opened.driver, program: opened.found, service };
  } catch (error) {
    const code = error instanceof SwornError ? error.code : "INPUT_INVALID";
    throw new SwornError(code, `agent ${name}: ${messageOf(error)}`, { cause: error });
  }
}

/** How programs of agents are looked for on behalf of the user. */
export function programSearch({ root, env, home }: AgentSearch) {
  return { path: env["PATH"] ?? "", home, untrusted: [root], isSeen: sandboxSees };
}

/** The settings of an agent. @throws SwornError `NOT_FOUND` when nobody of that name is known. */
export function agentConfig(name: string, root: string): AgentConfig {
  const known = namedAgents(root);
  const config = known.get(name);
  if (config !== undefined) return config;
  const close = nearest(name, [...known.keys()]);
  const hint = close === undefined ? "" : ` Did you mean ${close}?`;
  throw new SwornError(
    "NOT_FOUND",
    `there is no agent ${JSON.stringify(name)}: expected one that ${CONFIG_NAME} lists under agents, or one of builtin, ${PRESETS.join(", ")}.${hint}`,
  );
}
