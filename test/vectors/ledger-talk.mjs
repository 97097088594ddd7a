/** Vectors for agents that join, for runs, and for what is said on a bus. */
import { sha256Hex } from "../../dist/base/index.js";
import { KEY, no, ORDER, ROLE, UNPROVEN, UNRECORDED } from "./ledger-making.mjs";
import { open, revoke, rotate, say, signerOf } from "./ledger-story.mjs";

const DEADLINE = "2026-01-01T00:00:00.000Z";
const LONG = "A very long report\n";
const enrol = (agent, roles = ["executor"], twist = {}) => [
  "mara",
  "operator",
  "agent_enrolled",
  { agent, roles },
  twist,
];
const keyOf = (name) => ({ key: signerOf(name).key, public: signerOf(name).public });

const JOINING = [
  open(),
  no(ROLE, say("nia", "executor", "Hello", { as: signerOf("eli") })),
  no(ORDER, enrol("eli", ["critic"])),
  no(ORDER, enrol("sworn", ["executor"])),
  no(ROLE, enrol("nia", ["operator"])),
  no(ROLE, enrol("nia", ["executor", "runtime"])),
  no(KEY, enrol("nia", ["executor"], { body: keyOf("eli") })),
  no(KEY, enrol("nia", ["executor"], { body: { key: keyOf("other").key } })),
  enrol("nia", ["executor", "critic"]),
  say("nia", "executor", "Hello"),
  no(ROLE, say("nia", "planner", "Hello")),
  no(KEY, say("nia", "executor", "Hello", { as: signerOf("eli") })),
  no(ORDER, enrol("nia", ["executor"])),
  rotate("nia", "critic", "nia"),
  say("nia", "critic", "Still here"),
  revoke("nia"),
  no(KEY, say("nia", "critic", "Gone")),
  no(ORDER, enrol("nia", ["executor"], { body: keyOf("nia again") })),
];

const begin = (run_id, body = {}) => [
  "sworn",
  "runtime",
  "run_started",
  { run_id, agent: "eli", depth: 0, ...body },
];
const finish = (run_id, body = {}) => [
  "sworn",
  "runtime",
  "run_completed",
  { run_id, status: "completed", ...body },
];
const CHILD = { parent_run_id: "r1", depth: 1 };

const RUNS = [
  open(),
  no(ORDER, finish("r1")),
  no(ORDER, begin("r1", { agent: "zoe" })),
  no(ORDER, begin("r1", { depth: 1 })),
  no(ORDER, begin("r1", CHILD)),
  begin("r1", { base: "0a1b2c", trace: "trace_01KDVDMS00SWRN000000000002" }),
  no(ORDER, begin("r1")),
  no(ORDER, begin("r2", { parent_run_id: "r1" })),
  no(ORDER, begin("r2", { previous_run_id: "r1" })),
  begin("r2", CHILD),
  begin("r3", { parent_run_id: "r2", depth: 2 }),
  no(ROLE, finish("r3", { exit_code: 1 })),
  finish("r3", { exit_code: 0, ref: "refs/sworn/runs/r3", summary: "Done" }),
  no(ORDER, finish("r3")),
  finish("r2", { status: "failed", exit_code: 1 }),
  no(ORDER, begin("r4", { parent_run_id: "r2", depth: 2 })),
  begin("r4", { ...CHILD, previous_run_id: "r2" }),
  finish("r4", { status: "cancelled" }),
  finish("r1", { status: "partial" }),
];

