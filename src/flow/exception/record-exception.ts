import { dirname, join } from "node:path";
import { whyUnusable } from "../../admit/index.ts";
import { ensureFolder, SwornError, ulid } from "../../base/index.ts";
import { loadPolicies } from "../../policy/index.ts";
import type { PolicyException } from "../../schema/admission.ts";
import type { EventRequest, Role } from "../../schema/index.ts";
import { PARTS } from "../exec/exec-record.ts";
import type { Place } from "../place.ts";
import { policySource } from "../policy/policy-source.ts";
import { projectIdentity } from "../project-identity.ts";
import { Recorder } from "../record/recorder.ts";
import { exceptionsFolder } from "./exceptions-folder.ts";

/** Who asks for the runs of a person at this machine. */
export const REQUESTER = "operator";
/** What needs longer than this is no exception any more. */
const LASTS_DAYS_MAX = 366;
const DAY_MS = 86_400_000;
/** A session has somebody for each role; who has no part in an exception has these names. */
const BYSTANDERS = { executor: "sandbox", critic: "policy", auditor: "auditor" } as const;

/** What somebody asks for and somebody else approves. */
export type AskedException = Omit<PolicyException, "id">;

/**
 * Records an exception as a session of its own: whoever asks opens it, whoever looked for secrets
 * says so, and the approver signs the exception, each with their own key. It stands until it
 * expires or its session is ended.
 *
 * @throws SwornError `INPUT_INVALID` for one that could never count, with the reason.
 */
export async function recordException(
  place: Place,
  asked: AskedException,
): Promise<{ id: string; trace: string }> {
  const exception = { ...asked, id: `x-${ulid(place.clock()).toLowerCase()}` };
  await assertWorth(place, exception);
  const recorder = Recorder.start(place);
  try {
    const { refusal } = await recorder.record(scriptOf(exception, projectIdentity(place)), {
      artifactRoots: [],
    });
    if (refusal) {
      throw new SwornError("INPUT_INVALID", `the exception is refused: ${refusal.reason}`);
    }
    // Only where to look; what is found there is verified each time.
    ensureFolder(join(exceptionsFolder(place), recorder.id));
    return { id: exception.id, trace: recorder.id };
  } finally {
    recorder.close();
  }
}

async function assertWorth(place: Place, exception: PolicyException): Promise<void> {
  const last = place.clock() + LASTS_DAYS_MAX * DAY_MS;
  if (Date.parse(exception.expires_at) > last) {
    throw new SwornError(
      "INPUT_INVALID",
      `the exception would last until ${exception.expires_at}, expected at most ${LASTS_DAYS_MAX} days; what is needed for longer is a rule to be changed`,
    );
  }
  const people = [exception.requester, exception.approver, exception.secret_review ?? ""];
  const taken = PARTS.find((name) => people.includes(name));
  if (taken !== undefined) {
    throw new SwornError("INPUT_INVALID", `${taken} is a part of the runtime, expected a person`);
  }
  const policies = await loadPolicies(policySource(place.state, [dirname(place.store)]));
  try {
    const rule = policies.rules.get(exception.rule);
    for (const task of exception.scope.tasks) {
      const why = whyUnusable(exception, { task, requester: REQUESTER }, rule, place.clock);
      if (why !== undefined) {
        throw new SwornError("INPUT_INVALID", `the exception would count for nothing: ${why}`);
      }
    }
  } finally {
    await policies.close();
  }
}

function scriptOf(exception: PolicyException, project: string): EventRequest[] {
  const { id, approver, requester, secret_review, scope, ...body } = exception;
  const reviewer = secret_review ?? BYSTANDERS.critic;
  const agents: { agent: string; roles: Role[] }[] = [
    { agent: requester, roles: ["planner"] },
    { agent: BYSTANDERS.executor, roles: ["executor"] },
    // Whoever approves may also have looked for secrets.
    ...(reviewer === approver ? [] : [{ agent: reviewer, roles: ["critic" as const] }]),
    { agent: BYSTANDERS.auditor, roles: ["auditor"] },
    { agent: approver, roles: reviewer === approver ? ["operator", "critic"] : ["operator"] },
  ];
  return [
    {
      actor: { agent: requester, role: "planner" },
      type: "session_initialized",
      body: {
        task: "exception",
        objective: `${requester} asks for an exception from ${body.rule}: ${body.reason}`,
        profile: "solo",
        agents,
      },
    },
    ...(secret_review === null ? [] : [looked(secret_review, id)]),
    {
      actor: { agent: approver, role: "operator" },
      type: "exception_recorded",
      body: {
        ...body,
        exception_id: id,
        requester,
        expires_at: new Date(body.expires_at).toISOString(),
        scope: { project, ...scope },
        ...(secret_review === null ? {} : { secret_review }),
      },
    },
  ];
}

/** The reviewer's own word; that of the approver alone would be a name and nothing more. */
function looked(reviewer: string, id: string): EventRequest {
  const text = `Looked for secrets in what ${id} exposes, and found none`;
  return { actor: { agent: reviewer, role: "critic" }, type: "message_posted", body: { text } };
}

/**
 * Ends an exception before its time, in the approver's name. There is no way back.
 *
 * @throws SwornError what opening the trace throws, or `INPUT_INVALID` when it has ended already.
 */
export async function endException(
  place: Place,
  { trace, approver }: { trace: string; approver: string },
  reason: string,
): Promise<void> {
  const recorder = Recorder.resume(place, trace);
  try {
    const actor = { agent: approver, role: "operator" as const };
    const { refusal } = await recorder.record(
      [{ actor, type: "session_aborted", body: { reason } }],
      { artifactRoots: [] },
    );
    if (refusal) throw new SwornError("INPUT_INVALID", `it cannot be ended: ${refusal.reason}`);
  } finally {
    recorder.close();
  }
}
