/**
 * Vectors for the table of the protocol: every type by every role and in every state that may not
 * have it, and every type by every role and in every state that may. The table is read from the
 * page that is normative, not from the code.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../../dist/base/index.js";
import { by, no, ROLE, refusalsOf, STATE, UNRECORDED } from "./ledger-making.mjs";
import {
  beginAudit,
  claim,
  complete,
  conclude,
  endAudit,
  intend,
  OPENING,
  open,
  propose,
  review,
  rotate,
  say,
  signerOf,
  start,
} from "./ledger-story.mjs";

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/formats/events.md"), "utf8");
const ROLES = ["planner", "executor", "critic", "auditor", "operator", "runtime"];
const OPEN = ["planning", "reviewing", "executing", "claiming", "auditing"];

/** The rows of the page's first table: type, roles, states. */
const TABLE = [...PAGE.matchAll(/^\| `([a-z_]+)` \| ([a-z, ]+) \| ([a-z, ]+) \|/gm)].map(
  ([, type, roles, states]) => ({
    type,
    roles: roles === "all" ? ROLES : roles.split(", "),
    states: states.split(", ").flatMap((state) => (state === "open" ? OPEN : [state])),
  }),
);

/** One agent for all roles but the runtime's, so that nothing but the role can be wrong. */
const JACK = [{ agent: "jack", roles: ROLES.slice(0, 5) }];
const enrolled = [...JACK, { agent: "sworn", roles: ["runtime"] }].map((one) => ({
  ...one,
  key: signerOf(one.agent).key,
  public: signerOf(one.agent).public,
}));
const withoutCritic = enrolled.map((one) => ({
  ...one,
  roles: one.roles.filter((role) => role !== "critic"),
}));
const agentOf = (role) => (role === "runtime" ? "sworn" : "jack");
const opened = (body) => by("jack", "planner", open({ agents: JACK, ...body }));

