/** Vectors for completions, votes and what they lead to, and for leases. */
import { sha256Hex } from "../../dist/base/index.js";
import {
  except,
  FINAL,
  no,
  ORDER,
  ROLE,
  STATE,
  UNPROVEN,
  UNRECORDED,
  WORK,
} from "./ledger-making.mjs";
import { beginAudit, conclude, endAudit, OPENING, open, say } from "./ledger-story.mjs";

const MORE = [
  ...OPENING.agents,
  { agent: "nia", roles: ["critic"] },
  { agent: "zoe", roles: ["auditor"] },
];
const begun = open({ agents: MORE });
const documentOf = (id) => `All that is said of ${id}\n`;
const digestOf = (id) => sha256Hex(documentOf(id));
const SUBJECT = sha256Hex("the work");
const CHANGED = sha256Hex("the work, changed");
const MITIGATIONS = [{ action: "Count by address", owner: "eli", deadline: "2026-02-01" }];

const complete = (completion_id, body = {}, twist = {}) => [
  "eli",
  "executor",
  "completion_proposed",
  {
    completion_id,
    artifact: "git:4f1c2d9",
    subject: SUBJECT,
    digest: digestOf(completion_id),
    authors: [{ agent: "eli", family: "some" }],
    undone: [],
    ...body,
  },
  { artifacts: [{ text: documentOf(completion_id) }], ...twist },
];
const ROLES = {
  cleo: "critic",
  nia: "critic",
  otto: "auditor",
  zoe: "auditor",
  mara: "operator",
  sworn: "runtime",
  eli: "critic",
  ada: "critic",
};
/** Without the members that are set to undefined. */
const defined = (body) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
const vote = (agent, completion_id, colour, body = {}) => [
  agent,
  ROLES[agent],
  "vote_cast",
  defined({
    completion_id,
    digest: digestOf(completion_id),
    vote: colour,
    focus: ["login"],
    rationale: "So it is",
    anchors: [{ place: "src/login.ts:12", text: "if (count > 5) {", digest: UNRECORDED }],
    ...(colour === "yellow" ? { mitigations: MITIGATIONS } : {}),
    ...(colour === "red" ? { fix: "Count refused ones as well" } : {}),
    ...(agent === "sworn" ? { check: "tests" } : {}),
    ...body,
  }),
];
const again = { replaces: true };
const move = (agent, completion_id, to, body = {}) => [
  agent,
  { ada: "planner", mara: "operator", sworn: "runtime" }[agent],
  "review_moved",
  { completion_id, digest: digestOf(completion_id), to, reason: "So it is", ...body },
];
const decide = (agent, role, decision_id, body = {}) => [
  agent,
  role,
  "decision_recorded",
  { decision_id, context: "Whether", options: ["yes"], choice: "yes", ...body },
];
const revising = (revises, body = {}) => ({ revises, ...body });

const PROPOSING = [
  begun,
  no(ORDER, complete("k1", revising("k0"))),
  no(UNPROVEN, complete("k1", {}, { artifacts: [] })),
  no(UNPROVEN, complete("k1", { digest: UNRECORDED })),
  no(ORDER, complete("k1", { deferred: [{ item: "docs", decision_id: "d1" }] })),
  decide("eli", "executor", "d1"),
  decide("ada", "planner", "d2", {
    links: [
      { kind: "file", to: "src/login.ts" },
      { kind: "decision", to: "d1" },
    ],
  }),
  except("eli"),
  no(ROLE, complete("k1", { deferred: [{ item: "docs", decision_id: "d1" }] })),
  no(ORDER, complete("k1", { deferred: [{ item: "docs", decision_id: "n1" }] })),
  no(
    ROLE,
    complete("k1", {
      authors: [{ agent: "ada" }],
      deferred: [{ item: "docs", decision_id: "d2" }],
    }),
  ),
  complete("k1", { deferred: [{ item: "docs", decision_id: "d2" }], due_beat: 4 }),
  no(ORDER, complete("k1")),
  complete("k2", revising("k1")),
  no(ORDER, complete("k3", revising("k1"))),
  // A draft: nobody votes on it.
  complete("k3", { undone: ["tests"], revises: "k2" }),
  no(ORDER, vote("cleo", "k3", "green")),
  no(ORDER, move("ada", "k3", "converge")),
  no(ORDER, move("ada", "k3", "rejected")),
];

