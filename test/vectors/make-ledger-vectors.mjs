/**
 * Writes the published ledger vectors: `node test/vectors/make-ledger-vectors.mjs [folder]`.
 *
 * Keys come from fixed seeds and time from a fixed clock, so that the same files come out each
 * time. What each file must lead to is written down here by hand and not asked of the verifier.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { keyIdOf, sha256Hex, signNote } from "../../dist/base/index.js";
import { INVALID_LIMITS, VALID_LIMITS } from "./ledger-limits.mjs";
import {
  answer,
  ask,
  audit,
  BARE,
  BOTH,
  bent,
  bundle,
  by,
  changed,
  checkFinding,
  decide,
  dispute,
  ended,
  except,
  FINAL,
  judgeIntent,
  KEY,
  no,
  ORDER,
  oddLine,
  PAIR,
  ROLE,
  record,
  refusalsOf,
  replaced,
  resolveBy,
  respelled,
  rework,
  SHORT,
  STATE,
  told,
  UNPROVEN,
  UNRECORDED,
  WORK,
  withSpareBits,
} from "./ledger-making.mjs";
import { INVALID_ODDITIES, VALID_ODDITIES } from "./ledger-oddities.mjs";
import { ENDS, EVERYBODY, REFUSED_BY_TABLE } from "./ledger-protocol.mjs";
import { ALLOWED, REFUSED_BY_RULES } from "./ledger-rules.mjs";
import { withoutRuns } from "./ledger-runs.mjs";
import {
  approve,
  beginAudit,
  challenge,
  claim,
  complete,
  conclude,
  endAudit,
  fail,
  intend,
  NEWLINE,
  OPENING,
  OTHER_TRACE,
  open,
  pack,
  packMembers,
  propose,
  review,
  revoke,
  rotate,
  Story,
  say,
  signerOf,
  start,
  withHeader,
} from "./ledger-story.mjs";
import { REFUSED_TALK } from "./ledger-talk.mjs";
import { AGREED, REFUSED_VOTES } from "./ledger-votes.mjs";

const HERE = import.meta.dirname;
/** Larger files are stored without their long runs of one byte. */
const STORED_BYTES_MAX = 200_000;

const SMALL_ORDER_KEY = Buffer.alloc(32).toString("base64");
const IDENTITY_KEY = Buffer.from("01".padEnd(64, "0"), "hex").toString("base64");
/** y = p + 3: a second spelling of y = 3. */
const SECOND_SPELLING_KEY = Buffer.from(`f0${"ff".repeat(30)}7f`, "hex").toString("base64");

/** The opening with another key for the auditor, as finished body. */
const enrolling = (publicText, key = keyIdOf(publicText)) => ({
  refused: true,
  body: {
    agents: [...OPENING.agents, { agent: "sworn", roles: ["runtime"] }].map((one) =>
      one.agent === "otto"
        ? { ...one, key, public: publicText }
        : { ...one, key: signerOf(one.agent).key, public: signerOf(one.agent).public },
    ),
  },
});

const LATE = "Coverage 100 %\n";

async function exampleSession() {
  const script = readFileSync(join(HERE, "../../examples/session.jsonl"), "utf8");
  const story = new Story();
  for (const line of script.trimEnd().split("\n")) {
    const { actor, type, body, artifacts } = JSON.parse(line);
    await story.tell(actor.agent, actor.role, type, body, artifacts && { artifacts });
  }
  return pack(story.parts());
}

/** Every step approved, two origins for the claim, and the rarer events along the way. */
const STRICT = [
  open({
    profile: "strict",
    policy_digest: sha256Hex("policy"),
    config_digest: sha256Hex("config"),
  }),
  [
    "mara",
    "operator",
    "exception_recorded",
    {
      exception_id: "n1",
      rule: "No network in tests",
      reason: "The login service is remote",
      requester: "eli",
      owner: "mara",
      expires_at: "2026-02-01T00:00:00.000Z",
      rollback: "Take the address off the list",
      scope: { project: sha256Hex("project"), tasks: ["t1"], names: ["login.example.org"] },
      secret_review: "cleo",
    },
  ],
  propose(),
  review({ proposal_status: "conditional", conditions: ["Old attempts are forgotten"] }),
  intend(1),
  approve(1),
  start(1),
  fail(1, "retry"),
  intend(2, { retry_of: "i1" }),
  approve(2),
  start(2),
  complete(2),
  intend(3, { tool_name: "deploy" }),
  approve(3),
  start(3),
  complete(3),
  [
    "eli",
    "executor",
    "artifact_recorded",
    { description: "What the service logged", execution_id: "e3" },
    { artifacts: [{ name: "log", text: "429 Too Many Requests\n" }], idem: "log-1", beat: 3 },
  ],
  claim(1, {
    evidence: ["output-2", "output-3", "log"],
    execution_ids: ["e2", "e3"],
    meets: [{ proposal_id: "p1", condition: 0 }],
  }),
  challenge(),
  [
    "cleo",
    "critic",
    "challenge_resolved",
    { challenge_id: "x1", resolution: "withdrawn", rationale: "The log shows more users" },
  ],
  conclude(),
  beginAudit(),
  endAudit(),
];

/** A fallback after a failure, and an audit that fails for good. */
const FAILED = [
  open({ profile: "team", policy: { rework_max: 0 } }),
  propose(),
  review(),
  intend(1),
  start(1),
  fail(1, "fallback"),
  propose({ proposal_id: "p2", fallback_for: "e1" }),
  review({ proposal_id: "p2" }),
  intend(2, { proposal_id: "p2" }),
  start(2),
  complete(2),
  claim(1, { evidence: ["output-2"], execution_ids: ["e2"] }),
  beginAudit(),
  endAudit("fail"),
];

const enrolled = (agent, roles, keyOf = agent) => ({
  agent,
  roles,
  key: signerOf(keyOf).key,
  public: signerOf(keyOf).public,
});
/** An opening with other agents, keys and all. */
const openWith = (agents, twist = {}) => [...open(), { ...twist, body: { agents } }];
const USUAL = [...OPENING.agents, { agent: "sworn", roles: ["runtime"] }].map(({ agent, roles }) =>
  enrolled(agent, roles),
);

/** Openings that are refused one after the other, until one is good. */
const OPENINGS = [
  no(ROLE, openWith(USUAL.filter(({ agent }) => agent !== "cleo"))),
  no(STATE, say("ada", "planner", "Hello")),
  no(ORDER, openWith([...USUAL, enrolled("ada", ["planner"], "another")])),
  no(ROLE, openWith([...USUAL, enrolled("eve", ["critic"], "eli")])),
  no(ORDER, openWith([...USUAL, enrolled("witness", ["runtime"])])),
  no(ROLE, openWith(USUAL.with(5, enrolled("sworn", ["runtime", "critic"])))),
  no(ROLE, openWith([...USUAL.with(0, enrolled("ada", ["critic"])), enrolled("eve", ["planner"])])),
  no(KEY, openWith(USUAL, { as: signerOf("eli") })),
  open(),
  no(STATE, open()),
];

