import { modelServiceOf, openDriver } from "../../agent/index.ts";
import { messageOf } from "../../base/index.ts";
import type { AgentConfig } from "../../schema/agent.ts";
import { readConfig } from "../workflow-config.ts";
import { type AgentSearch, namedAgents, programSearch } from "./choose-agent.ts";
import { closedWords } from "./closed-folder.ts";

/** What is known about one agent on this machine, before it is asked to do anything. */
export interface AgentHealth {
  readonly agent: string;
  readonly driver: AgentConfig["driver"];
  /** Whether `sworn.yaml` names it; the others are known anyway. */
  readonly is_listed: boolean;
  readonly program: string | null;
  /** What it says of itself; null when it did not answer. */
  readonly version: string | null;
  /** The one host that it can reach; null when it reaches none. */
  readonly model_host: string | null;
  /** What stands between it and this machine. */
  readonly confined_by: string;
  /** What keeps it from being run; empty when it can be. */
  readonly missing: readonly string[];
}

/** Looks for every agent that can be named here; nothing is started but the question for its version. */
export async function examineAgents(search: AgentSearch): Promise<AgentHealth[]> {
  const listed = new Set(Object.keys(readConfig(search.root).agents ?? {}));
  const named = [...namedAgents(search.root)];
  // Each is a process that takes its time to say a number.
  return Promise.all(
    named.map(([agent, config]) => examine(agent, config, listed.has(agent), search)),
  );
}

async function examine(
  agent: string,
  config: AgentConfig,
  isListed: boolean,
  search: AgentSearch,
): Promise<AgentHealth> {
  if (config.driver === "builtin") return builtIn(agent, isListed);
  const opened = await openDriver(config, programSearch(search));
  const found = "missing" in opened ? undefined : opened.found;
  const service = serviceOf(config, search);
  const host = service.host ?? null;
  const missing = [
    ...("missing" in opened ? [opened.missing] : []),
    ...(found !== undefined && found.version === undefined && isAsked(config)
      ? [`${found.path} did not tell its version; is it whole?`]
      : []),
    ...(found === undefined ? [] : closedWords(found)),
    // What is wrong with an agent that nobody has or asked for is no news.
    ...(isListed || found !== undefined ? service.missing : []),
  ];
  return {
    agent,
    driver: config.driver,
    is_listed: isListed,
    program: found?.path ?? null,
    version: found?.version ?? null,
    model_host: host,
    confined_by: `bwrap: a tree and a home of its own, ${host === null ? "no network" : `no network but ${host}`}`,
    missing,
  };
}

/** Only programs that the user's own PATH names are asked for their version. */
function isAsked(config: AgentConfig): boolean {
  return config.driver === "cli" && config.program === undefined;
}

function builtIn(agent: string, isListed: boolean): AgentHealth {
  return {
    agent,
    driver: "builtin",
    is_listed: isListed,
    program: process.execPath,
    version: null,
    model_host: null,
    confined_by: "nothing: it is code of ours, and reads git's objects alone",
    missing: [],
  };
}

function serviceOf(
  config: AgentConfig,
  { env }: AgentSearch,
): { readonly host?: string; readonly missing: readonly string[] } {
  try {
    const service = modelServiceOf(config);
    if (service === undefined) return { missing: [] };
    const { host } = new URL(service.endpoint);
    const { keyEnv } = service;
    const isSet = keyEnv === undefined || (env[keyEnv] ?? "") !== "";
    return { host, missing: isSet ? [] : [`${keyEnv} is not set: its credential for ${host}`] };
  } catch (error) {
    return { missing: [messageOf(error)] };
  }
}