const VOTING = [
  begun,
  no(ORDER, vote("cleo", "k1", "green")),
  complete("k1", { authors: [{ agent: "nia" }] }),
  no(ORDER, vote("cleo", "k1", "green", { digest: UNRECORDED })),
  no(ROLE, vote("nia", "k1", "green")),
  no(ROLE, [...vote("cleo", "k1", "green", { check: "tests" })]),
  no(ROLE, vote("sworn", "k1", "green", { check: undefined })),
  no(UNPROVEN, vote("cleo", "k1", "yellow", { mitigations: undefined })),
  no(UNPROVEN, vote("cleo", "k1", "red", { fix: undefined })),
  no(ORDER, vote("cleo", "k1", "green", again)),
  vote("cleo", "k1", "yellow"),
  no(ORDER, vote("cleo", "k1", "green")),
  vote("cleo", "k1", "green", again),
  vote("sworn", "k1", "green"),
  // A forged role: otto is an auditor and no critic.
  no(ROLE, ["otto", "critic", ...vote("cleo", "k1", "green").slice(2)]),
  vote("otto", "k1", "green", { family: "other" }),
  complete("k2", revising("k1", { subject: CHANGED })),
  // Stale: what was voted on is no longer what is proposed.
  no(ORDER, vote("zoe", "k1", "green")),
  no(ORDER, move("ada", "k1", "consensus")),
  no(FINAL, move("ada", "k2", "consensus")),
  // Whoever made what is revised still does not vote.
  no(ROLE, vote("nia", "k2", "green")),
];

const proposed = (name) => complete(name, { subject: sha256Hex(name) });
const TABLE = [
  begun,
  proposed("k0"),
  no(ORDER, move("ada", "k0", "converge")),
  ...["cleo", "nia", "otto"].map((agent) => vote(agent, "k0", "yellow")),
  no(FINAL, move("ada", "k0", "consensus")),
  decide("mara", "operator", "d1"),
  decide("eli", "executor", "d2"),
  no(FINAL, move("ada", "k0", "consensus", { decision_id: "d1" })),
  no(FINAL, move("mara", "k0", "consensus", { decision_id: "d1" })),
  no(ORDER, move("ada", "k0", "disagreement", { decision_id: "d1" })),
  move("ada", "k0", "converge"),
  no(ORDER, move("ada", "k0", "converge")),
  no(ORDER, move("ada", "k0", "disagreement")),
  no(ROLE, move("ada", "k0", "disagreement", { decision_id: "d2" })),
  move("ada", "k0", "disagreement", { decision_id: "d1" }),
  no(FINAL, move("ada", "k0", "consensus", { decision_id: "d1" })),
  no(FINAL, move("mara", "k0", "consensus")),
  move("mara", "k0", "consensus", { decision_id: "d1" }),
  no(ORDER, vote("zoe", "k0", "red")),
  proposed("k1"),
  vote("cleo", "k1", "green"),
  vote("otto", "k1", "yellow"),
  no(FINAL, move("ada", "k1", "consensus")),
  vote("nia", "k1", "yellow"),
  no(FINAL, move("ada", "k1", "consensus")),
  no(ORDER, move("ada", "k1", "consensus", { decision_id: "d3" })),
  no(ROLE, move("ada", "k1", "consensus", { decision_id: "d2" })),
  move("ada", "k1", "consensus", { decision_id: "d1" }),
  proposed("k2"),
  vote("cleo", "k2", "green"),
  vote("mara", "k2", "green"),
  vote("nia", "k2", "yellow"),
  // Three of one side are no quorum.
  no(FINAL, move("sworn", "k2", "consensus")),
  vote("sworn", "k2", "red"),
  no(FINAL, move("ada", "k2", "consensus")),
  vote("sworn", "k2", "green", again),
  no(ORDER, move("ada", "k2", "submitted")),
  no(ORDER, move("ada", "k2", "merged")),
  move("ada", "k2", "consensus"),
  no(ORDER, move("ada", "k2", "consensus")),
  no(ORDER, move("ada", "k2", "merged")),
  move("ada", "k2", "submitted"),
  move("ada", "k2", "merged"),
  no(ORDER, move("ada", "k2", "rejected")),
];

const DUO = [
  begun,
  complete("k1"),
  decide("mara", "operator", "d1"),
  vote("cleo", "k1", "green"),
  no(FINAL, move("mara", "k1", "consensus", { by_duo: true, decision_id: "d1" })),
  vote("otto", "k1", "yellow"),
  no(FINAL, move("mara", "k1", "consensus", { decision_id: "d1" })),
  no(FINAL, move("mara", "k1", "consensus", { by_duo: true, decision_id: "d1" })),
  vote("otto", "k1", "green", again),
  no(FINAL, move("mara", "k1", "consensus", { by_duo: true })),
  no(FINAL, move("mara", "k1", "consensus", { decision_id: "d1" })),
  move("mara", "k1", "consensus", { by_duo: true, decision_id: "d1" }),
];