const PEOPLE = [
  { agent: "ada", roles: ["planner"] },
  { agent: "eli", roles: ["executor"] },
  { agent: "eve", roles: ["executor", "critic"] },
  { agent: "cleo", roles: ["critic"] },
  { agent: "carl", roles: ["critic", "auditor"] },
  { agent: "otto", roles: ["auditor"] },
  { agent: "olga", roles: ["auditor"] },
  { agent: "mara", roles: ["operator"] },
];
/** Everything that is refused on the way from the opening to the claims. */
const PLANNING_AND_WORK = [
  open({
    profile: "team",
    agents: PEOPLE,
    policy: { fallback: false, attempts_max: 1, evidence_min: 2, rework_max: 1 },
  }),
  no(ROLE, say("nobody", "planner", "Hello", { as: signerOf("ada") })),
  no(ROLE, by("eli", "planner", propose())),
  no(ROLE, by("eli", "executor", propose())),
  no(STATE, review()),
  no(ORDER, answer("q1")),
  ask,
  no(ORDER, ask),
  answer("q1"),
  no(ORDER, answer("q1")),
  decide,
  no(ORDER, decide),
  no(ROLE, except("mara")),
  no(ORDER, except("nobody")),
  no(ORDER, rotate("mara", "operator", "eli", { body: { agent: "nobody" } })),
  no(KEY, rotate("mara", "operator", "eli", { body: { old_key: signerOf("cleo").key } })),
  no(
    KEY,
    rotate("mara", "operator", "eli", {
      body: { new_key: signerOf("cleo").key, public: signerOf("cleo").public },
    }),
  ),
  no(KEY, rotate("mara", "operator", "eli", { body: { new_key: "0".repeat(32) } })),
  rotate("eli", "executor", "eli"),
  no(KEY, rotate("mara", "operator", "eli", { body: { old_key: signerOf("eli").key } })),
  no(ROLE, by("eli", "executor", revoke("cleo"))),
  no(KEY, revoke("eli", { key: signerOf("cleo").key })),
  no(ORDER, revoke("eli", { key: signerOf("eli").key, compromised_from: 99 })),
  revoke("eli", { key: signerOf("eli").key }),
  no(KEY, revoke("eli", { key: signerOf("eli").key })),
  no(KEY, revoke("sworn", { key: signerOf("sworn").key })),
  no(ORDER, propose({ revises: "p9" })),
  no(ORDER, propose({ fallback_for: "e9" })),
  propose(),
  no(ORDER, review({ proposal_id: "p9" })),
  no(UNPROVEN, review({ proposal_status: "conditional" })),
  no(UNPROVEN, review({ conditions: ["None"] })),
  review(),
  no(ORDER, review()),
  no(STATE, propose({ proposal_id: "p2" })),
  no(ROLE, intend(1, { tool_name: "rm" })),
  intend(1, { normalized_input_hash: UNRECORDED }, BARE),
  no(ORDER, intend(1, { normalized_input_hash: UNRECORDED }, BARE)),
  no(ORDER, intend(2, { retry_of: "i1", normalized_input_hash: UNRECORDED }, BARE)),
  no(UNPROVEN, start(1)),
  no(ORDER, judgeIntent("cleo", "i9", "approved")),
  judgeIntent("cleo", "i1", "blocked"),
  no(ORDER, judgeIntent("cleo", "i1", "approved")),
  no(ROLE, start(1)),
  by("eve", "executor", intend(2)),
  no(ROLE, judgeIntent("eve", "i2", "approved")),
  judgeIntent("cleo", "i2", "approved"),
  no(ORDER, judgeIntent("cleo", "i2", "approved")),
  no(ROLE, start(2)),
  by("eve", "executor", start(2)),
  no(ORDER, by("eve", "executor", start(2, { execution_id: "e9" }))),
  no(ORDER, judgeIntent("cleo", "i2", "blocked")),
  intend(3),
  no(ORDER, start(3, { execution_id: "e2" })),
  no(ORDER, complete(9)),
  no(ROLE, complete(2)),
  no(ORDER, by("eve", "executor", fail(2, "retry"))),
  no(ROLE, by("eve", "executor", fail(2, "fallback"))),
  by("eve", "executor", fail(2, "accept")),
  no(ORDER, by("eve", "executor", complete(2))),
  no(ROLE, propose({ proposal_id: "p2", fallback_for: "e2" })),
  no(ORDER, intend(4, { retry_of: "i2" })),
  no(UNPROVEN, record({}, BARE)),
  no(ORDER, record({ execution_id: "e9" }, PAIR)),
  start(3),
  no(STATE, claim(1, { evidence: [UNRECORDED] })),
  complete(3, {}, PAIR),
  no(ORDER, audit("otto", "v1")),
];

/** The same session, and everything that is refused from the claims to the end. */
const CLAIMING_AND_AUDIT = [
  ...PLANNING_AND_WORK.filter(([, , , , twist]) => !twist?.refused),
  no(UNPROVEN, claim(1, { evidence: ["one", "one"], execution_ids: ["e3"] })),
  no(ORDER, claim(1, { ...BOTH, execution_ids: ["e9"] })),
  no(ORDER, claim(1, { ...BOTH, revises: "c9" })),
  claim(1, BOTH),
  no(ORDER, claim(1, BOTH)),
  no(ROLE, by("eve", "executor", claim(2, { ...BOTH, revises: "c1" }))),
  by("eve", "executor", claim(2, BOTH)),
  no(ORDER, dispute("cleo", "x1", "c9")),
  no(ROLE, dispute("eve", "x1", "c2")),
  no(ORDER, checkFinding("cleo", "c9", "CONFIRMED")),
  no(ROLE, checkFinding("eve", "c2", "CONFIRMED")),
  checkFinding("cleo", "c1", "INACCURATE"),
  dispute("cleo", "x1", "c1"),
  no(ORDER, dispute("cleo", "x1", "c1")),
  dispute("cleo", "x2", "c2"),
  no(ORDER, resolveBy("cleo", "x9", "upheld")),
  no(ROLE, resolveBy("eve", "x2", "withdrawn")),
  no(ORDER, resolveBy("cleo", "x1", "revised")),
  no(FINAL, conclude({ consolidated_claim_ids: ["c1", "c2"] })),
  resolveBy("cleo", "x1", "withdrawn"),
  no(ORDER, resolveBy("cleo", "x1", "upheld")),
  resolveBy("cleo", "x2", "upheld"),
  no(ORDER, dispute("cleo", "x3", "c2")),
  no(FINAL, conclude({ consolidated_claim_ids: ["c1", "c2"] })),
  claim(3, { ...BOTH, evidence: ["one", UNRECORDED] }),
  no(FINAL, conclude({ consolidated_claim_ids: ["c1", "c3"] })),
  dispute("carl", "x3", "c3"),
  resolveBy("cleo", "x3", "upheld"),
  conclude(),
  no(STATE, claim(4, BOTH)),
  no(ORDER, rework(1)),
  no(ORDER, ended("otto", "v1", "fail")),
  no(ROLE, audit("carl", "v1")),
  audit("otto", "v1"),
  no(ORDER, audit("olga", "v2")),
  no(ORDER, ended("otto", "v9", "fail")),
  no(ROLE, ended("olga", "v1", "fail")),
  no(UNPROVEN, ended("otto", "v1", "fail", { body: { report: UNRECORDED } })),
  no(FINAL, ended("otto", "v1", "fail", { body: { size: 1 } })),
  ended("otto", "v1", "fail"),
  no(ORDER, audit("otto", "v2")),
  no(ORDER, rework(2)),
  rework(1),
  intend(4),
  start(4),
  complete(4),
  audit("otto", "v2"),
  no(FINAL, ended("otto", "v2", "pass")),
  ended("otto", "v2", "fail"),
  no(STATE, say("mara", "operator", "One more thing")),
];

