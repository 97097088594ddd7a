import { readFileSync } from "node:fs";
import {
  type AskedMount,
  controlFacts,
  factsOfMounts,
  homesOf,
  isSameNode,
  uploadCommandsIn,
} from "../../admit/index.ts";
import { DEFAULT_SOCKET, type EngineRefusal, type Mount } from "../../sandbox/index.ts";
import { redact } from "../../scan/classify/index.ts";
import type { AdmissionFacts, MountFacts } from "../../schema/admission.ts";
import type { Limits } from "../../schema/execution.ts";
import { REQUESTER } from "../exception/record-exception.ts";
import type { ExecRequest } from "./exec.ts";
import type { ExecEnvironment } from "./exec-environment.ts";

/** What is asked for, before anything of it exists. */
export interface AskedRun {
  readonly task: string;
  readonly request: Pick<ExecRequest, "argv" | "engine" | "env" | "home">;
  /** What the engine cannot enforce on this machine. */
  readonly refusals: readonly EngineRefusal[];
  readonly environment: ExecEnvironment;
  /** The variables that the task will see. */
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly (Mount & Pick<AskedMount, "kind">)[];
  readonly pullHosts: readonly string[] | undefined;
  readonly limits: Limits;
  readonly deniedLicences: string[];
  readonly budget: AdmissionFacts["budget"];
  readonly state: string;
}

/** The facts about a run that policies decide from. */
export function factsOf(asked: AskedRun) {
  const { task, request, environment, env, limits, pullHosts } = asked;
  const { argv, engine } = request;
  // The address of the engine's service, where it is one.
  const endpoint = request.env["DOCKER_HOST"] ?? DEFAULT_SOCKET;
  return {
    task,
    requester: REQUESTER,
    engine,
    environment: {
      name: environment.name,
      digest: environment.digest,
      reference: environment.reference,
    },
    argv: [...argv],
    env_names: Object.keys(env),
    // Every engine of ours starts tasks without one; the probe shows it from inside.
    network: "none",
    egress: { mode: pullHosts === undefined ? "none" : "pull-only", hosts: [...(pullHosts ?? [])] },
    mounts: mountFacts(asked),
    controls: { ...controlFacts(asked.refusals), ...ownControls(asked) },
    limits,
    same_node: isSameNode({ endpoint: engine === "bwrap" ? "process" : endpoint }),
    // Made anew in memory by every engine, for this run.
    data_is_clean: true,
    upload_commands: uploadCommandsIn([...argv]),
    denied_licences: asked.deniedLicences,
    budget: asked.budget,
    // Nobody here knows vulnerabilities yet; a policy of the user's own can.
    critical_vulnerabilities: [],
  };
}

/** Facts as a record may keep them for years: a command line can hold a secret. */
export function recordable<T extends { readonly argv: readonly string[] }>(facts: T): T {
  return { ...facts, argv: facts.argv.map((word) => redact(word).text) };
}

function mountFacts({ mounts, request, state }: AskedRun): MountFacts[] {
  const homes = [request.home, ...homesOf(readFileSync("/etc/passwd", "utf8"))];
  return factsOfMounts([...mounts], { homes: [...new Set(homes)], state });
}

/** The values that make runs repeatable and the two clocks are ours to set; all else is the engine's. */
function ownControls({ env, limits }: AskedRun) {
  const isSet = (name: string) => env[name] !== undefined && env[name] !== "";
  return {
    fixed_locale: isSet("LC_ALL"),
    fixed_timezone: isSet("TZ"),
    fixed_seed: isSet("CHORUS_SEED"),
    source_date_epoch: isSet("SOURCE_DATE_EPOCH"),
    step_timeout: limits.step_seconds > 0,
    job_timeout: limits.job_seconds > 0,
  };
}