/** The runtime writes down what others made, and may check it. */
const WITNESSED = [
  begun,
  ["sworn", "runtime", ...complete("k1").slice(2)],
  no(ROLE, vote("eli", "k1", "green")),
  vote("sworn", "k1", "green"),
  ["sworn", "runtime", ...complete("k2", { authors: [{ agent: "sworn" }] }).slice(2)],
  no(ROLE, vote("sworn", "k2", "green")),
];

const greens = (id, ...agents) => agents.map((agent) => vote(agent, id, "green"));
const RED = [
  open({ agents: [...MORE, { agent: "max", roles: ["critic", "executor"] }] }),
  ...WORK.slice(1),
  complete("k1"),
  ...greens("k1", "cleo", "nia", "otto"),
  no(ROLE, vote("ada", "k1", "green")),
  vote("zoe", "k1", "red"),
  no(FINAL, move("ada", "k1", "consensus")),
  no(FINAL, conclude()),
  // Other words do not take a red vote away, and neither does a detour.
  complete("k2", revising("k1")),
  ...greens("k2", "cleo", "nia", "otto"),
  no(FINAL, move("ada", "k2", "consensus")),
  no(FINAL, conclude()),
  complete("k3", revising("k2", { subject: CHANGED })),
  conclude(),
  complete("k4", revising("k3")),
  beginAudit(),
  no(FINAL, endAudit()),
  vote("zoe", "k4", "green"),
];

/** After the session nobody agrees any more; what was agreed on may still be handed over. */
const AFTERWARDS = [
  begun,
  ...WORK.slice(1),
  complete("k1"),
  ...greens("k1", "cleo", "nia", "otto"),
  conclude(),
  beginAudit(),
  endAudit(),
  no(STATE, move("ada", "k1", "consensus")),
  no(STATE, move("ada", "k1", "converge")),
  no(ORDER, move("ada", "k1", "submitted")),
  no(STATE, vote("zoe", "k1", "red")),
  move("ada", "k1", "rejected"),
];

/** One that took part later: its vote counts no more. */
const TURNED = [
  open({ agents: [...MORE, { agent: "max", roles: ["critic", "executor"] }] }),
  complete("k1"),
  ["max", "critic", ...vote("cleo", "k1", "green").slice(2)],
  vote("cleo", "k1", "green"),
  vote("otto", "k1", "green"),
  ...WORK.slice(1, 6),
  [
    "max",
    "executor",
    "artifact_recorded",
    { description: "A note" },
    { artifacts: [{ text: "A note\n" }] },
  ],
  no(FINAL, move("ada", "k1", "consensus")),
  vote("nia", "k1", "green"),
  move("ada", "k1", "consensus"),
];