/** A proposal that is revised while an intent waits on it. */
const REVISED = [
  open(),
  propose(),
  review({ proposal_status: "conditional", conditions: ["Old attempts are forgotten"] }),
  intend(1),
  propose({ proposal_id: "p2", revises: "p1" }),
  no(ROLE, start(1)),
  no(ORDER, propose({ proposal_id: "p3", revises: "p1" })),
  review({ proposal_id: "p2" }),
  no(ORDER, intend(2, { proposal_id: "p2", retry_of: "i1" })),
  revoke("cleo"),
  no(KEY, rotate("mara", "operator", "cleo", { body: { old_key: signerOf("eli").key } })),
];

const DETOURISTS = [
  { agent: "ada", roles: ["planner", "critic"] },
  { agent: "pia", roles: ["planner", "critic"] },
  { agent: "paul", roles: ["planner", "auditor"] },
  { agent: "eli", roles: ["executor", "critic"] },
  { agent: "eve", roles: ["executor"] },
  { agent: "olga", roles: ["executor", "auditor"] },
  { agent: "cleo", roles: ["critic"] },
  { agent: "carl", roles: ["critic", "auditor"] },
  { agent: "otto", roles: ["auditor"] },
  { agent: "mara", roles: ["operator"] },
];
const UNDER_P2 = { proposal_id: "p2" };
const SAME_WORK = { ...UNDER_P2, normalized_input_hash: "command-1" };

/** Ways around a rule: the same thing under another name, or by way of somebody else. */
const DETOURS = [
  open({
    profile: "team",
    agents: DETOURISTS,
    policy: { attempts_max: 2, tool_risk: { " Deploy": "high" } },
  }),
  propose(),
  review({ proposal_status: "rejected" }),
  by("pia", "planner", propose({ proposal_id: "p2", revises: "p1" })),
  no(ROLE, by("ada", "critic", review(UNDER_P2))),
  review(UNDER_P2),
  intend(1, UNDER_P2),
  judgeIntent("cleo", "i1", "blocked"),
  by("eve", "executor", intend(2, { ...UNDER_P2, retry_of: "i1" })),
  no(ROLE, judgeIntent("eli", "i2", "approved")),
  intend(3, SAME_WORK, BARE),
  no(ROLE, start(3)),
  judgeIntent("cleo", "i3", "approved"),
  start(3),
  fail(3, "accept"),
  intend(4, SAME_WORK, BARE),
  intend(5, SAME_WORK, BARE),
  start(4),
  no(ORDER, start(5)),
  no(ORDER, fail(4, "retry")),
  fail(4, "accept"),
  no(ORDER, start(5)),
  no(ORDER, intend(6, SAME_WORK, BARE)),
  no(ORDER, intend(6, { ...SAME_WORK, retry_of: "i4" }, BARE)),
  judgeIntent("cleo", "i5", "blocked"),
  by("eve", "executor", start(2)),
  by("eve", "executor", complete(2)),
  intend(6, { ...UNDER_P2, tool_name: "deploy" }),
  no(ROLE, start(6)),
  judgeIntent("cleo", "i6", "approved"),
  start(6),
  fail(6, "fallback"),
  propose({ proposal_id: "p3", fallback_for: "e6" }),
  no(ROLE, by("pia", "critic", review({ proposal_id: "p3" }))),
  review({ proposal_id: "p3" }),
  intend(7, { proposal_id: "p3" }),
  start(7),
  complete(7),
  claim(1, { evidence: ["output-7"], execution_ids: ["e7"] }),
  claim(2, { evidence: ["output-2"], execution_ids: ["e2"] }),
  dispute("cleo", "x1", "c1"),
  no(ROLE, resolveBy("carl", "x1", "withdrawn")),
  claim(3, { evidence: [UNRECORDED], execution_ids: ["e7"], revises: "c1" }),
  resolveBy("carl", "x1", "upheld"),
  no(UNPROVEN, claim(4, { evidence: ["output-7"], execution_ids: ["e7"] })),
  no(UNPROVEN, claim(4, { evidence: [UNRECORDED], execution_ids: ["e7"] })),
  claim(4, { evidence: ["output-7", "output-2"], execution_ids: ["e2", "e7"] }),
  by("olga", "executor", record({}, { artifacts: [{ text: "A note\n" }] })),
  no(ROLE, audit("olga", "v1")),
  no(ROLE, audit("carl", "v1")),
  by("paul", "planner", conclude({ consolidated_claim_ids: ["c2", "c4"] })),
  no(ROLE, audit("paul", "v1")),
  no(ROLE, by("eli", "executor", revoke("eli", { compromised_from: 0 }))),
  by("sworn", "runtime", revoke("eve", { compromised_from: 53 })),
  audit("otto", "v1"),
];

/** Under the strict profile: evidence that looks like that of two executions. */
const ORIGINS = [
  open({ profile: "strict" }),
  propose(),
  review(),
  intend(1),
  approve(1),
  start(1),
  complete(1),
  intend(2),
  approve(2),
  start(2, {}, { artifacts: [{ name: "plan", text: "What shall come out\n" }] }),
  complete(2),
  record({ execution_id: "e2" }, { artifacts: [{ name: "log", text: "429\n" }] }),
  claim(1, { evidence: ["output-1", "log"], execution_ids: ["e1", "e2"] }),
  no(FINAL, conclude({ consolidated_claim_ids: ["c1"] })),
  claim(2, { evidence: ["output-1", "plan"], execution_ids: ["e1", "e2"], revises: "c1" }),
  no(FINAL, conclude({ consolidated_claim_ids: ["c2"] })),
  claim(3, { evidence: ["output-1", "output-2"], execution_ids: ["e1", "e1"], revises: "c2" }),
  no(FINAL, conclude({ consolidated_claim_ids: ["c3"] })),
  claim(4, { evidence: ["output-1", "output-2"], execution_ids: ["e1", "e2"], revises: "c3" }),
  conclude({ consolidated_claim_ids: ["c4"] }),
];

/** Files that show many refusals at once: name, what it shows, steps. */
const REFUSALS = [
  ["refused-openings", "Every opening that is refused, until one is good.", OPENINGS],
  ["refused-work", "What is refused from the opening to the end of the work.", PLANNING_AND_WORK],
  [
    "refused-claims",
    "What is refused from the claims to the end of the session.",
    CLAIMING_AND_AUDIT,
  ],
  ["refused-revised", "What is refused once a proposal was revised.", REVISED],
  ["refused-detours", "What is refused under another name or by way of somebody else.", DETOURS],
  ["refused-origins", "Evidence that is not of two executions, under the strict profile.", ORIGINS],
];