const tell = (body, twist = {}, [agent, role] = ["eli", "executor"]) => [
  agent,
  role,
  "message_posted",
  { text: "Hello", ...body },
  twist,
];
const answering = (id, kind = "reply") => ({ parents: [{ id, kind }] });
const asked = (question_id, body = {}) => [
  "eli",
  "executor",
  "question_asked",
  { question_id, text: "Why?", default: "So", ...body },
];
const answered = (agent, role, question_id, body = {}) => [
  agent,
  role,
  "question_answered",
  { question_id, answer: "Because", ...body },
];
const TAKEN = { answer: "So", by_default: true };
const fact = (agent, role, fact_id, scope) => [
  agent,
  role,
  "fact_recorded",
  { fact_id, scope, title: "A port", text: "It is 8080" },
];
const KINDS = ["START", "STOP", "RUN_START", "RUN_STOP", "RUN_CRASH"];
const THREADS = [
  "reply",
  "answers",
  "blocks",
  "supersedes",
  "relates_to",
  "depends_on",
  "child_of",
];

const MESSAGES = [
  open(),
  no(ORDER, tell(answering("MSG-0"))),
  no(ORDER, tell(answering("MSG-2"))),
  tell({}),
  ...KINDS.map((kind) => no(ROLE, tell({ kind }))),
  ...KINDS.map((kind) => tell({ kind }, {}, ["sworn", "runtime"])),
  no(ROLE, tell({ kind: "USER" })),
  no(ROLE, tell({ kind: "USER" }, {}, ["sworn", "runtime"])),
  tell({ kind: "USER" }, {}, ["mara", "operator"]),
  ...THREADS.map((kind) => tell({ kind: "REVIEW", ...answering("MSG-3", kind) })),
  // What was refused was not said.
  no(ORDER, tell(answering("MSG-4"))),
  tell({
    parents: [
      { id: "MSG-16", kind: "answers" },
      { id: "MSG-3", kind: "reply" },
    ],
    issue_id: "BUG-7",
    links: [{ url: "https://example.org/7", label: "The report", kind: "issue" }],
    meta: { phase: "work", file: "src/login.ts" },
  }),
  no(UNPROVEN, tell({ attachment: UNRECORDED })),
  no(UNPROVEN, tell({ attachment: sha256Hex(LONG) })),
  tell({ attachment: sha256Hex(LONG) }, { artifacts: [{ text: LONG }] }),
  // Recorded before, but not by this message.
  no(UNPROVEN, tell({ attachment: sha256Hex(LONG) })),
];

const QUESTIONS = [
  open(),
  asked("q1", { to: ["cleo"], tier: 2 }),
  no(ROLE, answered("eli", "executor", "q1")),
  no(ROLE, answered("otto", "auditor", "q1")),
  no(ROLE, answered("sworn", "runtime", "q1")),
  no(ROLE, answered("mara", "operator", "q1", TAKEN)),
  no(ROLE, answered("sworn", "runtime", "q1", TAKEN)),
  answered("cleo", "critic", "q1"),
  no(ORDER, answered("ada", "planner", "q1")),
  asked("q2", { deadline: DEADLINE, blocks: "deploy", tier: 3 }),
  no(ROLE, answered("sworn", "runtime", "q2", { by_default: true })),
  no(ROLE, answered("sworn", "runtime", "q2", { answer: "So" })),
  answered("sworn", "runtime", "q2", TAKEN),
  no(ORDER, answered("sworn", "runtime", "q2", TAKEN)),
  asked("q3"),
  tell(answering("MSG-14", "answers")),
  answered("ada", "planner", "q3"),
  fact("eli", "executor", "f1", "task"),
  no(ORDER, fact("ada", "planner", "f1", "project")),
  no(ROLE, fact("eli", "executor", "f2", "project")),
  no(ROLE, fact("sworn", "runtime", "f2", "project")),
  fact("ada", "planner", "f2", "project"),
  fact("mara", "operator", "f3", "project"),
  tell(answering("MSG-17", "relates_to")),
];

/** Stories with refusals: name, what it shows, steps. */
export const REFUSED_TALK = [
  ["rules-of-joining", "Agents that join a session later, with keys of their own.", JOINING],
  ["rules-of-runs", "Runs that begin and end, and how deep they are.", RUNS],
  ["rules-of-messages", "Who says what on a bus, and what it refers to.", MESSAGES],
  ["rules-of-questions", "Who answers which question, and who records which fact.", QUESTIONS],
];
