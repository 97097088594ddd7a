/** Tells sessions for the ledger vectors: fixed keys, a fixed clock, and room for departures. */
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import {
  canonicalize,
  keyIdOf,
  nextHlc,
  sha256,
  sha256Hex,
  TAR_END,
  tarHeader,
  tarPadding,
} from "../../dist/base/index.js";
import { POLICIES } from "../../dist/flow/record/profile-policies.js";
import { signCheckpoint, TreeHead } from "../../dist/ledger/index.js";
import { EventRequest, GENESIS_PREV } from "../../dist/schema/index.js";
import { keysDocument, verifyTrace } from "../../dist/verify/index.js";
import { apply, emptySession, judge, linksOf } from "../../dist/view/index.js";

export const TRACE = "trace_01KDVDMS00SWRN000000000001";
export const OTHER_TRACE = "trace_01KDVDMS00SWRN000000000002";
const START_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 1_000;
/** DER in front of a raw Ed25519 seed. */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

export function signerOf(name) {
  const seed = sha256(`sworn test vector key: ${name}`);
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  const secret = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const spki = createPublicKey(secret).export({ format: "der", type: "spki" });
  const publicText = spki.subarray(-32).toString("base64");
  return {
    key: keyIdOf(publicText),
    public: publicText,
    sign: (bytes) => sign(null, bytes, secret),
  };
}

/**
 * A session as it is told, entry by entry. It does what the recorder does, with fixed keys and
 * time; a `twist` is where an entry departs from what the recorder would have written.
 */
export class Story {
  session = emptySession();
  lines = [];
  artifacts = new Map();
  signers = new Map();
  #hlc;
  #report;
  #prev = GENESIS_PREV;

  constructor(trace = TRACE) {
    this.trace = trace;
  }

  /**
   * Twists: `refused` (the rules must refuse it), `as` (another key), `body` (fields put over the
   * finished body), `finished` (the body is finished as it is given), `entry` (fields put over the
   * finished entry), `report` (what becomes of the text of an audit's report), `respell` (of the
   * bytes that get signed), `resign` (of the signature's text).
   */
  async tell(agent, role, type, asked, { artifacts, idem, beat, fence, ...twist } = {}) {
    this.#report = twist.report;
    const stored = (artifacts ?? []).map((artifact) => this.#store(artifact));
    const event = {
      seq: this.lines.length,
      type,
      ...(twist.finished
        ? { body: asked, artifacts: stored }
        : await this.#complete(
            EventRequest.parse({ actor: { agent, role }, type, body: asked }),
            stored,
          )),
      ...(idem === undefined ? {} : { idem }),
      ...this.#fence(type, fence),
    };
    event.body = { ...event.body, ...twist.body };
    const signer = twist.as ?? this.signers.get(agent);
    event.actor = { agent, role, key: signer.key };
    const refusal = judge(this.session, event);
    if ((refusal !== undefined) !== (twist.refused ?? false)) {
      throw new Error(`entry ${event.seq}: ${refusal?.reason ?? "expected a refusal"}`);
    }
    const nowMs = START_MS + STEP_MS * this.lines.length;
    this.#hlc = nextHlc(this.#hlc, nowMs);
    const entry = {
      v: 1,
      trace: this.trace,
      at: new Date(nowMs).toISOString(),
      hlc: this.#hlc,
      parents: linksOf(this.session, event),
      prev: this.#prev,
      ...(beat === undefined ? {} : { beat }),
      ...event,
      ...twist.entry,
    };
    this.#append(seal(entry, signer, twist));
    if (!refusal) this.#take(event);
  }

