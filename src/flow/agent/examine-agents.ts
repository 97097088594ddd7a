import {
  modelServiceOf,
  type OpenedDriver,
  openDriver,
  type ProgramMissing,
} from "../../agent/index.ts";
import { messageOf } from "../../base/index.ts";
import { modelAccess, upstreamProxiesFrom } from "../../egress/index.ts";
import { BwrapEngine, type EngineRefusal } from "../../sandbox/index.ts";
import type { AgentConfig } from "../../schema/agent.ts";
import { readConfig } from "../workflow-config.ts";
import { INSIDE } from "./agent-scene.ts";
import { type AgentSearch, namedAgents, programSearch } from "./choose-agent.ts";
import { closedWords } from "./closed-folder.ts";
import { type ServicePlace, WhoAnswers } from "./who-answers.ts";

/** What rule X.2.step_max of the policies lets a run take. */
const SECONDS_MAX = 900;
const UNCONFINED = "nothing: no sandbox can be made here";
/** Any address: whether a driver needs one is all that is asked. */
const INSIDE_ENDPOINT = "http://127.0.0.1:1";

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

/** What all agents here have in common. */
interface Machine {
  readonly search: AgentSearch;
  /** Why no sandbox can be made; empty when one can. */
  readonly refusals: readonly EngineRefusal[];
  readonly answering: WhoAnswers;
}

/**
 * Looks for every agent that can be named here: its program is asked for its version, and whether
 * somebody takes connections where its model should answer. Nothing else is started, nothing is sent.
 *
 * @param refusals what the engine cannot enforce here, where somebody asked it already
 */
export async function examineAgents(
  search: AgentSearch,
  refusals?: readonly EngineRefusal[],
): Promise<AgentHealth[]> {
  const listed = new Set(Object.keys(readConfig(search.root).agents ?? {}));
  const named = [...namedAgents(search.root)];
  const machine = {
    search,
    refusals: refusals ?? (await new BwrapEngine().examine()),
    answering: new WhoAnswers(upstreamProxiesFrom(search.env)),
  };
  // Each is a process that takes its time to say a number.
  return Promise.all(
    named.map(([agent, config]) => examine(agent, config, listed.has(agent), machine)),
  );
}

async function examine(
  agent: string,
  config: AgentConfig,
  isListed: boolean,
  machine: Machine,
): Promise<AgentHealth> {
  if (config.driver === "builtin") return builtIn(agent, isListed);
  const { search, refusals, answering } = machine;
  const opened = await openDriver(config, programSearch(search));
  const found = "missing" in opened ? undefined : opened.found;
  const service = serviceOf(config, search);
  const host = service.host ?? null;
  // What is wrong with an agent that nobody has or asked for is no news.
  const isNews = isListed || found !== undefined;
  const missing = [
    ...programProblems(config, opened),
    ...(isNews ? refusals.map(({ reason }) => reason) : []),
    ...(isNews ? [...service.missing, ...unfitSettings(opened, service), ...tooLong(config)] : []),
  ];
  // Of one that cannot be run anyway nobody wants to know it.
  const { place } = service;
  const nobody =
    missing.length === 0 && place !== undefined ? await answering.whyNobody(place) : undefined;
  return {
    agent,
    driver: config.driver,
    is_listed: isListed,
    program: found?.path ?? null,
    version: found?.version ?? null,
    model_host: host,
    confined_by: refusals.length > 0 ? UNCONFINED : confinedBy(host),
    missing: nobody === undefined ? [...new Set(missing)] : [nobody],
  };
}

function programProblems(config: AgentConfig, opened: OpenedDriver | ProgramMissing): string[] {
  if ("missing" in opened) return [opened.missing];
  const { path, version } = opened.found;
  const isSilent = version === undefined && isAsked(config);
  return [
    ...(isSilent ? [`${path} did not tell its version; is it whole?`] : []),
    ...closedWords(opened.found),
  ];
}

function confinedBy(host: string | null): string {
  return `bwrap: a tree and a home of its own, ${host === null ? "no network" : `no network but ${host}`}`;
}

/** What its driver refuses as soon as a run of it is laid out. */
function unfitSettings(opened: OpenedDriver | ProgramMissing, { host }: Service): string[] {
  if ("missing" in opened) return [];
  try {
    opened.driver.command("", { ...INSIDE, endpoint: host && INSIDE_ENDPOINT });
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

/** No exception is looked for when an agent is to run. */
function tooLong({ limits: { seconds } }: AgentConfig): string[] {
  if (seconds <= SECONDS_MAX) return [];
  const what = `limits.seconds: the policies refuse a run of ${seconds} seconds`;
  return [`${what}, expected at most ${SECONDS_MAX}`];
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

/** Where an agent's model answers, and what is wrong with that. */
interface Service {
  readonly host?: string;
  readonly place?: ServicePlace;
  readonly missing: readonly string[];
}

function serviceOf(config: AgentConfig, { env }: AgentSearch): Service {
  try {
    const service = modelServiceOf(config);
    if (service === undefined) return { missing: [] };
    const { endpoint, keyEnv } = service;
    const { host } = new URL(endpoint);
    // What is put in is not looked at here: only that it may go there at all.
    const credential = keyEnv === undefined ? undefined : { placeholder: "-", secret: "-" };
    const place = modelAccess(endpoint, 1, credential).front.for;
    const isSet = keyEnv === undefined || (env[keyEnv] ?? "") !== "";
    const missing = isSet ? [] : [`${keyEnv} is not set: its credential for ${host}`];
    return { host, place, missing };
  } catch (error) {
    return { missing: [messageOf(error)] };
  }
}