const REPORT = "No report is looked at in an entry that is refused\n";
const NEW_KEY = signerOf("jack 1");
const NIA = signerOf("nia");
const POLICY = {
  approval_from: "high",
  evidence_min: 1,
  attempts_max: 3,
  rework_max: 2,
  fallback: true,
};
/** A finished body for each type. It need not fit the session: role and state are asked first. */
const BODIES = {
  session_initialized: { ...OPENING, profile: "solo", policy: POLICY, agents: enrolled },
  proposal_created: propose({ proposal_id: "other" })[3],
  proposal_reviewed: review({ proposal_id: "other" })[3],
  tool_intent_signed: { ...intend(8)[3], normalized_input_hash: UNRECORDED },
  intent_reviewed: { intent_id: "i8", intent_status: "approved", rationale: "Harmless" },
  tool_execution_started: start(8)[3],
  tool_execution_completed: complete(8)[3],
  tool_execution_failed: { execution_id: "e8", failure: "No port", handling: "accept" },
  artifact_recorded: { description: "A file" },
  claim_issued: { ...claim(8)[3], evidence: [UNRECORDED] },
  claim_challenged: { challenge_id: "x8", claim_id: "c8", reason: "Really?" },
  challenge_resolved: { challenge_id: "x8", resolution: "upheld", rationale: "Yes" },
  finding_checked: {
    claim_id: "c8",
    finding_id: "F-1",
    verdict: "UNVERIFIED",
    identity: UNRECORDED,
    place: "a.js:1",
    reason: "Nobody looked",
  },
  final_statement_signed: conclude()[3],
  verification_run_started: beginAudit()[3],
  verification_run_completed: {
    ...endAudit()[3],
    report: sha256Hex(REPORT),
    size: 1,
    head: UNRECORDED,
  },
  rework_opened: { round: 1, reasons: ["It failed"] },
  completion_proposed: {
    completion_id: "k8",
    artifact: "git:1",
    subject: UNRECORDED,
    digest: UNRECORDED,
    authors: [{ agent: "jack" }],
    undone: [],
  },
  vote_cast: {
    completion_id: "k8",
    digest: UNRECORDED,
    vote: "green",
    focus: ["all"],
    rationale: "Good",
    anchors: [{ place: "a.js:1" }],
  },
  review_moved: { completion_id: "k8", digest: UNRECORDED, to: "consensus", reason: "All agree" },
  session_failed: { reason: "None" },
  session_aborted: { reason: "None" },
  agent_enrolled: { agent: "nia", roles: ["executor"], key: NIA.key, public: NIA.public },
  run_started: { run_id: "r8", agent: "jack", depth: 0 },
  run_completed: { run_id: "r8", status: "completed", exit_code: 0 },
  beat_opened: {
    beat_index: 8,
    phase: "work",
    cluster_id: "local",
    window_id: "0".repeat(32),
    downbeat: true,
    beat_ms: 900_000,
    deadline_at: "2026-01-01T00:00:00.000Z",
  },
  status_claimed: { agent_id: "jack", beat_index: 8, state: "idle" },
  lease_taken: { number: 1, holder: "r8", until_beat: 8 },
  lease_ended: { number: 1 },
  message_posted: { text: "Hello" },
  question_asked: { question_id: "q8", text: "Why?", default: "So" },
  question_answered: { question_id: "q8", answer: "So" },
  fact_recorded: { fact_id: "f8", scope: "task", title: "A port", text: "It is 8080" },
  decision_recorded: { decision_id: "d8", context: "Where", options: ["here"], choice: "here" },
  exception_recorded: {
    exception_id: "n8",
    rule: "None",
    reason: "None",
    requester: "sworn",
    owner: "jack",
    expires_at: "2028-02-29T23:59:59.999Z",
    rollback: "None",
  },
  key_rotated: {
    agent: "jack",
    old_key: signerOf("jack").key,
    new_key: NEW_KEY.key,
    public: NEW_KEY.public,
  },
  key_revoked: { agent: "jack", key: signerOf("jack").key, reason: "Lost" },
  gap_recorded: { reason: "Lost", lost_size: 5, lost_checkpoint: "no copy is left" },
};

const step = (type, role) => [
  agentOf(role),
  role,
  type,
  BODIES[type],
  {
    finished: true,
    ...(type === "verification_run_completed" ? { artifacts: [{ text: REPORT }] } : {}),
  },
];

/** The rows from one place to another, each by every role that may not write it. */
const wrongRoles = (from, to) =>
  TABLE.slice(from, to).flatMap(({ type, roles }) =>
    ROLES.filter((role) => !roles.includes(role)).map((role) => no(ROLE, step(type, role))),
  );
/** Every type that a state does not allow, by a role that may write it elsewhere. */
const wrongIn = (state) =>
  TABLE.filter(({ states }) => !states.includes(state)).map(({ type, roles }) =>
    no(STATE, step(type, roles[0])),
  );

/** Work by one who may not judge it: the critic and the auditor are others where that matters. */
const CREW = [...JACK, { agent: "cleo", roles: ["critic"] }, { agent: "otto", roles: ["auditor"] }];
const byJack = (role, one) => by("jack", role, one);
const PROPOSED = byJack("planner", propose());
const WORKED = [
  byJack("executor", intend(1)),
  byJack("executor", start(1)),
  byJack("executor", complete(1)),
];
const CLAIMED = byJack("executor", claim(1));
const CONCLUDED = byJack("executor", conclude());
const toAuditing = [opened({ agents: CREW }), PROPOSED, review(), ...WORKED, CLAIMED, CONCLUDED];

const BEFORE_THE_END = [
  // An opening that is refused: it makes keys known, and the trace stays without a session.
  no(ROLE, [...opened(), { body: { agents: withoutCritic } }]),
  ...wrongIn("initialized"),
  opened({ agents: CREW }),
  ...wrongIn("planning"),
  PROPOSED,
  ...wrongIn("reviewing"),
  review(),
  ...wrongIn("executing"),
  ...WORKED,
  ...wrongIn("claiming"),
];
const COMPLETED = [...toAuditing, beginAudit(), endAudit()];
const ended = (type, role) => [opened(), step(type, role)];

