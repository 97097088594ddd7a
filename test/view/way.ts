import { sha256Hex } from "../../src/base/index.ts";
import type { EventType, Role } from "../../src/schema/index.ts";
import type { SessionState } from "../../src/view/index.ts";
import { artifactOf, freshKey, HOLDERS, initialization, World } from "./world.ts";

const UNIT = {
  objective: "o",
  assumptions: [],
  required_tools: ["edit"],
  expected_evidence: ["diff"],
};
const NOTHING = "0".repeat(64);
const REPORT = "a report";

export const proposal = (id: string, more: object = {}) => ({
  proposal_id: id,
  units: [UNIT],
  ...more,
});
export const review = (id: string, status: string, more: object = {}) => ({
  proposal_id: id,
  proposal_status: status,
  risk_assessment: "r",
  rationale: "r",
  ...more,
});
export const intent = (id: string, more: object = {}) => ({
  intent_id: id,
  proposal_id: "p1",
  tool_name: "edit",
  normalized_input_hash: sha256Hex("input"),
  risk_class: "low",
  justification: "j",
  ...more,
});
export const claim = (id: string, more: object = {}) => ({
  claim_id: id,
  claim_text: "t",
  confidence: 50,
  evidence: [sha256Hex("output")],
  execution_ids: ["e1"],
  ...more,
});

function plan(world: World): void {
  for (const id of ["p1", "p2", "p3"])
    world.take("proposal_created", proposal(id), { role: "planner" });
}

function decide(world: World): void {
  plan(world);
  world.take("proposal_reviewed", review("p1", "approved"), { role: "critic" });
  world.take("proposal_reviewed", review("p2", "rejected"), { role: "critic" });
}

function run(world: World, number: number): void {
  const texts = ["input"];
  world.take("tool_intent_signed", intent(`i${number}`), { role: "executor", texts });
  const begun = { execution_id: `e${number}`, intent_id: `i${number}` };
  world.take("tool_execution_started", begun, { role: "executor" });
}

function finish(world: World, number: number): void {
  const body = { execution_id: `e${number}`, exit_status: 0 };
  world.take("tool_execution_completed", body, { role: "executor", texts: ["output"] });
}

function end(world: World): void {
  decide(world);
  run(world, 1);
  finish(world, 1);
  world.take("claim_issued", claim("c1"), { role: "executor" });
}

function settle(world: World): void {
  end(world);
  const body = { consolidated_claim_ids: ["c1"], final_verdict_text: "done" };
  world.take("final_statement_signed", body, { role: "executor" });
}

export const completion = (id: string, more: object = {}) => ({
  completion_id: id,
  artifact: "git:1",
  subject: sha256Hex("work"),
  digest: sha256Hex("document"),
  authors: [{ agent: "eli" }],
  undone: [],
  ...more,
});
export const ballot = (id: string, vote: string, more: object = {}) => ({
  completion_id: id,
  digest: sha256Hex("document"),
  vote,
  focus: ["all"],
  rationale: "r",
  anchors: [{ place: "a.js:1" }],
  ...(vote === "yellow" ? { mitigations: [{ action: "a", owner: "o", deadline: "d" }] } : {}),
  ...(vote === "red" ? { fix: "f" } : {}),
  ...more,
});
export const move = (id: string, to: string, more: object = {}) => ({
  completion_id: id,
  digest: sha256Hex("document"),
  to,
  reason: "r",
  ...more,
});

/** A completion k1 that was agreed on. */
function agree(world: World): void {
  world.take("completion_proposed", completion("k1"), { role: "executor", texts: ["document"] });
  for (const role of ["critic", "auditor", "operator"] as const) {
    world.take("vote_cast", ballot("k1", "green"), { role });
  }
  world.take("review_moved", move("k1", "consensus"), { role: "runtime" });
}

/**
 * Brings a session into each state, with something of every kind in it: p1 approved, p2 rejected,
 * p3 open; while executing i1 waits and e2 runs; from claiming on e1 is done and c1 stands.
 */
export const INTO: Readonly<Record<SessionState, (world: World) => void>> = {
  initialized: () => {},
  planning: () => {},
  reviewing: plan,
  executing: (world) => {
    decide(world);
    world.take("tool_intent_signed", intent("i1"), { role: "executor", texts: ["input"] });
    run(world, 2);
  },
  claiming: end,
  auditing: settle,
  completed: (world) => {
    settle(world);
    agree(world);
    world.take("verification_run_started", { verification_id: "v1" }, { role: "auditor" });
    world.take("verification_run_completed", verdict(world, "pass"), {
      role: "auditor",
      texts: [REPORT],
    });
  },
  failed: (world) => world.take("session_failed", { reason: "r" }, { role: "operator" }),
  aborted: (world) => world.take("session_aborted", { reason: "r" }, { role: "operator" }),
};

/** What the source says of a finding that a claim holds. */
export function checked(claim: string, verdict: string) {
  const identity = sha256Hex("a finding");
  return {
    claim_id: claim,
    finding_id: "F1",
    verdict,
    identity,
    place: "a.js:1",
    reason: "r",
  };
}

export function verdict({ session }: World, status: string) {
  return {
    verification_id: "v1",
    status,
    report: artifactOf(REPORT).hash,
    size: session.size,
    head: NOTHING,
  };
}

export function worldIn(state: SessionState, more: object = {}): World {
  const world = state === "initialized" ? new World() : World.begun(more);
  INTO[state](world);
  if (world.session.state !== state) throw new Error(`not ${state}: ${world.session.state}`);
  return world;
}

