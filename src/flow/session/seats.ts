import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import type { AgentConfig } from "../../schema/agent.ts";
import type { Config } from "../../schema/config.ts";
import type { Profile, Role } from "../../schema/index.ts";
import { familyOf } from "../../vote/index.ts";
import { namedAgents } from "../agent/choose-agent.ts";
import { agentFor } from "../agent/role-agents.ts";
import { isSameAgent, type Sitting, type Sittings, sittingIn } from "../agent/same-agent.ts";
import { readConfig } from "../workflow-config.ts";
import { SESSION_RULES } from "./session-rules.ts";

/** Who sits where in a session, by the names that `sworn.yaml` gives them; null where nobody was named. */
export const Seats = z.strictObject({
  planner: z.string().nullable(),
  worker: z.string(),
  critic: z.string().nullable(),
  auditor: z.string().nullable(),
  voters: z.array(z.string()).max(20),
});
export type Seats = z.infer<typeof Seats>;

/** A seat as the record knows it: each has a key of its own. */
export interface Seat {
  readonly agent: string;
  readonly role: Role;
  /** Whose program or model sits there; null for checks that are built in. */
  readonly by: string | null;
}

export const LEAD = { agent: "lead", role: "planner" } as const;
export const WORKER = { agent: "worker", role: "executor" } as const;
export const PROVER = { agent: "prover", role: "executor" } as const;
export const CRITIC = { agent: "critic", role: "critic" } as const;
export const AUDITOR = { agent: "auditor", role: "auditor" } as const;

/**
 * Fills the seats from the project's roles. Without voters of their own, critic and auditor vote.
 *
 * @throws SwornError `INPUT_INVALID` when nobody works, or the profile needs somebody who is not named.
 */
export function fillSeats(
  roles: NonNullable<Config["roles"]>,
  { worker = roles.worker, profile }: { worker?: string | undefined; profile: Profile },
): Seats {
  if (worker === undefined) throw missing("worker");
  const { planner = null, critic = null, auditor = null } = roles;
  const needed = SESSION_RULES[profile].seatsNeeded.find((seat) => roles[seat] === undefined);
  if (needed !== undefined) throw missing(needed, profile);
  return { planner, worker, critic, auditor, voters: roles.voters ?? [] };
}

function missing(seat: string, profile?: Profile): SwornError {
  const why = profile === undefined ? "" : `, which the profile ${profile} needs`;
  return new SwornError(
    "INPUT_INVALID",
    `nobody is named as ${seat}${why}: expected in sworn.yaml roles: { ${seat}: <name> }; sworn agents ls lists whom you could name`,
  );
}

/** Without a plan that is there already, somebody has to make one. */
export function nobodyPlans(): SwornError {
  return new SwornError(
    "INPUT_INVALID",
    'nobody is named to plan: expected in sworn.yaml roles: { planner: <name> }, or --plan <plan.json>, which "sworn plan --from -" makes without an agent',
  );
}

/** Every seat that acts in the record. */
export function seatsOf({ planner, worker, critic, auditor, voters }: Seats): Seat[] {
  return [
    { ...LEAD, by: planner },
    { ...WORKER, by: worker },
    { ...PROVER, by: null },
    { ...CRITIC, by: critic },
    { ...AUDITOR, by: auditor },
    ...voters.map((by, at): Seat => ({ ...voterSeat(at), by })),
  ];
}

export function voterSeat(at: number): { readonly agent: string; readonly role: "critic" } {
  return { agent: `voter-${at + 1}`, role: "critic" };
}

/** Those who are asked for a vote: the voters, or else critic and auditor, where they are agents. */
export function votersOf(seats: Seats): Seat[] {
  const voters = seatsOf(seats).filter(({ agent }) => agent.startsWith("voter-"));
  if (voters.length > 0) return voters;
  return seatsOf(seats).filter(
    ({ agent, by }) => by !== null && (agent === CRITIC.agent || agent === AUDITOR.agent),
  );
}

/** The families of the models behind agents, as far as their settings tell. */
export function familiesIn(root: string): ReadonlyMap<string, string> {
  const known = [...namedAgents(root)].flatMap(([name, config]) => {
    const family = familyIn(config);
    return family === undefined ? [] : [[name, family] as const];
  });
  return new Map(known);
}

function familyIn(config: AgentConfig): string | undefined {
  if (config.driver === "model") return familyOf(config.model);
  if (config.driver !== "cli") return undefined;
  return config.model === undefined ? config.preset : familyOf(config.model);
}

/** Where those who judge are not as far from those who made it, or from one another, as they could be. */
export function sharedSeats(
  all: readonly Sitting[],
  families: ReadonlyMap<string, string>,
): string[] {
  return all.flatMap((one, at) =>
    all.slice(0, at).flatMap((other) => {
      const { seat, by } = one;
      if (by === other.by) return [`${seat} and ${other.seat} are both ${by}`];
      const both = `${seat} (${by}) and ${other.seat} (${other.by})`;
      if (isSameAgent(one, other)) return [`${both} are one agent: their settings are the same`];
      const family = families.get(by);
      return family !== undefined && family === families.get(other.by)
        ? [`${seat} (${by}) is of the family of ${other.seat} (${other.by}): ${family}`]
        : [];
    }),
  );
}

/** The agents in the seats, with the settings that `sworn.yaml` gives them now. */
export function sittingsIn(seats: readonly Seat[], root: string): Sitting[] {
  return seats.flatMap(({ agent, by }) => (by === null ? [] : [sittingIn(agent, by, root)]));
}

/**
 * Who works and who looks at it, as `sworn.yaml` has it now: the judge and the reviewer may be named
 * as late as they are asked.
 */
export function sittingsOf(seats: Seats, root: string): Sittings {
  const config = readConfig(root);
  const looking = (["reviewer", "judge"] as const).flatMap((role) => {
    const by = agentFor(role, config, seats.worker);
    return by === undefined ? [] : [sittingIn(role, by, root)];
  });
  const { critic, auditor } = seats;
  const seated = [
    { ...CRITIC, by: critic },
    { ...AUDITOR, by: auditor },
  ];
  return {
    worker: sittingIn(WORKER.agent, seats.worker, root),
    judging: [...sittingsIn(seated, root), ...looking],
    voters: sittingsIn(votersOf(seats), root),
  };
}
