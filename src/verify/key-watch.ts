import { keyIdOf } from "../base/index.ts";
import type { EventType } from "../schema/index.ts";
import type { EnrolledKey } from "./line-checker.ts";
import { readLoosely } from "./loose-line.ts";

/** The events that make a key known. */
export const ENROLLING_TYPES: ReadonlySet<unknown> = new Set([
  "session_initialized",
  "agent_enrolled",
  "key_rotated",
] satisfies EventType[]);
const ENROLLING = new RegExp(`"type":"(${[...ENROLLING_TYPES].join("|")})","v":1\\}$`);
/** The tail of a canonical line up to its type; long enough for the longest signature and trace id. */
const TAIL_BYTES = 64;

interface Enrolment {
  readonly type?: unknown;
  readonly actor?: { readonly agent?: unknown };
  readonly body?: {
    readonly agents?: readonly {
      agent?: unknown;
      roles?: readonly unknown[];
      key?: unknown;
      public?: unknown;
    }[];
    readonly agent?: unknown;
    readonly key?: unknown;
    readonly new_key?: unknown;
    readonly public?: unknown;
  };
}

/**
 * Picks public keys out of lines before those are checked, so that the checks can run elsewhere.
 * Only lines whose key id is the hash of the key count; whether an agent may use a key at some
 * place is the session's business, not decided here.
 */
export class KeyWatch {
  #runtime: unknown;
  readonly #runtimeKeys: string[] = [];

  /** The public keys the runtime signed checkpoints with, as far as the lines say; the last one is in use. */
  get runtimeKeys(): readonly string[] {
    return this.#runtimeKeys;
  }

  look(line: Buffer): EnrolledKey[] {
    if (!ENROLLING.test(line.toString("latin1", Math.max(0, line.length - TAIL_BYTES)))) return [];
    const entry: Enrolment | undefined = readLoosely(line);
    const offered = entry?.body?.agents ?? [alone(entry)];
    if (!Array.isArray(offered)) return [];
    return offered.flatMap((offer) => this.#take(offer));
  }

  #take(
    offer: { agent?: unknown; roles?: readonly unknown[]; key?: unknown; public?: unknown } | null,
  ): EnrolledKey[] {
    if (typeof offer?.key !== "string" || typeof offer.public !== "string") return [];
    if (keyIdOf(offer.public) !== offer.key) return [];
    const isRuntime = Array.isArray(offer.roles)
      ? offer.roles.includes("runtime")
      : offer.agent === this.#runtime;
    if (isRuntime) {
      this.#runtime = offer.agent;
      this.#runtimeKeys.push(offer.public);
    }
    return [[offer.key, offer.public]];
  }
}

/** The one key of a line; whoever joins later is never the runtime, whatever the line says. */
function alone(entry: Enrolment | undefined) {
  const { agent, key, new_key, public: publicText } = entry?.body ?? {};
  return entry?.type === "agent_enrolled"
    ? { agent, roles: [], key, public: publicText }
    : { agent, key: new_key, public: publicText };
}
