import { keyIdOf } from "../base/index.ts";
import type { Parent, Role } from "../schema/index.ts";
import { firstRefusal, type Refusal, refuse } from "./refusal.ts";
import type { Event, Session } from "./session.ts";
import { unusable } from "./upkeep.ts";

/** Roles that nobody gets later: they are settled when a session begins. */
const SETTLED: readonly Role[] = ["operator", "runtime"];

/** An agent joins once, with one key: joining again must not be a way to more roles. */
export function checkEnrolment(
  session: Session,
  { body }: Event<"agent_enrolled">,
): Refusal | undefined {
  const settled = body.roles.find((role) => SETTLED.includes(role));
  return firstRefusal(
    session.agents.has(body.agent) &&
      refuse("IDENTITY_GUARD", `${body.agent} is registered already`),
    settled !== undefined &&
      refuse("ROLE_GUARD", `nobody becomes ${settled} after a session began`),
    session.keys.has(body.key) &&
      refuse("KEY_GUARD", `key ${body.key} is already known in this trace`),
    keyIdOf(body.public) !== body.key &&
      refuse("KEY_GUARD", `the key id of ${body.agent} does not belong to its public key`),
    () => unusable(body.public),
  );
}

export function applyEnrolment(session: Session, { body }: Event<"agent_enrolled">): void {
  const { agent, roles, key, public: publicText } = body;
  session.agents.set(agent, { roles, key });
  session.keys.set(key, { agent, public: publicText, status: "active" });
}

export function checkRunStart(
  session: Session,
  { body }: Event<"run_started">,
): Refusal | undefined {
  const { run_id, agent, parent_run_id, previous_run_id, depth } = body;
  const parent = session.runs.get(parent_run_id ?? "");
  const previous = session.runs.get(previous_run_id ?? "");
  const expected = parent === undefined ? 0 : parent.depth + 1;
  return firstRefusal(
    session.runs.has(run_id) && refuse("IDENTITY_GUARD", `run ${run_id} exists already`),
    parent_run_id !== undefined &&
      parent?.status !== "running" &&
      refuse("ORDER_GUARD", `there is no running run ${parent_run_id} to start another`),
    previous_run_id !== undefined &&
      (previous === undefined || previous.status === "running") &&
      refuse("ORDER_GUARD", `there is no run ${previous_run_id} that has ended`),
    !session.agents.has(agent) && refuse("ORDER_GUARD", `there is no agent ${agent}`),
    depth !== expected &&
      refuse("LIMIT_GUARD", `run ${run_id} is ${expected} deep, not ${depth} as it says`),
  );
}

export function applyRunStart(session: Session, { seq, body }: Event<"run_started">): void {
  session.runs.set(body.run_id, { seq, depth: body.depth, status: "running" });
}

export function runLinks(session: Session, { body }: Event<"run_started">): Parent[] {
  const parent = session.runs.get(body.parent_run_id ?? "");
  const previous = session.runs.get(body.previous_run_id ?? "");
  return [
    ...(parent === undefined ? [] : [{ seq: parent.seq, kind: "child_of" as const }]),
    ...(previous === undefined ? [] : [{ seq: previous.seq, kind: "retries" as const }]),
  ];
}

export function checkRunEnd(
  session: Session,
  { body }: Event<"run_completed">,
): Refusal | undefined {
  const { run_id, status, exit_code = 0 } = body;
  return firstRefusal(
    session.runs.get(run_id)?.status !== "running" &&
      refuse("ORDER_GUARD", `there is no running run ${run_id}`),
    status === "completed" &&
      exit_code !== 0 &&
      refuse("ACTION_GUARD", `run ${run_id} exited with ${exit_code}: that is not completed`),
  );
}

export function applyRunEnd(session: Session, { body }: Event<"run_completed">): void {
  const run = session.runs.get(body.run_id);
  if (run) run.status = body.status;
}