  /** As the recorder does: the lease that stands, unless something else is asked for, or none (0). */
  #fence(type, asked) {
    const { lease } = this.session.cadence;
    const standing = lease?.isStanding && type !== "lease_taken" ? lease.number : 0;
    const fence = asked ?? standing;
    return fence === 0 ? {} : { fence };
  }

  #append(line) {
    this.lines.push(line);
    this.#prev = sha256Hex(line);
  }

  #take(event) {
    apply(this.session, event);
    if (event.type === "agent_enrolled") {
      this.signers.set(event.body.agent, signerOf(event.body.agent));
    }
    if (event.type === "key_rotated") {
      this.signers.set(event.body.agent, this.#nextSigner(event.body.agent));
    }
  }

  #store({ text, name, media_type = "text/plain", bytes }) {
    const content = Buffer.from(text);
    const hash = sha256Hex(content);
    this.artifacts.set(hash, content);
    return {
      hash,
      bytes: bytes ?? content.length,
      media_type,
      ...(name === undefined ? {} : { name }),
    };
  }

  async #complete({ type, body }, artifacts) {
    if (type === "session_initialized") return { body: this.#enrol(body), artifacts };
    if (type === "verification_run_completed") return this.#audit(body);
    if (type === "key_rotated") return { body: this.#rotation(body.agent), artifacts };
    if (type === "agent_enrolled") {
      const { key, public: publicText } = signerOf(body.agent);
      return { body: { ...body, key, public: publicText }, artifacts };
    }
    if (type === "key_revoked") {
      return { body: { ...body, key: body.key ?? this.signers.get(body.agent).key }, artifacts };
    }
    const own = new Map(artifacts.map(({ name, hash }) => [name, hash]));
    const toHash = (name) => own.get(name) ?? this.session.artifactNames.get(name) ?? name;
    const evidence = body.evidence && { evidence: body.evidence.map(toHash) };
    const input = body.normalized_input_hash && {
      normalized_input_hash: toHash(body.normalized_input_hash),
    };
    return { body: { ...body, ...evidence, ...input }, artifacts };
  }

  #enrol(body) {
    const agents = [...body.agents, { agent: "sworn", roles: ["runtime"] }].map((one) => {
      const signer = signerOf(one.agent);
      this.signers.set(one.agent, signer);
      return { ...one, key: signer.key, public: signer.public };
    });
    return { ...body, policy: { ...POLICIES[body.profile], ...body.policy }, agents };
  }

  /** How long the line of a step would be that comes next. */
  async bytesOf(step) {
    const other = new Story(this.trace);
    Object.assign(other, { session: structuredClone(this.session), signers: this.signers });
    other.lines = [...this.lines];
    await other.tell(...step);
    return other.lines.at(-1).length;
  }

  /** The key that an agent had before its last rotation. */
  oldKeyOf(agent) {
    return [...this.session.keys].filter(([, key]) => key.agent === agent).at(-2)[0];
  }

  #nextSigner(agent) {
    const used = [...this.session.keys.values()].filter((key) => key.agent === agent).length;
    return signerOf(`${agent} ${used}`);
  }

  #rotation(agent) {
    const known = [...this.session.keys].filter(([, key]) => key.agent === agent);
    const used = known.length;
    const next = signerOf(`${agent} ${used + 1}`);
    return { agent, old_key: known.at(-1)[0], new_key: next.key, public: next.public };
  }

  /** The report says what the verifier found; its sentences are fixed here, because those may change. */
  async #audit(body) {
    const source = {
      lines: () => [Buffer.concat(this.lines.flatMap((line) => [Buffer.from(line), NEWLINE]))],
      entriesBytes: 0,
      checkpoint: this.checkpoint(),
      keys: undefined,
      artifact: (hash) => (this.artifacts.has(hash) ? [this.artifacts.get(hash)] : undefined),
      artifactHashes: undefined,
    };
    const options = { profile: "default", mode: "full", expectOpen: true, threads: 0 };
    const report = await verifyTrace(source, options);
    const plain = (failure) => ({ ...failure, message: `${failure.code} at ${failure.seq}` });
    const text = `${canonicalize({
      ...report,
      failures: report.failures.map(plain),
      warnings: report.warnings.map(plain),
    })}\n`;
    const artifact = this.#store({
      text: this.#report?.(text) ?? text,
      media_type: "application/json",
    });
    const { size, hash } = { size: this.lines.length, hash: this.#prev };
    return { body: { ...body, report: artifact.hash, size, head: hash }, artifacts: [artifact] };
  }

  checkpoint({ trace = this.trace, size, root, signer = this.signers.get("sworn") } = {}) {
    const tree = new TreeHead();
    for (const line of this.lines) tree.append(sha256Hex(line));
    return signCheckpoint({ trace, size: size ?? tree.size, root: root ?? tree.root() }, signer);
  }

  /** What a bundle is made of; vectors change it before it is packed. */
  parts() {
    return {
      checkpoint: this.checkpoint(),
      keys: keysDocument(this.session),
      lines: [...this.lines],
      artifacts: new Map(this.artifacts),
    };
  }
}

export const NEWLINE = Buffer.from("\n");

/** Signs an entry in the spelling that is asked for, so that nothing but the spelling is wrong with it. */
function seal(entry, signer, { respell = (text) => text, resign = (text) => text }) {
  // Latin-1 stands for bytes here: a twist may write what is no UTF-8.
  const text = respell(Buffer.from(canonicalize(entry)).toString("latin1"));
  const bytes = Buffer.from(text, "latin1");
  const signature = resign(signer.sign(bytes).toString("base64"), bytes);
  const at = text.lastIndexOf(',"trace":"');
  const member = signature === undefined ? "" : `,"sig":"${signature}"`;
  return Buffer.from(text.slice(0, at) + member + text.slice(at), "latin1");
}

