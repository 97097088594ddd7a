import { type AskedMount, factsOfMounts, isSameNode, uploadCommandsIn } from "../../admit/index.ts";
import type { EngineRefusal, Mount } from "../../sandbox/index.ts";
import { CONTROLS, type ControlName, type MountFacts } from "../../schema/admission.ts";
import type { EngineName, Limits } from "../../schema/execution.ts";
import type { ExecEnvironment } from "./exec-environment.ts";

/** What is asked for, before anything of it exists. */
export interface AskedRun {
  readonly task: string;
  readonly requester: string;
  readonly engine: EngineName;
  /** What the engine cannot enforce on this machine. */
  readonly refusals: readonly EngineRefusal[];
  readonly environment: ExecEnvironment;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly (Mount & Pick<AskedMount, "kind">)[];
  readonly pullHosts: readonly string[] | undefined;
  readonly limits: Limits;
  /** The address of the engine's service, where it is one. */
  readonly endpoint: string;
  readonly home: string;
  readonly state: string;
}

/** The facts about a run that policies decide from. */
export function factsOf(asked: AskedRun) {
  const { task, requester, engine, environment, argv, env, limits, pullHosts } = asked;
  return {
    task,
    requester,
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
    controls: Object.fromEntries(CONTROLS.map((name) => [name, isEnforceable(name, asked)])),
    limits,
    same_node: isSameNode({ endpoint: engine === "bwrap" ? "process" : asked.endpoint }),
    data_is_clean: true,
    upload_commands: uploadCommandsIn([...argv]),
    denied_licences: [],
    budget: { spent_thousandths: 0, ceiling_thousandths: 0 },
    critical_vulnerabilities: [],
  };
}

function mountFacts({ mounts, home, state }: AskedRun): MountFacts[] {
  return factsOfMounts([...mounts], { homes: [home], state });
}

/** The values that make runs repeatable are ours to set; all else is the engine's to enforce. */
const FROM_ENVIRONMENT: Readonly<Partial<Record<ControlName, string>>> = {
  fixed_locale: "LC_ALL",
  fixed_timezone: "TZ",
  fixed_seed: "CHORUS_SEED",
  source_date_epoch: "SOURCE_DATE_EPOCH",
};

function isEnforceable(name: ControlName, { refusals, env, limits }: AskedRun): boolean {
  const variable = FROM_ENVIRONMENT[name];
  if (variable !== undefined) return env[variable] !== undefined && env[variable] !== "";
  if (name === "step_timeout") return limits.step_seconds > 0;
  if (name === "job_timeout") return limits.job_seconds > 0;
  return !refusals.some(({ control }) => control === name || control === "engine");
}
