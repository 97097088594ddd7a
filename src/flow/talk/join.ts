import type { Body, Role } from "../../schema/index.ts";
import { type Refusal, refuse } from "../../view/index.ts";
import { actorOf, type Bus, isRefused, RUNTIME, type Said } from "./bus.ts";

/** A run that the runner starts, and the role in which its agent speaks. */
export interface StartingRun extends Readonly<Body<"run_started">> {
  readonly role: Role;
}

/**
 * Lets an agent take part. Nothing happens where it does already; an agent that is there with
 * other roles is refused, because roles do not grow.
 */
export async function enrolAgent(
  on: Bus,
  agent: string,
  roles: readonly Role[],
): Promise<Refusal | undefined> {
  if (on.rolesOf(agent) === undefined) {
    const joined = await on.record({
      actor: actorOf(RUNTIME),
      type: "agent_enrolled",
      body: { agent, roles: [...roles] },
    });
    // Another process may have let it in meanwhile.
    if (isRefused(joined) && joined.rule !== "IDENTITY_GUARD") return joined;
  }
  const known = on.rolesOf(agent) ?? [];
  const missing = roles.find((role) => !known.includes(role));
  return missing === undefined
    ? undefined
    : refuse("ROLE_GUARD", `${agent} takes part as ${known.join(", ")}, not as ${missing}`);
}

/** Says that a run begins, after letting its agent take part. Only the runner calls this. */
export async function startRun(on: Bus, run: StartingRun): Promise<Said | Refusal> {
  const { role, ...body } = run;
  const refusal = await enrolAgent(on, run.agent, [role]);
  return refusal ?? on.record({ actor: actorOf(RUNTIME), type: "run_started", body });
}

/** Says that a run has ended. Only the runner calls this. */
export function endRun(on: Bus, body: Body<"run_completed">): Promise<Said | Refusal> {
  return on.record({ actor: actorOf(RUNTIME), type: "run_completed", body });
}