export function pack({ checkpoint, keys, lines, artifacts }) {
  const entries = Buffer.concat(lines.flatMap((line) => [line, NEWLINE]));
  return packMembers([
    ["checkpoint", Buffer.from(checkpoint)],
    ["keys.json", Buffer.from(keys)],
    ["entries.jsonl", entries],
    ...[...artifacts.keys()].sort().map((hash) => [`artifacts/${hash}`, artifacts.get(hash)]),
  ]);
}

export function packMembers(members) {
  const blocks = members.flatMap(([name, bytes]) => [
    tarHeader(name, bytes.length),
    bytes,
    Buffer.alloc(tarPadding(bytes.length)),
  ]);
  return Buffer.concat([...blocks, TAR_END]);
}

/** Changes bytes of the first tar header and mends its checksum. */
export function withHeader(bundle, offset, text) {
  const changed = Buffer.from(bundle);
  changed.write(text, offset, "latin1");
  changed.write(" ".repeat(8), 148, "latin1");
  const sum = changed.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  changed.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return changed;
}

// What the stories are made of: each gives the arguments of one call of tell.

export const OPENING = {
  task: "limit-logins",
  objective: "Refuse a sixth login attempt within a minute",
  agents: [
    { agent: "ada", roles: ["planner"] },
    { agent: "eli", roles: ["executor"] },
    { agent: "cleo", roles: ["critic"] },
    { agent: "otto", roles: ["auditor"] },
    { agent: "mara", roles: ["operator"] },
  ],
};
const UNIT = {
  objective: "Count attempts in front of login()",
  assumptions: [],
  required_tools: ["npm test", "deploy"],
  expected_evidence: ["test output"],
};

export const open = (body = {}) => [
  "ada",
  "planner",
  "session_initialized",
  { ...OPENING, ...body },
];
export const propose = (body = {}) => [
  "ada",
  "planner",
  "proposal_created",
  { proposal_id: "p1", units: [UNIT], ...body },
];
export const review = (body = {}) => [
  "cleo",
  "critic",
  "proposal_reviewed",
  {
    proposal_id: "p1",
    proposal_status: "approved",
    risk_assessment: "Low",
    rationale: "Small and tested",
    ...body,
  },
];
export const intend = (id, body = {}, twist = {}) => [
  "eli",
  "executor",
  "tool_intent_signed",
  {
    intent_id: `i${id}`,
    proposal_id: "p1",
    tool_name: "npm test",
    normalized_input_hash: `command-${id}`,
    risk_class: "low",
    justification: "Shows that it works",
    ...body,
  },
  { artifacts: [{ name: `command-${id}`, text: `npm test -- login ${id}\n` }], ...twist },
];
export const approve = (id) => [
  "cleo",
  "critic",
  "intent_reviewed",
  { intent_id: `i${id}`, intent_status: "approved", rationale: "Harmless" },
];
export const start = (id, body = {}, twist = {}) => [
  "eli",
  "executor",
  "tool_execution_started",
  { execution_id: `e${id}`, intent_id: `i${id}`, ...body },
  twist,
];
export const complete = (id, body = {}, twist = {}) => [
  "eli",
  "executor",
  "tool_execution_completed",
  { execution_id: `e${id}`, exit_status: 0, ...body },
  { artifacts: [{ name: `output-${id}`, text: `${id}: 7 tests, 7 passed\n` }], ...twist },
];
export const fail = (id, handling, twist = {}) => [
  "eli",
  "executor",
  "tool_execution_failed",
  { execution_id: `e${id}`, failure: "The port was taken", handling },
  twist,
];
export const claim = (id, body = {}, twist = {}) => [
  "eli",
  "executor",
  "claim_issued",
  {
    claim_id: `c${id}`,
    claim_text: "The sixth attempt is refused",
    confidence: 90,
    evidence: ["output-1"],
    execution_ids: ["e1"],
    ...body,
  },
  twist,
];
export const challenge = () => [
  "cleo",
  "critic",
  "claim_challenged",
  { challenge_id: "x1", claim_id: "c1", reason: "Only one user was tried" },
];
export const conclude = (body = {}, twist = {}) => [
  "eli",
  "executor",
  "final_statement_signed",
  { consolidated_claim_ids: ["c1"], final_verdict_text: "Logins are limited", ...body },
  twist,
];
export const beginAudit = (twist = {}, agent = "otto") => [
  agent,
  "auditor",
  "verification_run_started",
  { verification_id: "v1" },
  twist,
];
export const endAudit = (status = "pass", twist = {}) => [
  "otto",
  "auditor",
  "verification_run_completed",
  { verification_id: "v1", status },
  twist,
];
export const say = (agent, role, text, twist = {}) => [
  agent,
  role,
  "message_posted",
  { text },
  twist,
];
export const rotate = (by, role, agent, twist = {}) => [by, role, "key_rotated", { agent }, twist];
export const revoke = (agent, body = {}) => [
  "mara",
  "operator",
  "key_revoked",
  { agent, reason: "The laptop was lost", ...body },
];