const beat = (beat_index, body = {}) => [
  "sworn",
  "runtime",
  "beat_opened",
  {
    beat_index,
    phase: "work",
    cluster_id: "local",
    window_id: "4f1c2d9e".repeat(4),
    downbeat: beat_index % 8 === 0,
    beat_ms: 900_000,
    deadline_at: "2026-01-01T00:15:00.000Z",
    ...body,
  },
];
const lease = (number, until_beat = 8, holder = "r1", twist = {}) => [
  "sworn",
  "runtime",
  "lease_taken",
  { number, holder, until_beat },
  twist,
];
const endLease = (number, twist = {}) => ["sworn", "runtime", "lease_ended", { number }, twist];
const status = (agent_id, beat_index, body = {}) => [
  "sworn",
  "runtime",
  "status_claimed",
  { agent_id, beat_index, state: "executing", ...body },
];
const LEASES = [
  begun,
  no(ORDER, say("mara", "operator", "Hello", { fence: 1 })),
  no(ORDER, endLease(1)),
  // Leases and statuses count beats, and there is none.
  no(ORDER, lease(1, 0)),
  no(ORDER, status("eli", 0)),
  beat(8),
  no(ORDER, lease(2)),
  no(ORDER, lease(1, 8, "r1", { fence: 1 })),
  no(ORDER, lease(1, 7)),
  no(ORDER, lease(1, 8 + 97)),
  lease(1),
  no(ORDER, say("mara", "operator", "Hello", { fence: 0 })),
  no(ORDER, say("mara", "operator", "Hello", { fence: 2 })),
  say("mara", "operator", "Hello"),
  no(ORDER, lease(1)),
  no(ORDER, lease(3)),
  no(ORDER, lease(2, 8, "r1", { fence: 1 })),
  // Whoever leads takes the next one at any time, another one only when it has run out.
  no(ORDER, lease(2, 9, "r2")),
  lease(2, 9),
  beat(9),
  no(ORDER, lease(3, 10, "r2")),
  beat(10),
  lease(3, 8 + 2 + 96, "r2"),
  // A runtime that was overtaken wakes up.
  no(ORDER, say("sworn", "runtime", "Hello", { fence: 2 })),
  no(ORDER, endLease(2)),
  no(ORDER, endLease(3, { fence: 2 })),
  no(ORDER, lease(4, 20)),
  status("eli", 3, {
    task_id: "t1",
    beats_left: 1_000,
    progress: 100,
    notes: "Nearly",
    resources: { cpu_percent: 250, memory_mb: 0, disk_io_ops: 1, network_kb: 2 },
    dependencies: ["t2"],
    metadata: { window_id: "a1" },
  }),
  no(ORDER, status("eli", 3)),
  no(ORDER, status("eli", 2)),
  no(ORDER, status("max", 4)),
  no(ORDER, status("eli", 11)),
  status("eli", 10),
  status("cleo", 0, { state: "idle" }),
  endLease(3),
  no(ORDER, endLease(3)),
  no(ORDER, say("mara", "operator", "Hello", { fence: 3 })),
  say("mara", "operator", "Hello"),
  lease(4, 10),
];

const POLICY_RULE = "ROLE_POLICY_VIOLATION";
const ask = (question_id, body) => [
  "mara",
  "operator",
  "question_asked",
  { question_id, text: "Why?", default: "So", ...body },
];
const assume = (question_id) => [
  "sworn",
  "runtime",
  "question_answered",
  { question_id, answer: "So", by_default: true },
];
const BEATS = [
  begun,
  ask("q1", { due_beat: 41 }),
  // Nobody counts, so that nothing is late.
  no(POLICY_RULE, assume("q1")),
  beat(40),
  no(ORDER, beat(40)),
  no(ORDER, beat(39)),
  no(ORDER, beat(41, { cluster_id: "other" })),
  no(ORDER, beat(40 + 100_001)),
  no(POLICY_RULE, assume("q1")),
  beat(41, { phase: "review", beat_ms: 1_000 }),
  // The last beat in which it can be answered, whatever any clock says.
  no(POLICY_RULE, assume("q1")),
  beat(43),
  assume("q1"),
  ask("q2", { due_beat: 44, deadline: "2000-01-01T00:00:00.000Z" }),
  no(POLICY_RULE, assume("q2")),
  beat(43 + 100_000, { phase: "deliver" }),
  assume("q2"),
];

/** A session in which three agree, from the first entry to the merge. */
export const AGREED = [
  begun,
  ...WORK.slice(1),
  complete("k1"),
  vote("cleo", "k1", "yellow"),
  vote("otto", "k1", "green"),
  vote("sworn", "k1", "green"),
  move("ada", "k1", "converge"),
  vote("cleo", "k1", "green", again),
  move("sworn", "k1", "consensus"),
  beat(8),
  lease(1),
  conclude(),
  beginAudit(),
  endAudit(),
  move("ada", "k1", "submitted"),
  move("mara", "k1", "merged"),
];

/** Stories with refusals: name, what it shows, steps. */
export const REFUSED_VOTES = [
  [
    "rules-of-completions",
    "What is proposed as complete, and what was decided about it.",
    PROPOSING,
  ],
  ["rules-of-votes", "Who votes on which digest, with what.", VOTING],
  ["rules-of-consensus", "Which votes pass, and where a review gets from where.", TABLE],
  ["rules-of-absent-owners", "Two decide in place of an absent owner.", DUO],
  ["rules-of-witnesses", "The runtime proposes what others made.", WITNESSED],
  ["rules-of-red-votes", "A red vote stands, whatever is said afterwards.", RED],
  ["rules-of-late-moves", "What becomes of a review after its session.", AFTERWARDS],
  ["rules-of-turned-voters", "A vote of one who worked on it later.", TURNED],
  ["rules-of-leases", "Who leads a trace, and what its agents do in each beat.", LEASES],
  ["rules-of-beats", "One clock that does not go back, and what is due by its beats.", BEATS],
];