/** What must be there beyond the state before an event of this type fits. */
export const BEFORE: Partial<Record<EventType, (world: World) => void>> = {
  challenge_resolved: (world) =>
    world.take("claim_challenged", FITTING.claim_challenged(world, "critic"), { role: "critic" }),
  verification_run_completed: (world) =>
    world.take("verification_run_started", { verification_id: "v1" }, { role: "auditor" }),
  rework_opened: (world) => {
    world.take("verification_run_started", { verification_id: "v1" }, { role: "auditor" });
    world.take("verification_run_completed", verdict(world, "fail"), {
      role: "auditor",
      texts: [REPORT],
    });
  },
  vote_cast: (world) =>
    world.take("completion_proposed", completion("k1"), { role: "executor", texts: ["document"] }),
  review_moved: (world) => {
    if (world.session.state !== "completed") agree(world);
  },
  status_claimed: (world) => openBeat(world),
  lease_taken: (world) => openBeat(world),
  lease_ended: (world) => {
    openBeat(world);
    world.take("lease_taken", FITTING.lease_taken(world, "runtime"), { role: "runtime" });
  },
  run_completed: (world) =>
    world.take("run_started", { run_id: "r0", agent: "eli", depth: 0 }, { role: "runtime" }),
  question_answered: (world) =>
    world.take(
      "question_asked",
      {
        question_id: "q0",
        text: "t",
        default: "d",
        to: ["eli", "cleo", "otto"],
        deadline: "2030-01-01T00:00:00.000Z",
      },
      { role: "critic" },
    ),
};

function openBeat(world: World): void {
  world.take("beat_opened", FITTING.beat_opened(world, "runtime"), { role: "runtime" });
}

/** For each type a body that fits every state in which the type is possible. */
export const FITTING: Readonly<Record<EventType, (world: World, role: Role) => object>> = {
  session_initialized: () => initialization(),
  proposal_created: ({ session }) =>
    proposal("p9", session.proposals.has("p2") ? { revises: "p2" } : {}),
  proposal_reviewed: () => review("p3", "approved"),
  tool_intent_signed: () => intent("i9"),
  intent_reviewed: () => ({ intent_id: "i1", intent_status: "approved", rationale: "r" }),
  tool_execution_started: () => ({ execution_id: "e9", intent_id: "i1" }),
  tool_execution_completed: () => ({ execution_id: "e2", exit_status: 0 }),
  tool_execution_failed: () => ({ execution_id: "e2", failure: "f", handling: "accept" }),
  artifact_recorded: () => ({ description: "d" }),
  claim_issued: () => claim("c9"),
  claim_challenged: () => ({ challenge_id: "x1", claim_id: "c1", reason: "r" }),
  challenge_resolved: () => ({ challenge_id: "x1", resolution: "withdrawn", rationale: "r" }),
  finding_checked: () => checked("c1", "CONFIRMED"),
  final_statement_signed: () => ({ consolidated_claim_ids: ["c1"], final_verdict_text: "t" }),
  verification_run_started: () => ({ verification_id: "v1" }),
  verification_run_completed: (world) => verdict(world, "pass"),
  rework_opened: () => ({ round: 1, reasons: ["r"] }),
  completion_proposed: () => completion("k9"),
  vote_cast: (_, role) => ballot("k1", "green", role === "runtime" ? { check: "dod" } : {}),
  review_moved: () => move("k1", "submitted"),
  session_failed: () => ({ reason: "r" }),
  session_aborted: () => ({ reason: "r" }),
  agent_enrolled: () => ({ agent: "nia", roles: ["executor", "critic"], ...freshKey() }),
  run_started: () => ({ run_id: "r1", agent: "eli", depth: 0 }),
  run_completed: () => ({ run_id: "r0", status: "completed", exit_code: 0 }),
  beat_opened: () => ({
    beat_index: 1,
    phase: "work",
    cluster_id: "local",
    window_id: "0".repeat(32),
    downbeat: false,
    beat_ms: 900_000,
    deadline_at: "2030-01-01T00:00:00.000Z",
  }),
  status_claimed: () => ({ agent_id: "eli", beat_index: 1, state: "idle" }),
  lease_taken: () => ({ number: 1, holder: "r1", until_beat: 1 }),
  lease_ended: () => ({ number: 1 }),
  message_posted: () => ({ text: "t" }),
  question_asked: () => ({ question_id: "q1", text: "t", default: "d" }),
  question_answered: (_, role) => ({
    question_id: "q0",
    ...(role === "runtime" ? { answer: "d", by_default: true } : { answer: "a" }),
  }),
  fact_recorded: () => ({ fact_id: "f1", scope: "task", title: "t", text: "t" }),
  decision_recorded: () => ({ decision_id: "d1", context: "c", options: ["o"], choice: "o" }),
  exception_recorded: () => ({
    exception_id: "x1",
    rule: "r",
    reason: "r",
    requester: "eli",
    owner: "eli",
    expires_at: "2030-01-01T00:00:00.000Z",
    rollback: "r",
  }),
  key_rotated: ({ session }, role) => {
    const { key, public: publicText } = freshKey();
    const agent = HOLDERS[role];
    return { agent, old_key: session.agents.get(agent)?.key, new_key: key, public: publicText };
  },
  key_revoked: ({ session }, role) => {
    // The runtime's own key in use is not revoked by anybody.
    const agent = HOLDERS[role === "runtime" ? "executor" : role];
    return { agent, key: session.agents.get(agent)?.key, reason: "r" };
  },
  gap_recorded: () => ({ reason: "r", lost_size: 1, lost_checkpoint: "c" }),
};

/** The artifacts that have to come along. */
export const TEXTS: Partial<Record<EventType, readonly string[]>> = {
  tool_intent_signed: ["input"],
  tool_execution_completed: ["output"],
  artifact_recorded: ["something"],
  completion_proposed: ["document"],
  verification_run_completed: [REPORT],
};
