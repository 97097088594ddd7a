import { messageOf, SwornError, toVerifierKey } from "../base/index.ts";
import type { PublicKeyRecord } from "../keyring/index.ts";
import { CHECKPOINT_SIGNER } from "../ledger/index.ts";
import type { EventRequest } from "../schema/index.ts";
import type { Session } from "../view/index.ts";
import type { Place } from "./place.ts";
import { DEFAULT_OPERATOR, RUNTIME_AGENT } from "./record/complete.ts";
import { isOpen, Recorder } from "./record/recorder.ts";
import { sessionOf } from "./trace/look.ts";

/** What a change of keys did to the open traces of this project. */
export interface KeyChange {
  readonly agent: string;
  readonly key: string;
  /** Traces in which the change was recorded. */
  readonly traces: readonly string[];
  /** Traces in which it could not be, with the reason. */
  readonly failed: readonly { readonly trace: string; readonly reason: string }[];
  /** For the runtime, whose key others verify with: the one it signs with now. */
  readonly verifierKey?: string;
  /** For the runtime: the one it signed with until now, which older bundles still need. */
  readonly earlierVerifierKey?: string;
}

/** Makes a project ready: its store, and keys for the runtime and the operator. Safe to repeat. */
export async function initialize(place: Place, passphrase: string | undefined) {
  const isNew = !place.exists;
  if (passphrase !== undefined) await place.keyring.setPassphrase(passphrase);
  place.prepare();
  const runtime = await place.keyring.ensure(RUNTIME_AGENT);
  const operator = await place.keyring.ensure(DEFAULT_OPERATOR);
  return {
    store: place.store,
    isNew,
    keys: [runtime, operator],
    verifierKey: verifierKeyOf(runtime),
  };
}

/** The runtime's public key in the form `sworn verify --key` takes. */
export function verifierKeyOf({ public: publicText }: Pick<PublicKeyRecord, "public">): string {
  return toVerifierKey({ name: CHECKPOINT_SIGNER, public: publicText });
}

/** Gives an agent a new key and records the change in every open trace of this project that knows it. */
export async function rotateKey(place: Place, agent: string): Promise<KeyChange> {
  const earlier = place.keyring.current(agent);
  const { key } = await place.keyring.rotate(agent);
  const outcome = await inOpenTraces(place, agent, () => "hand-over");
  return { agent, key, ...outcome, ...verifierKeys(place, agent, earlier) };
}

/**
 * Revokes a key and records it, first, in every open trace of this project that knows it. The
 * runtime, which signs every checkpoint, is never left without a key: it gets its next one before.
 */
export async function revokeKey(
  place: Place,
  agent: string,
  wanted: string | undefined,
  reason: string,
): Promise<KeyChange> {
  const current = place.keyring.current(agent)?.key;
  const key = wanted ?? current;
  if (key === undefined) throw nothingToRevoke(place, agent);
  if (agent === RUNTIME_AGENT && key === current) await rotateKey(place, agent);
  const outcome = await inOpenTraces(place, agent, (session) => {
    const status = session.keys.get(key)?.status;
    if (status === undefined || status === "revoked") return "nothing";
    return { actor: keeperOf(session, agent), type: "key_revoked", body: { agent, key, reason } };
  });
  place.keyring.revoke(agent, key);
  const revoked = keysOf(place, agent).find((one) => one.key === key);
  return { agent, key, ...outcome, ...verifierKeys(place, agent, revoked) };
}

/** The public parts of every key an agent has had, oldest first. */
export function keysOf(place: Place, agent: string): PublicKeyRecord[] {
  return place.keyring.list().filter((key) => key.agent === agent);
}

function verifierKeys(
  place: Place,
  agent: string,
  earlier: PublicKeyRecord | undefined,
): Pick<KeyChange, "verifierKey" | "earlierVerifierKey"> {
  const current = agent === RUNTIME_AGENT ? place.keyring.current(agent) : undefined;
  if (!current) return {};
  return {
    verifierKey: verifierKeyOf(current),
    ...(earlier === undefined ? {} : { earlierVerifierKey: verifierKeyOf(earlier) }),
  };
}

function nothingToRevoke(place: Place, agent: string): SwornError {
  const last = keysOf(place, agent).at(-1)?.key;
  const found =
    last === undefined
      ? `${agent} has no key here; see "sworn keys list"`
      : `${agent} has no active key: ${last} is already revoked; ` +
        `give it a new one with "sworn keys rotate ${agent}", or name a key with --key`;
  return new SwornError("NOT_FOUND", found);
}

/** Who revokes an agent's key: the operator, unless it is the operator's own that is lost. */
function keeperOf({ agents }: Session, agent: string): EventRequest["actor"] {
  const operator = [...agents].find(
    ([name, { roles, key }]) => name !== agent && key !== undefined && roles.includes("operator"),
  )?.[0];
  return operator === undefined
    ? { agent: RUNTIME_AGENT, role: "runtime" }
    : { agent: operator, role: "operator" };
}

/** What a change of keys asks of one trace: a request of its own, the handing over of a newer key, or nothing. */
type ToRequest = (session: Session) => EventRequest | "hand-over" | "nothing";

async function inOpenTraces(place: Place, agent: string, toRequest: ToRequest) {
  const traces: string[] = [];
  const failed: { trace: string; reason: string }[] = [];
  for (const trace of place.traces()) {
    try {
      if (await changeIn(place, trace, agent, toRequest)) traces.push(trace);
    } catch (error) {
      failed.push({ trace, reason: messageOf(error) });
    }
  }
  return { traces, failed };
}

async function changeIn(
  place: Place,
  trace: string,
  agent: string,
  toRequest: ToRequest,
): Promise<boolean> {
  const { session } = sessionOf(place, trace);
  if (!isOpen(session) || !session.agents.has(agent)) return false;
  const request = toRequest(session);
  if (request === "nothing") return false;
  const recorder = Recorder.resume(place, trace);
  try {
    if (request === "hand-over") return await recorder.handOver(agent);
    const { refusal } = await recorder.record([request], { artifactRoots: [] });
    if (refusal) throw new Error(refusal.reason);
    return true;
  } finally {
    recorder.close();
  }
}