/** Files that show many refusals at once: name, what it shows, steps. */
export const REFUSED_BY_TABLE = [
  ["roles-of-work", "Each type up to the audit, by each role that may not.", 0, 12],
  ["roles-of-the-rest", "Each other type, by each role that may not.", 12, TABLE.length],
]
  .map(([name, shows, from, to]) => [name, shows, [opened(), ...wrongRoles(from, to)]])
  .concat([
    [
      "states-before-the-audit",
      "Each type in each state before the audit that does not allow it.",
      BEFORE_THE_END,
    ],
    [
      "states-auditing",
      "Each type that auditing does not allow.",
      [...toAuditing, ...wrongIn("auditing")],
    ],
    [
      "states-completed",
      "Each type but gap_recorded and review_moved in a session that is completed.",
      [...COMPLETED, ...wrongIn("completed"), step("gap_recorded", "operator")],
    ],
    [
      "states-failed",
      "Each type but gap_recorded in a session that has failed.",
      [
        ...ended("session_failed", "operator"),
        ...wrongIn("failed"),
        step("gap_recorded", "runtime"),
      ],
    ],
    [
      "states-aborted",
      "Each type but gap_recorded in a session that was aborted.",
      [
        ...ended("session_aborted", "operator"),
        ...wrongIn("aborted"),
        step("gap_recorded", "runtime"),
      ],
    ],
  ]);

/** A question, a decision and their like, once by each role that may, under names of their own. */
function talk(state) {
  const steps = [];
  for (const { type, roles, states } of TABLE) {
    if (!TALK[type] || !states.includes(state)) continue;
    for (const role of roles) steps.push(...TALK[type](agentOf(role), role, `${state}-${role}`));
  }
  return steps;
}
const DOCUMENT = "All of it is done\n";
const stateIn = (id) => id.split("-")[0];
const moved = (agent, role, id, moves) => [
  agent,
  role,
  "review_moved",
  {
    ...BODIES.review_moved,
    completion_id: `k-${stateIn(id)}-${moves[role][0]}`,
    digest: sha256Hex(DOCUMENT),
    to: moves[role][1],
  },
];
const TALK = {
  completion_proposed: (agent, role, id) => [
    [
      agent,
      role,
      "completion_proposed",
      { ...BODIES.completion_proposed, completion_id: `k-${id}`, digest: sha256Hex(DOCUMENT) },
      { artifacts: [{ text: DOCUMENT }] },
    ],
  ],
  // Jack wrote all of them, so that three others vote on the operator's.
  vote_cast: (agent, role, id) =>
    role === "operator"
      ? []
      : [
          [
            { critic: "cleo", auditor: "otto", runtime: agent }[role],
            role,
            "vote_cast",
            {
              ...BODIES.vote_cast,
              completion_id: `k-${stateIn(id)}-operator`,
              digest: sha256Hex(DOCUMENT),
              ...(role === "runtime" ? { check: "tests" } : {}),
            },
          ],
        ],
  review_moved: (agent, role, id) => [
    moved(agent, role, id, {
      planner: ["operator", "converge"],
      operator: ["planner", "rejected"],
      runtime: ["operator", "consensus"],
    }),
  ],
  beat_opened: (agent, role, id) => [
    [agent, role, "beat_opened", { ...BODIES.beat_opened, beat_index: OPEN.indexOf(stateIn(id)) }],
  ],
  status_claimed: (agent, role, id) => [
    [
      agent,
      role,
      "status_claimed",
      { ...BODIES.status_claimed, beat_index: OPEN.indexOf(stateIn(id)) },
    ],
  ],
  lease_taken: (agent, role, id) => [
    [
      agent,
      role,
      "lease_taken",
      {
        ...BODIES.lease_taken,
        number: OPEN.indexOf(stateIn(id)) + 1,
        until_beat: OPEN.indexOf(stateIn(id)),
      },
    ],
  ],
  lease_ended: (agent, role, id) => [
    [agent, role, "lease_ended", { number: OPEN.indexOf(stateIn(id)) + 1 }],
  ],
  message_posted: (agent, role, id) => [say(agent, role, id)],
  run_started: (agent, role, run_id) => [
    [agent, role, "run_started", { run_id, agent: "jack", depth: 0 }],
  ],
  run_completed: (agent, role, run_id) => [
    [agent, role, "run_completed", { run_id, status: "partial" }],
  ],
  question_asked: (agent, role, question_id) => [
    [
      agent,
      role,
      "question_asked",
      {
        question_id,
        text: "Why?",
        default: "So",
        to: [agent],
        deadline: "2026-01-01T00:00:00.000Z",
      },
    ],
  ],
  fact_recorded: (agent, role, fact_id) => [
    [agent, role, "fact_recorded", { ...BODIES.fact_recorded, fact_id }],
  ],
  // Each answers a question of its own role, which was asked just before.
  question_answered: (agent, role, question_id) => [
    [
      agent,
      role,
      "question_answered",
      { question_id, answer: "So", ...(role === "runtime" ? { by_default: true } : {}) },
    ],
  ],
  decision_recorded: (agent, role, id) => [
    [agent, role, "decision_recorded", { ...BODIES.decision_recorded, decision_id: `d-${id}` }],
  ],
  exception_recorded: (agent, role, id) => [
    [agent, role, "exception_recorded", { ...BODIES.exception_recorded, exception_id: `n-${id}` }],
  ],
};
/** Keys are rotated and the old ones revoked, by each role in turn. */
const keysBy = (roles) =>
  roles.flatMap((role) => [
    rotate(agentOf(role), role, agentOf(role)),
    (story) => [
      agentOf(role),
      role,
      "key_revoked",
      { agent: agentOf(role), key: story.oldKeyOf(agentOf(role)), reason: "Not needed" },
    ],
  ]);

