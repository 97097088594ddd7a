// Makes bundles of any length for measuring: always the same bytes, never more than a piece in memory.
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyIdOf, nextHlc, sha256Hex, TAR_END, tarHeader, tarPadding } from "../dist/base/index.js";
import { sealEntry, signCheckpoint, TreeHead } from "../dist/ledger/index.js";
import { GENESIS_PREV } from "../dist/schema/index.js";
import { keysDocument } from "../dist/verify/index.js";
import { apply, emptySession, judge, linksOf } from "../dist/view/index.js";

const TRACE = "trace_01JZ0000000000000000000000";
const START_MS = Date.UTC(2026, 0, 1);
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const PIECE_CHARS = 1 << 20;
/** How many entries tell whether a bundle made earlier is the one that would be made now. */
const PROBE_ENTRIES = 64;
const POLICY = {
  approval_from: "high",
  evidence_min: 1,
  attempts_max: 3,
  rework_max: 2,
  fallback: true,
};
const ROLE_OF = {
  ada: "planner",
  eli: "executor",
  cleo: "critic",
  otto: "auditor",
  mara: "operator",
  sworn: "runtime",
};
const WORDS =
  "the test of login counts attempts per user and minute so that a sixth one is refused while older ones are forgotten which the output shows line by line".split(
    " ",
  );

const SIGNERS = Object.fromEntries(Object.keys(ROLE_OF).map((agent) => [agent, makeSigner(agent)]));
/** Outputs that executions cite; a bundle carries each once. */
const OUTPUTS = Array.from({ length: 16 }, (_, index) => Buffer.from(`${text(index)}\n`));

function makeSigner(agent) {
  const seed = createHash("sha256").update(`bench ${agent}`).digest();
  const secret = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: "der",
    type: "pkcs8",
  });
  const raw = createPublicKey(secret).export({ format: "der", type: "spki" }).subarray(-32);
  const publicText = raw.toString("base64");
  return {
    key: keyIdOf(publicText),
    public: publicText,
    sign: (bytes) => sign(null, bytes, secret),
  };
}

/** About 300 bytes of prose, another one for each number. */
export function text(number) {
  let out = `Step ${number}:`;
  for (let at = number; out.length < 300; at += 7) out += ` ${WORDS[at % WORDS.length]}`;
  return out;
}

const opening = {
  agent: "ada",
  type: "session_initialized",
  body: {
    task: "limit-logins",
    objective: "Refuse a sixth login attempt within a minute",
    profile: "solo",
    policy: POLICY,
    agents: Object.entries(ROLE_OF).map(([agent, role]) => ({
      agent,
      roles: [role],
      key: SIGNERS[agent].key,
      public: SIGNERS[agent].public,
    })),
  },
};

function message(number) {
  const agent = Object.keys(ROLE_OF)[number % 5];
  return { agent, type: "message_posted", body: { text: text(number) } };
}

function* messages() {
  yield opening;
  for (let number = 1; ; number += 1) yield message(number);
}

/** A session at work: intents, executions with their output, claims, and talk between them. */
function* work() {
  yield opening;
  const unit = {
    objective: text(0),
    assumptions: [],
    required_tools: ["npm test"],
    expected_evidence: ["output"],
  };
  yield { agent: "ada", type: "proposal_created", body: { proposal_id: "p", units: [unit] } };
  const review = { proposal_status: "approved", risk_assessment: "Low", rationale: text(1) };
  yield { agent: "cleo", type: "proposal_reviewed", body: { proposal_id: "p", ...review } };
  for (let round = 0; ; round += 1) {
    const output = OUTPUTS[round % OUTPUTS.length];
    const hash = sha256Hex(output);
    const artifacts = [{ hash, bytes: output.length, media_type: "text/plain", name: "output" }];
    const intent = {
      tool_name: "npm test",
      normalized_input_hash: hash,
      risk_class: "low",
      justification: text(round),
    };
    const claim = { claim_text: text(round), confidence: 90, evidence: [hash] };
    const ids = { execution_id: `e${round}`, intent_id: `i${round}` };
    yield message(round);
    yield {
      agent: "eli",
      type: "tool_intent_signed",
      artifacts,
      body: { intent_id: ids.intent_id, proposal_id: "p", ...intent },
    };
    yield { agent: "eli", type: "tool_execution_started", body: ids };
    yield {
      agent: "eli",
      type: "tool_execution_completed",
      artifacts,
      body: { execution_id: ids.execution_id, exit_status: 0, summary: text(round) },
    };
    yield {
      agent: "eli",
      type: "claim_issued",
      body: { claim_id: `c${round}`, execution_ids: [ids.execution_id], ...claim },
    };
  }
}