const WARN = "pass-with-warnings";
const UNFINISHED = ["SESSION_NOT_COMPLETED", null];

/** name, what it shows, the warnings, how it is made. */
const VALID = [
  [
    "session-opened",
    "A trace of one entry: sound, but not completed.",
    [UNFINISHED],
    bundle([open()]),
  ],
  ["short-session", "The shortest session that is completed.", [], bundle(SHORT)],
  [
    "example-session",
    "The session of examples/session.jsonl, with a failed audit and a rework.",
    [],
    exampleSession,
  ],
  [
    "strict-session",
    "A session under the strict profile, with a condition, a retry and a withdrawn challenge.",
    [],
    bundle(STRICT),
  ],
  [
    "failed-session",
    "A fallback proposal, and an audit that fails with no rework left.",
    [UNFINISHED],
    bundle(FAILED),
  ],
  [
    "aborted-session",
    "The operator ends a session early.",
    [UNFINISHED],
    bundle([open(), ["mara", "operator", "session_aborted", { reason: "No longer needed" }]]),
  ],
  [
    "key-rotated",
    "An agent and the runtime change their keys; the last checkpoint is signed with the runtime's new key.",
    [],
    bundle([
      ...SHORT.slice(0, 4),
      rotate("eli", "executor", "eli"),
      rotate("sworn", "runtime", "sworn"),
      ...SHORT.slice(4),
    ]),
  ],
  [
    "key-revoked",
    "An agent's key is revoked by the operator, who then enrols its successor.",
    [],
    bundle([
      ...SHORT.slice(0, 3),
      revoke("eli"),
      rotate("mara", "operator", "eli"),
      ...SHORT.slice(3),
    ]),
  ],
  [
    "operator-key-revoked",
    "The operator's key is revoked by the runtime, which then enrols its successor.",
    [],
    bundle([
      ...SHORT.slice(0, 3),
      by("sworn", "runtime", revoke("mara")),
      rotate("sworn", "runtime", "mara"),
      ...SHORT.slice(3),
    ]),
  ],
  [
    "gap",
    "The runtime records that entries were lost; the session goes on.",
    [["GAP_RECORDED", 2]],
    bundle([
      ...SHORT.slice(0, 2),
      [
        "sworn",
        "runtime",
        "gap_recorded",
        { reason: "The disk was replaced", lost_size: 5, lost_checkpoint: "no copy is left" },
      ],
      ...SHORT.slice(2, 9),
      endAudit(WARN),
    ]),
  ],
  [
    "dispute-open",
    "A challenge of a claim that nobody resolved; only the strict profile fails it.",
    [["DISPUTE_OPEN", 7], UNFINISHED],
    bundle([...WORK, challenge()]),
  ],
  [
    "clock-went-back",
    "Logical time that does not rise is only a warning: seq alone orders.",
    [["CLOCK_WENT_BACK", 1], UNFINISHED],
    bundle([open(), say("mara", "operator", "Hello", { entry: { hlc: "0000000000000001" } })]),
  ],
  [
    "odd-text",
    "Text that is easily spelled in a second way, and a key of 256 characters that are 512 UTF-16 code units.",
    [UNFINISHED],
    bundle([
      open(),
      say(
        "mara",
        "operator",
        '\u0000\b\t\n\u000b\f\r\u001f "\\/ \u007f \u20ac \u2028 \ufb33 \u{1f600}',
        { idem: "\u{1f600}".repeat(256) },
      ),
    ]),
  ],
  [
    "cosigned",
    "A checkpoint with the signature line of a witness that nobody here knows.",
    [],
    changed(SHORT, ({ checkpoint }) => ({
      checkpoint: `${checkpoint}\u2014 witness.example ${Buffer.alloc(76, 7).toString("base64")}\n`,
    })),
  ],
];

