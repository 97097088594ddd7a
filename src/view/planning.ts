import type { Parent, Role } from "../schema/index.ts";
import { toToolRisks } from "./attempts.ts";
import { firstRefusal, type Refusal, refuse } from "./refusal.ts";
import type { Event, ExecutionView, ProposalView, Session } from "./session.ts";

/** The roles every session must be able to fill. */
const REQUIRED_ROLES: readonly Role[] = [
  "planner",
  "executor",
  "critic",
  "auditor",
  "operator",
  "runtime",
];

export function checkInitialization(
  _: Session,
  { body, actor }: Event<"session_initialized">,
): Refusal | undefined {
  const roles = new Set(body.agents.flatMap((agent) => agent.roles));
  const missing = REQUIRED_ROLES.filter((role) => !roles.has(role));
  const names = new Set(body.agents.map((agent) => agent.agent));
  const keys = new Set(body.agents.map((agent) => agent.key));
  const runtimes = body.agents.filter((agent) => agent.roles.includes("runtime"));
  const own = body.agents.find((agent) => agent.agent === actor.agent);
  return firstRefusal(
    missing.length > 0 && refuse("ROLE_GUARD", `no agent is registered as ${missing.join(", ")}`),
    names.size < body.agents.length && refuse("IDENTITY_GUARD", "an agent is registered twice"),
    // Two agents behind one key would let one of them approve its own work.
    keys.size < body.agents.length && refuse("INDEPENDENCE_GUARD", "two agents share one key"),
    runtimes.length > 1 && refuse("IDENTITY_GUARD", "more than one agent is registered as runtime"),
    runtimes.some((agent) => agent.roles.length > 1) &&
      refuse("INDEPENDENCE_GUARD", "the runtime is a witness and holds no other role"),
    !own?.roles.includes(actor.role) &&
      refuse(
        "ROLE_GUARD",
        `${actor.agent} opens the session but does not register itself as ${actor.role}`,
      ),
    own?.key !== actor.key &&
      refuse("KEY_GUARD", `${actor.agent} opens the session with a key it does not register`),
  );
}

export function applyInitialization(
  session: Session,
  { body }: Event<"session_initialized">,
): void {
  session.profile = body.profile;
  session.policy = body.policy;
  for (const [tool, risk] of toToolRisks(body.policy)) session.toolRisks.set(tool, risk);
  for (const { agent, roles, key, public: publicText } of body.agents) {
    session.agents.set(agent, { roles, key });
    session.keys.set(key, { agent, public: publicText, status: "active" });
  }
}

export function checkProposal(
  session: Session,
  { body }: Event<"proposal_created">,
): Refusal | undefined {
  const revised = body.revises === undefined ? undefined : session.proposals.get(body.revises);
  const failed =
    body.fallback_for === undefined ? undefined : session.executions.get(body.fallback_for);
  const late = session.state === "executing" || session.state === "claiming";
  return firstRefusal(
    session.proposals.has(body.proposal_id) &&
      refuse("IDENTITY_GUARD", `proposal ${body.proposal_id} exists already`),
    body.revises !== undefined &&
      !(revised && ["proposed", "rejected", "conditional"].includes(revised.status)) &&
      refuse("ORDER_GUARD", `there is no open or rejected proposal ${body.revises} to revise`),
    body.fallback_for !== undefined &&
      failed?.status !== "failed" &&
      refuse("ORDER_GUARD", `execution ${body.fallback_for} has not failed`),
    body.fallback_for !== undefined &&
      !session.policy.fallback &&
      refuse("ACTION_GUARD", "the session's policy does not permit fallback proposals"),
    late &&
      body.revises === undefined &&
      body.fallback_for === undefined &&
      session.reworkRounds === 0 &&
      refuse(
        "STATE_GUARD",
        "work has begun: a new proposal must revise one, be a fallback, or follow a rework",
      ),
  );
}

export function applyProposal(
  session: Session,
  { seq, body, actor }: Event<"proposal_created">,
): void {
  const revised = body.revises === undefined ? undefined : session.proposals.get(body.revises);
  if (revised) revised.status = "revised";
  const failed =
    body.fallback_for === undefined ? undefined : session.executions.get(body.fallback_for);
  if (failed?.owes) {
    failed.owes = false;
    session.owedFailures -= 1;
  }
  session.authors.add(actor.agent);
  session.proposals.set(body.proposal_id, {
    seq,
    authors: authorsOf(actor.agent, revised, proposalBehind(session, failed)),
    tools: new Set(body.units.flatMap((unit) => unit.required_tools)),
    status: "proposed",
    conditions: [],
  });
}

function proposalBehind(
  session: Session,
  execution: ExecutionView | undefined,
): ProposalView | undefined {
  const intent = session.intents.get(execution?.intent ?? "");
  return session.proposals.get(intent?.proposal ?? "");
}

/** Who wrote something, and who wrote what it replaces: whoever hands on its work still may not judge it. */
export function authorsOf(
  agent: string,
  ...replaced: readonly ({ authors: readonly string[] } | undefined)[]
): readonly string[] {
  return [...new Set([agent, ...replaced.flatMap((earlier) => earlier?.authors ?? [])])];
}

export function proposalLinks(session: Session, { body }: Event<"proposal_created">): Parent[] {
  return [
    ...link("revises", session.proposals.get(body.revises ?? "")),
    ...link("falls-back", session.executions.get(body.fallback_for ?? "")),
  ];
}

export function checkProposalReview(
  session: Session,
  event: Event<"proposal_reviewed">,
): Refusal | undefined {
  const { body, actor } = event;
  const proposal = session.proposals.get(body.proposal_id);
  if (!proposal) return refuse("ORDER_GUARD", `there is no proposal ${body.proposal_id}`);
  const conditions = body.conditions?.length ?? 0;
  return firstRefusal(
    proposal.status !== "proposed" &&
      refuse(
        "ORDER_GUARD",
        `proposal ${body.proposal_id} is already ${proposal.status}; revise it instead`,
      ),
    proposal.authors.includes(actor.agent) &&
      refuse("INDEPENDENCE_GUARD", `${actor.agent} wrote this proposal or one that it replaces`),
    body.proposal_status === "conditional" &&
      conditions === 0 &&
      refuse("EVIDENCE_GUARD", "a conditional approval names its conditions"),
    body.proposal_status !== "conditional" &&
      conditions > 0 &&
      refuse(
        "EVIDENCE_GUARD",
        `conditions belong to a conditional approval, not to "${body.proposal_status}"`,
      ),
  );
}

export function applyProposalReview(
  session: Session,
  { body, actor }: Event<"proposal_reviewed">,
): void {
  const proposal = session.proposals.get(body.proposal_id);
  if (!proposal) return;
  proposal.status = body.proposal_status;
  proposal.conditions.push(...(body.conditions ?? []));
  session.critics.add(actor.agent);
}

/** Whether work may rest on this proposal. */
export function isApproved(proposal: ProposalView | undefined): boolean {
  return proposal?.status === "approved" || proposal?.status === "conditional";
}

/** A link to an earlier record, or none when it does not exist. */
export function link(kind: Parent["kind"], target: { seq: number } | undefined): Parent[] {
  return target ? [{ seq: target.seq, kind }] : [];
}