const MIXES = { messages, work };

/** Seals the first entries of a mix, one after the other. */
function* sealed(mix, count, session) {
  let [prev, hlc] = [GENESIS_PREV, undefined];
  let seq = 0;
  for (const { agent, type, body, artifacts = [] } of MIXES[mix]()) {
    if (seq === count) return;
    const now = START_MS + seq * 250;
    hlc = nextHlc(hlc, now);
    const actor = { agent, role: ROLE_OF[agent], key: SIGNERS[agent].key };
    const event = { seq, type, body, artifacts, actor };
    const refusal = judge(session, event);
    if (refusal) throw new Error(`the mix "${mix}" breaks a rule: ${refusal.reason}`);
    const at = new Date(now).toISOString();
    const parents = linksOf(session, event);
    const entry = sealEntry(
      { v: 1, trace: TRACE, prev, hlc, at, parents, ...event },
      SIGNERS[agent],
    );
    apply(session, event);
    yield entry;
    [prev, seq] = [entry.hash, seq + 1];
  }
}

/** The path of a bundle with so many entries; made when it is not there yet. */
export function bundleOf(mix, count) {
  const folder = join(tmpdir(), "sworn-bench");
  mkdirSync(folder, { recursive: true });
  const probe = [...sealed(mix, Math.min(count, PROBE_ENTRIES), emptySession())].at(-1).hash;
  const path = join(folder, `${mix}-${count}-${probe.slice(0, 12)}.tar`);
  if (existsSync(path)) return path;
  console.error(`making ${count} entries (${mix}) …`);
  writeBundle(mix, count, `${path}.${process.pid}.tmp`);
  renameSync(`${path}.${process.pid}.tmp`, path);
  return path;
}

function writeBundle(mix, count, path) {
  const fd = openSync(path, "w");
  const session = emptySession();
  const tree = new TreeHead();
  // What stands before the entries depends on them, but its length does not: it is written last.
  const sessionStart = emptySession();
  for (const _ of sealed(mix, 1, sessionStart));
  let at = front(sessionStart, count, tree.root(), 0).length;
  const from = at;
  let piece = "";
  const flush = () => {
    at += writeSync(fd, Buffer.from(piece), 0, undefined, at);
    piece = "";
  };
  for (const { line, hash } of sealed(mix, count, session)) {
    tree.append(hash);
    piece += `${line}\n`;
    if (piece.length >= PIECE_CHARS) flush();
  }
  flush();
  const sizeBytes = at - from;
  const cited = OUTPUTS.filter((bytes) => session.artifacts.has(sha256Hex(bytes)));
  const members = cited.map((bytes) => [`artifacts/${sha256Hex(bytes)}`, bytes]).sort();
  const back = [Buffer.alloc(tarPadding(sizeBytes)), ...members.flatMap(member), TAR_END];
  writeSync(fd, Buffer.concat(back), 0, undefined, at);
  writeSync(fd, front(session, count, tree.root(), sizeBytes), 0, undefined, 0);
  closeSync(fd);
}

function front(session, size, root, entriesBytes) {
  const note = Buffer.from(signCheckpoint({ trace: TRACE, size, root }, SIGNERS.sworn));
  const keys = Buffer.from(keysDocument(session));
  return Buffer.concat([
    ...member(["checkpoint", note]),
    ...member(["keys.json", keys]),
    tarHeader("entries.jsonl", entriesBytes),
  ]);
}

function member([name, bytes]) {
  return [tarHeader(name, bytes.length), bytes, Buffer.alloc(tarPadding(bytes.length))];
}
