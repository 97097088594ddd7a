import { generateKeyPairSync } from "node:crypto";
import { keyIdOf, sha256Hex } from "../../src/base/index.ts";
import type { ArtifactRef, Role } from "../../src/schema/index.ts";
import {
  apply,
  type Event,
  emptySession,
  judge,
  type Refusal,
  type Session,
} from "../../src/view/index.ts";

/** A key that belongs to nobody yet. */
export function freshKey(): { key: string; public: string } {
  const der = generateKeyPairSync("ed25519").publicKey.export({ format: "der", type: "spki" });
  const publicText = der.subarray(-32).toString("base64");
  return { key: keyIdOf(publicText), public: publicText };
}

/** Who holds which role in these tests. */
export const HOLDERS: Readonly<Record<Role, string>> = {
  planner: "ada",
  executor: "eli",
  critic: "cleo",
  auditor: "otto",
  operator: "mara",
  runtime: "sworn",
};

const KEYS = Object.fromEntries(Object.values(HOLDERS).map((agent) => [agent, freshKey()]));

export const POLICY = {
  approval_from: "high",
  evidence_min: 1,
  attempts_max: 3,
  rework_max: 2,
  fallback: true,
} as const;

/** An agent as `session_initialized` enrols it, by default with a key of its own. */
export function enrolled(agent: string, roles: readonly Role[], key = KEYS[agent] ?? freshKey()) {
  return { agent, roles: [...roles], ...key };
}

/** The body of a session in which each role has its holder; `more` replaces parts of it. */
export function initialization(more: object = {}) {
  const agents = (Object.entries(HOLDERS) as [Role, string][]).map(([role, agent]) =>
    enrolled(agent, [role]),
  );
  return { task: "t1", objective: "Do it", profile: "solo", policy: POLICY, agents, ...more };
}

/** Bytes as an entry lists them. */
export function artifactOf(text: string): ArtifactRef {
  return { hash: sha256Hex(text), bytes: Buffer.byteLength(text), media_type: "text/plain" };
}

/** What is asked besides type and body. `texts` become artifacts. */
export interface Asking {
  readonly role: Role;
  readonly agent?: string;
  readonly key?: string;
  readonly texts?: readonly string[];
  readonly idem?: string;
  /** In place of the number of the lease that stands. */
  readonly fence?: number | undefined;
}

/** A session in memory: the rules alone, without recorder, keys or disk. */
export class World {
  readonly session: Session = emptySession();

  /** A world in which each role has its holder. */
  static begun(more: object = {}): World {
    const world = new World();
    world.take("session_initialized", initialization(more), { role: "planner" });
    return world;
  }

  toEvent(type: Event["type"], body: object, asking: Asking): Event {
    const agent = asking.agent ?? HOLDERS[asking.role];
    const key = asking.key ?? this.session.agents.get(agent)?.key ?? KEYS[agent]?.key ?? "";
    return {
      seq: this.session.size,
      type,
      body,
      artifacts: (asking.texts ?? []).map(artifactOf),
      actor: { agent, role: asking.role, key },
      ...(asking.idem === undefined ? {} : { idem: asking.idem }),
      fence: "fence" in asking ? asking.fence : this.#fenceOf(type),
    } as Event;
  }

  #fenceOf(type: Event["type"]): number | undefined {
    const { lease } = this.session.cadence;
    return lease?.isStanding && type !== "lease_taken" ? lease.number : undefined;
  }

  /** What the rules say to this; asking changes nothing. */
  ask(type: Event["type"], body: object, asking: Asking): Refusal | undefined {
    return judge(this.session, this.toEvent(type, body, asking));
  }

  take(type: Event["type"], body: object, asking: Asking): void {
    const event = this.toEvent(type, body, asking);
    const refusal = judge(this.session, event);
    if (refusal) throw new Error(`${type} is refused: ${refusal.reason} [${refusal.rule}]`);
    apply(this.session, event);
  }
}