/** The steps of a session in which every role says all it may, in every state. */
export const EVERYBODY = [
  opened({ agents: CREW }),
  ...talk("planning"),
  ...keysBy(ROLES),
  PROPOSED,
  ...talk("reviewing"),
  review(),
  ...talk("executing"),
  ...WORKED,
  ...talk("claiming"),
  CLAIMED,
  byJack("planner", conclude()),
  ...talk("auditing"),
  ...keysBy(["operator"]),
  beginAudit(),
  endAudit(),
  moved("jack", "planner", "auditing", { planner: ["operator", "submitted"] }),
  moved("jack", "operator", "auditing", { operator: ["operator", "merged"] }),
  moved("sworn", "runtime", "claiming", { runtime: ["operator", "rejected"] }),
  step("gap_recorded", "operator"),
];

/** Sessions that end in other ways: name, what it shows, steps. */
export const ENDS = [
  [
    "failed-by-auditor",
    "The auditor gives a session up.",
    [...toAuditing, step("session_failed", "auditor")],
  ],
  [
    "failed-by-operator",
    "The operator gives a session up while it is claiming.",
    [...toAuditing.slice(0, -2), step("session_failed", "operator")],
  ],
  [
    "failed-by-runtime",
    "The runtime gives a session up while it is executing.",
    [...toAuditing.slice(0, 3), step("session_failed", "runtime")],
  ],
  [
    "aborted-in-review",
    "The operator ends a session that nobody has reviewed yet.",
    [opened(), PROPOSED, step("session_aborted", "operator")],
  ],
];

if (TABLE.length !== Object.keys(BODIES).length) throw new Error("the table was not understood");
for (const [name, , steps] of REFUSED_BY_TABLE) {
  // A report lists 100 failures at most, and all of these are to be seen.
  if (refusalsOf(steps).length >= 100) throw new Error(`${name} has too many refusals`);
}