/** name, what it shows, code and place of the first failure, last trusted entry, how it is made. */
const INVALID = [
  // Changes by somebody who has no key.
  [
    "payload-edited",
    "One word of a claim was changed.",
    ["SIG_INVALID", 6, 5],
    changed(SHORT, ({ lines }) => ({
      lines: lines.with(6, Buffer.from(replaced(lines[6].toString(), "sixth", "ninth"))),
    })),
  ],
  [
    "entry-deleted",
    "An entry in the middle was taken out.",
    ["CHAIN_BREAK", 4, 3],
    changed(SHORT, ({ lines }) => ({ lines: lines.toSpliced(4, 1) })),
  ],
  [
    "entries-swapped",
    "Two entries changed places.",
    ["CHAIN_BREAK", 4, 3],
    changed(SHORT, ({ lines }) => ({ lines: lines.toSpliced(4, 2, lines[5], lines[4]) })),
  ],
  [
    "entry-repeated",
    "An entry stands there twice.",
    ["CHAIN_BREAK", 6, 5],
    changed(SHORT, ({ lines }) => ({ lines: lines.toSpliced(6, 0, lines[5]) })),
  ],
  [
    "entry-replayed",
    "An entry of another trace of the same agents stands in the place of the real one.",
    ["CHAIN_BREAK", 6, 5],
    changed(SHORT, async ({ lines }) => ({
      lines: lines.with(6, (await told(SHORT, OTHER_TRACE)).lines[6]),
    })),
  ],
  [
    "tail-cut",
    "The audit was cut off; chain and signatures of what is left are sound.",
    ["TAIL_MISSING", 8, 7],
    changed(SHORT, async ({ lines }) => ({
      lines: lines.slice(0, 8),
      artifacts: (await told(SHORT.slice(0, 8))).artifacts,
    })),
  ],
  [
    "entry-inserted",
    "A holder of the executor's key put in an entry that fits what comes before it.",
    ["CHAIN_BREAK", 7, 6],
    changed(SHORT, async ({ lines }) => {
      const forged = await told([...SHORT.slice(0, 6), say("eli", "executor", "All is well")]);
      return { lines: lines.toSpliced(6, 0, forged.lines[6]) };
    }),
  ],
  [
    "tail-added",
    "A holder of the executor's key added an entry, without the runtime's signature.",
    ["TAIL_UNSIGNED", 7, 6],
    changed(WORK, async ({ lines }) => {
      const forged = await told([...WORK, say("eli", "executor", "All is well")]);
      return { lines: [...lines, forged.lines[7]] };
    }),
  ],

  // Properly signed and under a fresh checkpoint, but by the wrong hand.
  [
    "approval-forged",
    "The executor signs an approval as critic, a role it does not have.",
    ["ROLE_POLICY_VIOLATION", 2, 1],
    bundle([open(), propose(), ["eli", ...review().slice(1), { refused: true }]]),
  ],
  [
    "approval-in-anothers-name",
    "The executor signs an approval in the critic's name, with its own key.",
    ["KEY_NOT_ACTIVE", 2, 1],
    bundle([open(), propose(), [...review(), { as: signerOf("eli"), refused: true }]]),
  ],
  [
    "own-proposal-approved",
    "An agent that is planner and critic approves its own proposal.",
    ["ROLE_POLICY_VIOLATION", 2, 1],
    bundle([
      open({ agents: OPENING.agents.with(0, { agent: "ada", roles: ["planner", "critic"] }) }),
      propose(),
      ["ada", ...review().slice(1), { refused: true }],
    ]),
  ],
  [
    "revoked-key-backdated",
    "An entry signed with a revoked key, dated before the revocation.",
    ["KEY_NOT_ACTIVE", 4, 3],
    bundle([
      open(),
      propose(),
      review(),
      revoke("eli"),
      say("eli", "executor", "I said this earlier", {
        refused: true,
        entry: { at: "2026-01-01T00:00:01.500Z" },
      }),
    ]),
  ],
  [
    "rotated-key-used",
    "An entry signed with a key that the agent has given up.",
    ["KEY_NOT_ACTIVE", 2, 1],
    bundle([
      open(),
      rotate("eli", "executor", "eli"),
      say("eli", "executor", "Still me", { as: signerOf("eli"), refused: true }),
    ]),
  ],
  [
    "key-compromised",
    "A revocation says from which entry on the key was in other hands; an entry after that was signed with it.",
    ["KEY_COMPROMISED", 1, 0],
    bundle([open(), say("eli", "executor", "Hello"), revoke("eli", { compromised_from: 1 })]),
    [["KEY_COMPROMISED", 1]],
  ],
  [
    "key-compromised-later",
    "A key is compromised from its second entry on; the first one is still believed.",
    ["KEY_COMPROMISED", 2, 1],
    bundle([
      open(),
      say("eli", "executor", "Hello"),
      say("eli", "executor", "Hello"),
      say("eli", "executor", "Hello"),
      revoke("eli", { compromised_from: 2 }),
    ]),
    [["KEY_COMPROMISED", 2]],
  ],
  [
    "key-rotated-by-stranger",
    "The executor hands the runtime's key over to one of its own.",
    ["ROLE_POLICY_VIOLATION", 1, 0],
    bundle([open(), rotate("eli", "executor", "sworn", { refused: true })]),
    [["ROLE_POLICY_VIOLATION", 1]],
  ],
  [
    "key-unknown",
    "An entry signed with a key that nobody enrolled.",
    ["KEY_UNKNOWN", 1, 0],
    oddLine({ as: signerOf("stranger"), refused: true }),
  ],
  [
    "small-order-key",
    "The first entry enrols a key of small order, for which anyone can sign.",
    ["KEY_NOT_ACTIVE", 0, -1],
    bundle([[...open(), enrolling(SMALL_ORDER_KEY)]]),
  ],
  [
    "second-spelling-key",
    "The first entry enrols a key whose y coordinate is not reduced.",
    ["KEY_NOT_ACTIVE", 0, -1],
    bundle([[...open(), enrolling(SECOND_SPELLING_KEY)]]),
  ],
  [
    "key-id-of-another",
    "The first entry enrols a key under an id that does not belong to it.",
    ["KEY_NOT_ACTIVE", 0, -1],
    bundle([[...open(), enrolling(signerOf("otto").public, "0".repeat(32))]]),
  ],
  [
    "key-spare-bits",
    "The first entry enrols a key in a second base64 spelling.",
    ["KEY_NOT_ACTIVE", 0, -1],
    bundle([[...open(), enrolling(withSpareBits(signerOf("otto").public))]]),
  ],
  [
    "small-order-key-rotated-in",
    "A rotation brings in the neutral point as key.",
    ["KEY_NOT_ACTIVE", 1, 0],
    bundle([
      open(),
      rotate("eli", "executor", "eli", {
        refused: true,
        body: { public: IDENTITY_KEY, new_key: keyIdOf(IDENTITY_KEY) },
      }),
    ]),
  ],

  // Lines that are not the one spelling of a sound entry; each is signed as it stands.
  [
    "signature-missing",
    "An entry without signature.",
    ["SIG_MISSING", 1, 0],
    oddLine({ resign: () => undefined }),
  ],
  [
    "signature-of-another",
    "An entry that names one key and is signed with another enrolled one.",
    ["SIG_INVALID", 1, 0],
    oddLine({ resign: (_, bytes) => signerOf("eli").sign(bytes).toString("base64") }),
  ],
  [
    "signature-spare-bits",
    "The right signature in a second base64 spelling: its unused last bits are set.",
    ["SIG_INVALID", 1, 0],
    oddLine({ resign: (signature) => withSpareBits(signature) }),
  ],
  [
    "spelling-space",
    "A space between two members.",
    ["HASH_MISMATCH", 1, 0],
    oddLine(respelled(',"at":', ', "at":')),
  ],
  [
    "spelling-escape",
    "A letter written as an escape.",
    ["HASH_MISMATCH", 1, 0],
    oddLine(respelled("Hello", "\\u0048ello")),
  ],
  [
    "spelling-key-order",
    "Two members in the wrong order.",
    ["HASH_MISMATCH", 1, 0],
    oddLine({ respell: swapActor }),
  ],
  [
    "spelling-key-twice",
    "A member given twice.",
    ["HASH_MISMATCH", 1, 0],
    oddLine(respelled('"text":', '"text":"Goodbye","text":')),
  ],
  [
    "spelling-number",
    "A whole number with a decimal point.",
    ["HASH_MISMATCH", 1, 0],
    oddLine(respelled('"seq":1', '"seq":1.0')),
  ],
  [
    "lone-surrogate",
    "Half a character, as an escape.",
    ["HASH_MISMATCH", 1, 0],
    oddLine(respelled("Hello", "\\ud83d")),
  ],
  [
    "nested-too-deep",
    "A value nested deeper than 64 levels.",
    ["HASH_MISMATCH", 1, 0],
    oddLine(respelled('"Hello"', `${"[".repeat(80)}${"]".repeat(80)}`)),
  ],
  [
    "not-utf8",
    "A byte that is not UTF-8.",
    ["SCHEMA_INVALID", 1, 0],
    oddLine(respelled("Hello", "H\xffllo")),
  ],
  [
    "not-json",
    "A line that is not JSON.",
    ["SCHEMA_INVALID", 1, 0],
    oddLine(respelled('"text":', '"text"')),
  ],
  [
    "number-with-fraction",
    "A confidence between two points.",
    ["SCHEMA_INVALID", 6, 5],
    bundle([...WORK.slice(0, 6), claim(1, {}, { body: { confidence: 90.5 } })]),
  ],
  [
    "key-not-text",
    "An actor whose key is an object with a toString of its own.",
    ["SCHEMA_INVALID", 1, 0],
    oddLine({ respell: (text) => text.replace(/"key":"[0-9a-f]+"/, '"key":{"toString":1}') }),
  ],
  [
    "key-named-proto",
    "A body with the key __proto__, which readers treat in ways of their own.",
    ["SCHEMA_INVALID", 1, 0],
    oddLine({ respell: (text) => text.replace('"body":{', '"body":{"__proto__":"x",') }),
  ],
  [
    "unknown-field",
    "A body with a field that its type does not have.",
    ["SCHEMA_INVALID", 1, 0],
    oddLine({ body: { mood: "good" } }),
  ],
  [
    "unknown-type",
    "An event type that version 1 does not have.",
    ["SCHEMA_INVALID", 1, 0],
    oddLine({ entry: { type: "message_whispered" } }),
  ],
  [
    "unknown-version",
    "An entry of version 2.",
    ["SCHEMA_INVALID", 1, 0],
    oddLine({ entry: { v: 2 } }),
  ],
  [
    "empty-text",
    "A text without characters.",
    ["SCHEMA_INVALID", 1, 0],
    oddLine({ body: { text: "" } }),
  ],
  [
    "text-too-long",
    "An idempotency key of 257 characters.",
    ["SCHEMA_INVALID", 1, 0],
    oddLine({ idem: "\u{1f600}".repeat(257) }),
  ],
  [
    "wrong-prev",
    "An entry that follows something else.",
    ["CHAIN_BREAK", 1, 0],
    oddLine({ entry: { prev: UNRECORDED } }),
  ],
  [
    "wrong-seq",
    "An entry that skips a number.",
    ["CHAIN_BREAK", 1, 0],
    oddLine({ entry: { seq: 2 } }),
  ],
  [
    "wrong-trace",
    "An entry that names another trace.",
    ["CHAIN_BREAK", 1, 0],
    oddLine({ entry: { trace: OTHER_TRACE } }),
  ],

  // Artifacts.
  [
    "artifact-missing",
    "The output that a claim rests on is not in the bundle.",
    ["ARTIFACT_MISSING", 5, 4],
    changed(SHORT, ({ artifacts }, story) => {
      artifacts.delete(story.session.artifactNames.get("output-1"));
      return { artifacts };
    }),
    [
      ["ARTIFACT_MISSING", 5],
      [UNPROVEN, 6],
    ],
  ],
  [
    "artifact-altered",
    "One byte of the output that a claim rests on was changed.",
    ["ARTIFACT_HASH_MISMATCH", 5, 4],
    changed(SHORT, ({ artifacts }, story) => {
      const hash = story.session.artifactNames.get("output-1");
      const bytes = replaced(artifacts.get(hash).toString(), "7 passed", "8 passed");
      return { artifacts: artifacts.set(hash, Buffer.from(bytes)) };
    }),
    [
      ["ARTIFACT_HASH_MISMATCH", 5],
      [UNPROVEN, 6],
    ],
  ],
  [
    "artifact-size-wrong",
    "An entry gives another size than the artifact has.",
    ["ARTIFACT_HASH_MISMATCH", 5, 4],
    bundle([
      ...WORK.slice(0, 5),
      complete(1, {}, { artifacts: [{ text: "7 passed\n", bytes: 8 }] }),
    ]),
  ],
  [
    "artifact-size-changes",
    "A later entry gives another size than the first one that lists the artifact.",
    ["ARTIFACT_HASH_MISMATCH", 6, 5],
    bundle([
      ...WORK.slice(0, 6),
      say("mara", "operator", "See", {
        artifacts: [{ text: "1: 7 tests, 7 passed\n", bytes: 8 }],
      }),
    ]),
  ],
  [
    "artifact-uncited",
    "The bundle carries bytes that no entry cites.",
    ["ARTIFACT_UNCITED", null, 9],
    changed(SHORT, ({ artifacts }) => {
      const bytes = Buffer.from("smuggled\n");
      return { artifacts: artifacts.set(sha256Hex(bytes), bytes) };
    }),
  ],

  // Rules that were not kept; everything is signed by its rightful agent and by the runtime.
  [
    "claim-without-evidence",
    "A claim cites an artifact that was never recorded.",
    ["CLAIM_UNPROVEN", 6, 5],
    bundle([...WORK.slice(0, 6), claim(1, { evidence: [UNRECORDED] })]),
  ],
  [
    "evidence-of-one-origin",
    "Under the strict profile, a claim whose two pieces of evidence come from one execution.",
    ["CLAIM_UNPROVEN", 7, 6],
    bundle([
      open({ profile: "strict" }),
      ...WORK.slice(1, 4),
      approve(1),
      start(1),
      complete(
        1,
        {},
        {
          artifacts: [
            { name: "output-1", text: "passed\n" },
            { name: "log", text: "429\n" },
          ],
        },
      ),
      claim(1, { evidence: ["output-1", "log"] }),
    ]),
  ],
  [
    "evidence-late",
    "A claim cites an artifact that is recorded only after it.",
    ["EVIDENCE_LATE", 6, 5],
    bundle([
      ...WORK.slice(0, 6),
      claim(1, { evidence: ["output-1", sha256Hex(LATE)] }),
      [
        "eli",
        "executor",
        "artifact_recorded",
        { description: "The coverage" },
        { artifacts: [{ text: LATE }] },
      ],
    ]),
  ],
  [
    "output-missing",
    "An execution is completed without storing what came out.",
    ["CLAIM_UNPROVEN", 5, 4],
    bundle([...WORK.slice(0, 5), complete(1, {}, { artifacts: [], refused: true })]),
  ],
  [
    "final-with-open-challenge",
    "A final statement although a challenge is open.",
    ["FINALIZATION_VIOLATION", 8, 7],
    bundle([...WORK, challenge(), conclude({}, { refused: true })]),
  ],
  [
    "final-on-made-up-finding",
    "A final statement on a claim that holds a finding which is not in the source.",
    ["FINALIZATION_VIOLATION", 9, 8],
    bundle([
      ...WORK,
      checkFinding("cleo", "c1", "HALLUCINATED"),
      checkFinding("cleo", "c1", "CONFIRMED"),
      conclude({}, { refused: true }),
    ]),
  ],
  [
    "final-leaves-claim-out",
    "A final statement that does not mention a standing claim.",
    ["FINALIZATION_VIOLATION", 8, 7],
    bundle([...WORK, claim(2), conclude({}, { refused: true })]),
  ],
  [
    "final-condition-unmet",
    "A final statement although no claim meets the condition of the approval.",
    ["FINALIZATION_VIOLATION", 7, 6],
    bundle([
      open(),
      propose(),
      review({ proposal_status: "conditional", conditions: ["Old attempts are forgotten"] }),
      ...WORK.slice(3),
      conclude({}, { refused: true }),
    ]),
  ],
  [
    "execution-without-intent",
    "An execution that nobody announced.",
    ["ORDER_VIOLATION", 3, 2],
    bundle([open(), propose(), review(), start(1, {}, { refused: true })]),
  ],
  [
    "execution-unapproved",
    "An execution of high risk without the critic's approval.",
    ["ROLE_POLICY_VIOLATION", 4, 3],
    bundle([
      open(),
      propose(),
      review(),
      intend(1, { tool_name: "deploy", risk_class: "high" }),
      start(1, {}, { refused: true }),
    ]),
  ],
  [
    "tool-riskier-than-said",
    "An execution whose tool has a higher risk by policy than its intent says, without approval.",
    ["ROLE_POLICY_VIOLATION", 4, 3],
    bundle([
      open({ policy: { tool_risk: { deploy: "high" } } }),
      propose(),
      review(),
      intend(1, { tool_name: "deploy" }),
      start(1, {}, { refused: true }),
    ]),
  ],
  [
    "tool-name-not-ascii",
    "An intent whose tool has a letter that only looks like the one it stands for.",
    ["SCHEMA_INVALID", 3, 2],
    bundle([
      open({ policy: { tool_risk: { deploy: "high" } } }),
      propose(),
      review(),
      intend(1, {}, { refused: true, body: { tool_name: "depl\u043ey" } }),
    ]),
  ],
  [
    "intent-without-approval",
    "An intent that rests on a rejected proposal.",
    ["ROLE_POLICY_VIOLATION", 5, 4],
    bundle([
      open(),
      propose(),
      propose({ proposal_id: "p2" }),
      review({ proposal_id: "p2", proposal_status: "rejected" }),
      review(),
      intend(1, { proposal_id: "p2" }, { refused: true }),
    ]),
  ],
  [
    "claim-before-end",
    "A claim about an execution that is still running.",
    ["STATE_VIOLATION", 5, 4],
    bundle([...WORK.slice(0, 5), claim(1, { evidence: ["command-1"] }, { refused: true })]),
  ],
  [
    "attempts-used-up",
    "A fourth attempt where three are allowed.",
    ["ORDER_VIOLATION", 12, 11],
    bundle([
      open(),
      propose(),
      review(),
      ...[1, 2, 3].flatMap((id) => [
        intend(id, id === 1 ? {} : { retry_of: `i${id - 1}` }),
        start(id),
        fail(id, id === 3 ? "accept" : "retry"),
      ]),
      intend(4, { retry_of: "i3" }, { refused: true }),
    ]),
  ],
  [
    "name-used-twice",
    "A second proposal under the name of the first.",
    ["ORDER_VIOLATION", 2, 1],
    bundle([open(), propose(), [...propose(), { refused: true }]]),
  ],
  [
    "idem-used-twice",
    "Two entries with one idempotency key.",
    ["ORDER_VIOLATION", 2, 1],
    bundle([
      open(),
      say("mara", "operator", "Hello", { idem: "m1" }),
      say("mara", "operator", "Hello", { idem: "m1", refused: true }),
    ]),
  ],
  [
    "links-wrong",
    "A review that is linked to another entry than the proposal it is about.",
    ["ORDER_VIOLATION", 2, 1],
    bundle([
      open(),
      propose(),
      [...review(), { entry: { parents: [{ seq: 0, kind: "reviews" }] } }],
    ]),
  ],
  [
    "audit-by-author",
    "The agent that did the work audits it.",
    ["ROLE_POLICY_VIOLATION", 8, 7],
    bundle([
      open({ agents: OPENING.agents.with(1, { agent: "eli", roles: ["executor", "auditor"] }) }),
      ...SHORT.slice(1, 8),
      beginAudit({ refused: true }, "eli"),
    ]),
  ],
  [
    "question-while-auditing",
    "A question after the final statement.",
    ["STATE_VIOLATION", 8, 7],
    bundle([
      ...SHORT.slice(0, 8),
      [
        "ada",
        "planner",
        "question_asked",
        { question_id: "q1", text: "Was that all?", default: "Yes" },
        { refused: true },
      ],
    ]),
  ],
  [
    "audit-of-another-head",
    "An audit that reports on another head than the one before it.",
    ["FINALIZATION_VIOLATION", 9, 8],
    bundle([...SHORT.slice(0, 9), endAudit("pass", { body: { head: UNRECORDED } })]),
  ],
  [
    "audit-better-than-report",
    "An audit says pass where its stored report says pass-with-warnings.",
    ["FINALIZATION_VIOLATION", 10, 9],
    bundle([
      open(),
      say("mara", "operator", "Hello", { entry: { hlc: "0000000000000001" } }),
      ...SHORT.slice(1, 9),
      endAudit("pass"),
    ]),
  ],
  [
    "audit-report-unreadable",
    "An audit whose stored report is not JSON.",
    ["FINALIZATION_VIOLATION", 9, 8],
    bundle([...SHORT.slice(0, 9), endAudit("pass", { report: () => "all is well\n" })]),
  ],
  [
    "audit-report-of-another-form",
    "An audit whose stored report has a member that reports do not have.",
    ["FINALIZATION_VIOLATION", 9, 8],
    bundle([...SHORT.slice(0, 9), endAudit("pass", { report: () => '{"status":"pass"}\n' })]),
  ],
  [
    "entry-after-end",
    "A message after the session was completed.",
    ["STATE_VIOLATION", 10, 9],
    bundle([...SHORT, say("mara", "operator", "One more thing", { refused: true })]),
  ],

  // Checkpoints.
  [
    "checkpoint-other-key",
    "A checkpoint signed with a key that is not the runtime's.",
    ["CHECKPOINT_INVALID", null, 9],
    changed(SHORT, (_, story) => ({ checkpoint: story.checkpoint({ signer: signerOf("eli") }) })),
  ],
  [
    "checkpoint-larger",
    "A checkpoint over more entries than there are.",
    ["TAIL_MISSING", 10, 9],
    changed(SHORT, (_, story) => ({ checkpoint: story.checkpoint({ size: 11 }) })),
  ],
  [
    "checkpoint-smaller",
    "A checkpoint over fewer entries than there are.",
    ["TAIL_UNSIGNED", 9, 8],
    changed(SHORT, (_, story) => ({ checkpoint: story.checkpoint({ size: 9 }) })),
  ],
  [
    "checkpoint-other-root",
    "A checkpoint of the right size over other entries.",
    ["CHECKPOINT_INVALID", null, 9],
    changed(SHORT, (_, story) => ({ checkpoint: story.checkpoint({ root: UNRECORDED }) })),
  ],
  [
    "checkpoint-other-trace",
    "A checkpoint whose origin is another trace.",
    ["CHECKPOINT_INVALID", null, 9],
    changed(SHORT, (_, story) => ({ checkpoint: story.checkpoint({ trace: OTHER_TRACE }) })),
  ],
  [
    "checkpoint-edited",
    "A checkpoint whose text was changed under its signature.",
    ["CHECKPOINT_INVALID", null, 9],
    changed(SHORT, ({ checkpoint }) => ({ checkpoint: replaced(checkpoint, "\n10\n", "\n11\n") })),
  ],

  [
    "checkpoint-other-spelling",
    "A checkpoint that writes its size with a leading zero.",
    ["CHECKPOINT_INVALID", null, 9],
    changed(SHORT, ({ checkpoint }, story) => ({
      checkpoint: signNote(
        replaced(checkpoint.split("\n\n")[0], "\n10\n", "\n010\n").concat("\n"),
        "sworn",
        story.signers.get("sworn"),
      ),
    })),
  ],
  [
    "checkpoint-unsigned",
    "A checkpoint without signatures.",
    ["CHECKPOINT_INVALID", null, 9],
    changed(SHORT, ({ checkpoint }) => ({ checkpoint: `${checkpoint.split("\n\n")[0]}\n` })),
  ],
  [
    "checkpoint-odd-line",
    "A checkpoint with a line among its signatures that is none.",
    ["CHECKPOINT_INVALID", null, 9],
    changed(SHORT, ({ checkpoint }) => ({ checkpoint: `${checkpoint}signed, sworn\n` })),
  ],
  [
    "checkpoint-second-signature-wrong",
    "A checkpoint with a good and a wrong signature of the runtime's key.",
    ["CHECKPOINT_INVALID", null, 9],
    changed(SHORT, ({ checkpoint }, story) => {
      const other = story.checkpoint({ size: 9 }).split("\n\n")[1];
      return { checkpoint: checkpoint + other };
    }),
  ],

  // Packaging.
  [
    "keys-altered",
    "The list of keys says that a key is rotated, the entries do not.",
    ["BUNDLE_MALFORMED", null, 9],
    changed(SHORT, ({ keys }) => ({ keys: replaced(keys, "active", "rotated") })),
  ],
  [
    "header-altered",
    "A tar header with another mode.",
    ["BUNDLE_MALFORMED", null, -1],
    bent((tar) => withHeader(tar, 100, "0000755\0")),
  ],
  [
    "header-link",
    "A tar header that says the member is a link.",
    ["BUNDLE_MALFORMED", null, -1],
    bent((tar) => withHeader(tar, 156, "2")),
  ],
  [
    "trailing-bytes",
    "Another block behind the end of the archive.",
    ["BUNDLE_MALFORMED", null, -1],
    bent((tar) => Buffer.concat([tar, Buffer.alloc(512)])),
  ],
  [
    "cut-off",
    "The file ends before its last block.",
    ["BUNDLE_MALFORMED", null, -1],
    bent((tar) => tar.subarray(0, -512)),
  ],
  [
    "padding-used",
    "A byte in the space behind a member.",
    ["BUNDLE_MALFORMED", null, -1],
    bent((tar, { checkpoint }) => {
      tar[512 + Buffer.byteLength(checkpoint)] = 1;
      return tar;
    }),
  ],
  [
    "members-swapped",
    "The list of keys stands before the checkpoint.",
    ["BUNDLE_MALFORMED", null, -1],
    bent((_, { checkpoint, keys, lines }) =>
      packMembers([
        ["keys.json", Buffer.from(keys)],
        ["checkpoint", Buffer.from(checkpoint)],
        ["entries.jsonl", Buffer.concat(lines.flatMap((line) => [line, NEWLINE]))],
      ]),
    ),
  ],
  [
    "member-missing",
    "A bundle without entries.",
    ["BUNDLE_MALFORMED", null, -1],
    bent((_, { checkpoint, keys }) =>
      packMembers([
        ["checkpoint", Buffer.from(checkpoint)],
        ["keys.json", Buffer.from(keys)],
      ]),
    ),
  ],
  [
    "artifacts-unsorted",
    "Two artifacts in falling order of their hashes.",
    ["BUNDLE_MALFORMED", null, -1],
    bent((_, { checkpoint, keys, lines, artifacts }) =>
      packMembers([
        ["checkpoint", Buffer.from(checkpoint)],
        ["keys.json", Buffer.from(keys)],
        ["entries.jsonl", Buffer.concat(lines.flatMap((line) => [line, NEWLINE]))],
        ...[...artifacts]
          .sort(([a], [b]) => (a < b ? 1 : -1))
          .map(([hash, bytes]) => [`artifacts/${hash}`, bytes]),
      ]),
    ),
  ],
  [
    "keys-not-utf8",
    "A list of keys with a byte that is not UTF-8.",
    ["BUNDLE_MALFORMED", null, -1],
    changed(SHORT, ({ keys }) => ({
      keys: Buffer.from(keys.replace("ada", "\xff\xff\xff"), "latin1"),
    })),
  ],
  [
    "nothing-readable",
    "Entries of which none can be read.",
    ["SCHEMA_INVALID", 0, -1],
    changed(SHORT, () => ({ lines: [Buffer.from("nothing")], artifacts: new Map() })),
    [
      ["SCHEMA_INVALID", 0],
      ["CHECKPOINT_INVALID", null],
    ],
  ],
  [
    "no-last-newline",
    "The last entry does not end with a newline.",
    ["BUNDLE_MALFORMED", null, -1],
    bent((_, { checkpoint, keys, lines }) =>
      packMembers([
        ["checkpoint", Buffer.from(checkpoint)],
        ["keys.json", Buffer.from(keys)],
        ["entries.jsonl", Buffer.concat(lines.flatMap((line) => [line, NEWLINE])).subarray(0, -1)],
      ]),
    ),
  ],
];

