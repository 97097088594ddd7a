import { canonicalize, SwornError } from "../../base/index.ts";
import type {
  ArtifactRef,
  Body,
  EventRequest,
  EventType,
  Policy,
  Role,
} from "../../schema/index.ts";
import { isBetter, verifyTrace } from "../../verify/index.ts";
import { type Refusal, refuse } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { localSource } from "../trace/local-source.ts";
import { openForReading } from "../trace/reading.ts";
import type { OpenedTrace } from "./opened-trace.ts";
import { POLICIES } from "./profile-policies.ts";

/** The runtime's own name in every session; it signs the checkpoints. */
export const RUNTIME_AGENT = "sworn";
/** The operator's name where a script registers none. */
export const DEFAULT_OPERATOR = "operator";

/** A body as it will stand in the ledger, and the artifacts that come with it. */
export interface Completed {
  readonly body: Body<EventType>;
  readonly artifacts: readonly ArtifactRef[];
}

/** Adds to a request what only the runtime knows: keys, hashes behind names, its own verification. */
export async function completeBody(
  place: Place,
  trace: OpenedTrace,
  request: EventRequest,
  artifacts: readonly ArtifactRef[],
): Promise<Completed | Refusal> {
  switch (request.type) {
    case "session_initialized":
      return { body: await enrol(place, request), artifacts };
    case "agent_enrolled":
      return { body: await join(place, request), artifacts };
    case "verification_run_completed":
      return audit(place, trace, request, artifacts);
    case "key_rotated":
      return rotation(place, trace, request.body.agent, artifacts);
    case "key_revoked":
      return revocation(trace, request, artifacts);
    default:
      return withHashes(trace, request, artifacts);
  }
}

async function enrol(
  place: Place,
  { body }: EventRequest<"session_initialized">,
): Promise<Body<"session_initialized">> {
  const requested: { agent: string; roles: Role[] }[] = [
    ...body.agents,
    { agent: RUNTIME_AGENT, roles: ["runtime"] },
  ];
  if (!requested.some(({ roles }) => roles.includes("operator"))) {
    requested.push({ agent: DEFAULT_OPERATOR, roles: ["operator"] });
  }
  const agents = [];
  for (const { agent, roles } of requested) {
    const { key, public: publicText } = await place.keyring.ensure(agent);
    agents.push({ agent, roles, key, public: publicText });
  }
  return { ...body, policy: toPolicy(POLICIES[body.profile], body.policy), agents };
}

async function join(
  place: Place,
  { body }: EventRequest<"agent_enrolled">,
): Promise<Body<"agent_enrolled">> {
  const { key, public: publicText } = await place.keyring.ensure(body.agent);
  return { ...body, key, public: publicText };
}

function toPolicy(
  defaults: Policy,
  wanted: EventRequest<"session_initialized">["body"]["policy"],
): Policy {
  return {
    approval_from: wanted?.approval_from ?? defaults.approval_from,
    evidence_min: wanted?.evidence_min ?? defaults.evidence_min,
    attempts_max: wanted?.attempts_max ?? defaults.attempts_max,
    rework_max: wanted?.rework_max ?? defaults.rework_max,
    fallback: wanted?.fallback ?? defaults.fallback,
    ...(wanted?.tool_risk === undefined ? {} : { tool_risk: wanted.tool_risk }),
  };
}

/** Verifies the trace as it stands; the auditor may say less than what was found, never more. */
async function audit(
  place: Place,
  { ledger }: OpenedTrace,
  { body }: EventRequest<"verification_run_completed">,
  given: readonly ArtifactRef[],
): Promise<Completed | Refusal> {
  const { size, hash } = ledger.head;
  const snapshot = openForReading(place, ledger.trace);
  try {
    const source = localSource(place, snapshot);
    const report = await verifyTrace(source, {
      profile: "default",
      mode: "full",
      expectOpen: true,
      threads: place.threads,
    });
    if (isBetter(body.status, report.status)) {
      const why = report.failures[0]?.message ?? report.warnings[0]?.message ?? "no reason given";
      return refuse(
        "FINALIZATION_GUARD",
        `the runtime's own verification says "${report.status}", not "${body.status}": ${why}`,
      );
    }
    const stored = place.artifacts.put(Buffer.from(`${canonicalize(report)}\n`));
    const artifact = {
      ...stored,
      media_type: "application/json",
      name: `report-${body.verification_id}`.slice(0, 64),
    };
    const artifacts = [...given, artifact];
    return { body: { ...body, report: stored.hash, size, head: hash }, artifacts };
  } finally {
    snapshot.close();
  }
}

function rotation(
  place: Place,
  { session }: OpenedTrace,
  agent: string,
  artifacts: readonly ArtifactRef[],
): Completed | Refusal {
  const known = [...session.keys].filter(([, key]) => key.agent === agent).at(-1)?.[0];
  const current = place.keyring.current(agent);
  if (agent === RUNTIME_AGENT && !place.keyring.has(agent, known)) {
    return refuse(
      "KEY_GUARD",
      `the runtime of this trace is another machine's (key ${known}); it cannot be continued here`,
    );
  }
  if (!known || !current)
    return refuse("KEY_GUARD", `${agent} has no key here to rotate to; see "sworn keys list"`);
  if (known === current.key)
    return refuse(
      "KEY_GUARD",
      `${agent} has no newer key; make one with "sworn keys rotate ${agent}"`,
    );
  return {
    body: { agent, old_key: known, new_key: current.key, public: current.public },
    artifacts,
  };
}

function revocation(
  { session }: OpenedTrace,
  { body }: EventRequest<"key_revoked">,
  artifacts: readonly ArtifactRef[],
): Completed | Refusal {
  const key = body.key ?? session.agents.get(body.agent)?.key;
  if (key === undefined) return refuse("KEY_GUARD", `${body.agent} has no active key to revoke`);
  return { body: { ...body, key }, artifacts };
}

/** Replaces names of artifacts by their hashes, the request's own artifacts included. */
function withHashes(
  { session }: OpenedTrace,
  request: EventRequest,
  artifacts: readonly ArtifactRef[],
): Completed | Refusal {
  let body = request.body as Body<EventType>;
  if (!("evidence" in body || "normalized_input_hash" in body)) return { body, artifacts };
  const own = new Map(
    artifacts.flatMap(({ name, hash }) => (name === undefined ? [] : [[name, hash] as const])),
  );
  const unknown: string[] = [];
  const toHash = (given: string): string => {
    if (/^[0-9a-f]{64}$/.test(given)) return given;
    const hash = own.get(given) ?? session.artifactNames.get(given);
    if (hash === undefined) unknown.push(given);
    return hash ?? given;
  };
  if ("evidence" in body && body.evidence) body = { ...body, evidence: body.evidence.map(toHash) };
  if ("normalized_input_hash" in body)
    body = { ...body, normalized_input_hash: toHash(body.normalized_input_hash) };
  if (unknown.length > 0)
    return refuse("EVIDENCE_GUARD", `no artifact named "${unknown[0]}" was recorded`);
  return { body, artifacts };
}

/** @throws SwornError `KEY_UNUSABLE`: the trace can be read and verified here, but not continued. */
export function missingKey(agent: string, key: string | undefined): SwornError {
  return new SwornError(
    "KEY_UNUSABLE",
    `this machine cannot sign as ${agent}: ${key ? `its key ${key} is not here` : "its key is revoked"}; see "sworn keys list"`,
  );
}
