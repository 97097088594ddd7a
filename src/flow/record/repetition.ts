import { canonicalize, sha256Hex } from "../../base/index.ts";
import type { Entry, EventRequest } from "../../schema/index.ts";

const HASH = /^[0-9a-f]{64}$/;

/**
 * Whether a request says the same as an entry that carries its idempotency key. Only then has it
 * had its effect; somebody else's words under a used key must not be taken for recorded.
 *
 * Artifacts that are cited by name or given by path are not compared: names may have come to mean
 * something newer, files may have changed, and a repetition is still one.
 */
export function isSaidBy(entry: Entry, request: EventRequest): boolean {
  const { actor, type, body, artifacts = [] } = request;
  const stored = entry.body as Record<string, unknown>;
  return (
    entry.type === type &&
    entry.actor.agent === actor.agent &&
    entry.actor.role === actor.role &&
    Object.entries(body).every(([name, value]) => isSame(value, stored[name])) &&
    artifacts.length <= entry.artifacts.length &&
    artifacts.every(({ text }, index) => isStored(text, entry.artifacts[index]?.hash))
  );
}

function isStored(text: string | undefined, hash: string | undefined): boolean {
  return text === undefined || sha256Hex(text) === hash;
}

/** A requested value is the recorded one, or was completed by the runtime: hashes for names, keys for agents. */
function isSame(asked: unknown, stored: unknown): boolean {
  if (Array.isArray(asked)) {
    return (
      Array.isArray(stored) &&
      asked.length <= stored.length &&
      asked.every((item, index) => isSame(item, stored[index]))
    );
  }
  if (typeof asked === "object" && asked !== null) {
    const members = (stored ?? {}) as Record<string, unknown>;
    return Object.entries(asked).every(([name, value]) => isSame(value, members[name]));
  }
  if (typeof stored === "string" && HASH.test(stored) && typeof asked === "string") {
    return asked === stored || !HASH.test(asked);
  }
  return (
    asked === undefined || (stored !== undefined && canonicalize(asked) === canonicalize(stored))
  );
}
