import { hostname, release } from "node:os";
import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import type { EngineRefusal } from "../engine.ts";
import { engineSocket } from "./engine-address.ts";
import { EngineClient } from "./engine-client.ts";

/** The oldest interface with everything we ask for: a cgroup namespace of the container's own. */
const OLDEST_MINOR = 41;
/** The newest one that this was written against. */
const NEWEST_MINOR = 47;

const ApiVersion = z
  .string()
  .regex(/^1\.\d{1,4}$/)
  .transform((text) => Number(text.slice(2)));

const Version = z.object({
  ApiVersion,
  MinAPIVersion: ApiVersion.optional(),
  Components: z.array(z.object({ Name: z.string().max(300) })).default([]),
});

/** Whose engine it is: they speak the same interface with different accents. */
export type EngineKind = "docker" | "podman";

/**
 * Agrees with the engine on the version of the interface, and speaks it from then on. Gives back
 * whose engine it is.
 *
 * @throws SwornError `SANDBOX_FAILED` when there is none that both know, or the engine cannot be
 * reached.
 */
export async function negotiate(client: EngineClient): Promise<EngineKind> {
  const { body } = await client.call({ method: "GET", path: "/version" });
  const parsed = Version.safeParse(body);
  if (!parsed.success) {
    throw new SwornError("SANDBOX_FAILED", `${client.socket} does not answer like an engine`);
  }
  const { ApiVersion: newest, MinAPIVersion: oldest = 0 } = parsed.data;
  if (newest < OLDEST_MINOR || oldest > NEWEST_MINOR) {
    const found = `the engine at ${client.socket} speaks 1.${oldest} to 1.${newest}`;
    const expected = `expected one of 1.${OLDEST_MINOR} to 1.${NEWEST_MINOR}; update the engine or sworn`;
    throw new SwornError("SANDBOX_FAILED", `${found} of its interface, ${expected}`);
  }
  client.speak(`v1.${Math.min(newest, NEWEST_MINOR)}`);
  const isPodman = parsed.data.Components.some(({ Name }) => Name === "Podman Engine");
  return isPodman ? "podman" : "docker";
}

const Info = z.object({
  /** Which installation answers: what was imported into one is not in another. */
  ID: z.string().max(300).default(""),
  Name: z.string().max(300),
  OSType: z.string(),
  KernelVersion: z.string(),
  Driver: z.string(),
  CgroupVersion: z.string().default("1"),
  MemoryLimit: z.boolean(),
  SwapLimit: z.boolean(),
  PidsLimit: z.boolean(),
  CpuCfsQuota: z.boolean(),
  DefaultRuntime: z.string().default(""),
  SecurityOptions: z.array(z.string()).nullable(),
  Swarm: z.object({ LocalNodeState: z.string().default("") }).nullish(),
});
/** What the engine says about itself and the machine it runs on. */
export type EngineFacts = z.infer<typeof Info>;

/**
 * Asks the engine about itself.
 *
 * @throws SwornError `SANDBOX_FAILED`.
 */
export async function askFacts(client: EngineClient): Promise<EngineFacts> {
  const { body } = await client.call({ method: "GET", path: "/info" });
  const parsed = Info.safeParse(body);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map(({ path }) => path.join(".")).join(", ");
  const message = `the engine at ${client.socket} does not say what it can do: ${where}`;
  throw new SwornError("SANDBOX_FAILED", message);
}

/** Which controls an engine cannot enforce, from what it says about itself. */
export function refusalsOf(facts: EngineFacts): EngineRefusal[] {
  const here = { name: hostname(), kernel: release() };
  const checks: [control: string, holds: boolean, reason: string][] = [
    [
      "same_node",
      facts.Name === here.name && facts.KernelVersion === here.kernel,
      `the engine runs on ${facts.Name} with kernel ${facts.KernelVersion}, expected this machine: ${here.name} with kernel ${here.kernel}`,
    ],
    [
      "same_node",
      ["", "inactive"].includes(facts.Swarm?.LocalNodeState ?? ""),
      `the engine is a node of a swarm (${facts.Swarm?.LocalNodeState}), which may place work elsewhere; leave it, or run an engine of its own`,
    ],
    ["engine", facts.OSType === "linux", `the engine runs ${facts.OSType}, expected linux`],
    ["memory", facts.MemoryLimit, "the engine cannot limit memory; enable the memory cgroup"],
    [
      "memory",
      facts.SwapLimit,
      "the engine cannot limit swap, so a limit of memory would not hold; boot with swapaccount=1",
    ],
    ["pids", facts.PidsLimit, "the engine cannot limit processes; enable the pids cgroup"],
    ["cpu", facts.CpuCfsQuota, "the engine cannot limit processor time; enable CFS bandwidth"],
    [
      "seccomp",
      (facts.SecurityOptions ?? []).some((option) => /^name=seccomp\b/.test(option)),
      "the engine was built or started without seccomp; use one that has it",
    ],
  ];
  return checks.filter(([, holds]) => !holds).map(([control, , reason]) => ({ control, reason }));
}

/** An engine that can run tasks, and the name that it goes by. */
export interface ConnectedEngine {
  readonly client: EngineClient;
  readonly engine: string;
  readonly kind: EngineKind;
}

/**
 * Connects to the engine of this machine.
 *
 * @throws SwornError `SANDBOX_REFUSED` naming each control that it cannot enforce, `SANDBOX_FAILED`
 * when it cannot be reached.
 */
export async function connectEngine(host: string | undefined): Promise<ConnectedEngine> {
  const socket = engineSocket(host);
  if (typeof socket !== "string") throw refusedEngine([socket]);
  const client = new EngineClient(socket);
  try {
    const kind = await negotiate(client);
    const facts = await askFacts(client);
    const refusals = refusalsOf(facts);
    if (refusals.length > 0) throw refusedEngine(refusals);
    return { client, engine: facts.ID || facts.Name, kind };
  } catch (error) {
    client.close();
    throw error;
  }
}

function refusedEngine(refusals: readonly EngineRefusal[]): SwornError {
  const reasons = refusals.map(({ control, reason }) => `${control}: ${reason}`).join("; ");
  return new SwornError("SANDBOX_REFUSED", `the engine cannot enforce ${reasons}`);
}