function swapActor(text) {
  const actor = /"actor":\{("agent":"[a-z]+"),("key":"[0-9a-f]+"),/;
  if (!actor.test(text)) throw new Error("nothing to swap");
  return text.replace(actor, '"actor":{$2,$1,');
}

const EVERY_VALID = [
  ...VALID,
  [
    "everybody-speaks",
    "Every role says all it may, in every state.",
    [["GAP_RECORDED", EVERYBODY.length - 1]],
    bundle(EVERYBODY),
  ],
  ["agreed", "Reviewers vote, vote again, and agree.", [], bundle(AGREED)],
  ...[...ENDS, ...ALLOWED].map(([name, shows, steps]) => [
    name,
    shows,
    [UNFINISHED],
    bundle(steps),
  ]),
  ...VALID_ODDITIES,
  ...VALID_LIMITS,
];
const EVERY_INVALID = [...INVALID, ...INVALID_ODDITIES, ...INVALID_LIMITS];

const EVERY_REFUSAL = [
  ...REFUSALS,
  ...REFUSED_BY_RULES,
  ...REFUSED_TALK,
  ...REFUSED_VOTES,
  ...REFUSED_BY_TABLE,
];

const findings = (pairs) => pairs.map(([code, seq]) => ({ code, seq }));

async function main(folder) {
  const vectors = [];
  /** A large file is stored without its long runs of one byte. */
  const write = async (path, make) => {
    const whole = await make();
    const { stored, runs } = withoutRuns(whole);
    const isLarge = whole.length > STORED_BYTES_MAX;
    const file = isLarge ? `${path}.tar.part` : `${path}.tar`;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), isLarge ? stored : whole);
    return isLarge ? { file, runs } : { file };
  };
  for (const kind of ["valid", "invalid"]) {
    rmSync(join(folder, kind), { recursive: true, force: true });
  }
  for (const [name, shows, warned, make] of EVERY_VALID) {
    const status = warned.length === 0 ? "pass" : WARN;
    const written = await write(`valid/${name}`, make);
    vectors.push({ ...written, shows, status, warnings: findings(warned) });
  }
  for (const [name, shows, [code, seq, lastTrustedSeq], make, failed, warned] of EVERY_INVALID) {
    const written = await write(`invalid/${name}`, make);
    const all = {
      ...(failed && { failures: findings(failed) }),
      ...(warned && { warnings: findings(warned) }),
    };
    vectors.push({ ...written, shows, status: "fail", code, seq, lastTrustedSeq, ...all });
  }
  for (const [name, shows, steps] of EVERY_REFUSAL) {
    const failures = refusalsOf(steps);
    const [{ code, seq }] = failures;
    const written = await write(`invalid/${name}`, bundle(steps));
    const first = { code, seq, lastTrustedSeq: seq - 1 };
    vectors.push({ ...written, shows, status: "fail", ...first, failures });
  }
  writeFileSync(
    join(folder, "index.json"),
    `${JSON.stringify({ v: 1, profile: "default", vectors }, null, 2)}\n`,
  );
  console.log(`${vectors.length} vectors`);
}

await main(resolve(process.argv[2] ?? join(HERE, "ledger")));
