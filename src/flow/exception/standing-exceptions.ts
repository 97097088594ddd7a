import { readdirSync } from "node:fs";
import { messageOf } from "../../base/index.ts";
import { PolicyException } from "../../schema/admission.ts";
import { type Entry, TraceId } from "../../schema/index.ts";
import type { Place } from "../place.ts";
import { projectIdentity } from "../project-identity.ts";
import { soundEntries } from "../trace/sound-entries.ts";
import { exceptionsFolder } from "./exceptions-folder.ts";

/** As many as a decision takes; more in one project are a rule to be changed. */
const EXCEPTIONS_MAX = 1_000;

/** An exception of this project, and why it does not count where it does not. */
export interface FoundException {
  readonly trace: string;
  /** Undefined where the record cannot be believed, so that nothing in it is repeated. */
  readonly exception: PolicyException | undefined;
  /** Whether its session was ended. */
  readonly isEnded: boolean;
  readonly why: string | undefined;
}

/** Those that may count, for a decision that still looks at tasks and dates. */
export function standing(found: readonly FoundException[]): PolicyException[] {
  return found.flatMap(({ exception, why, isEnded }) =>
    exception !== undefined && why === undefined && !isEnded ? [exception] : [],
  );
}

/**
 * Reads the exceptions of a project. Each has a trace of its own, which is verified first: one that
 * does not verify, has no end that is known outside, or was made with keys of somebody else counts
 * for nothing, and says so.
 */
export async function findExceptions(place: Place): Promise<FoundException[]> {
  const traces = tracesIn(exceptionsFolder(place));
  const found: FoundException[] = [];
  for (const trace of traces.slice(0, EXCEPTIONS_MAX)) found.push(await lookAt(place, trace));
  return [
    ...found,
    ...traces
      .slice(EXCEPTIONS_MAX)
      .map((trace) => nothing(trace, `there are more than ${EXCEPTIONS_MAX} exceptions`)),
  ];
}

function tracesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => TraceId.safeParse(name).success)
      .toSorted();
  } catch {
    // Most projects have none; and one that cannot be read allows nothing.
    return [];
  }
}

function nothing(trace: string, why: string): FoundException {
  return { trace, exception: undefined, isEnded: false, why };
}

async function lookAt(place: Place, trace: string): Promise<FoundException> {
  try {
    const { entries, isEnded } = await soundEntries(place, trace);
    return { trace, exception: exceptionIn(place, entries), isEnded, why: undefined };
  } catch (error) {
    // Fail closed: whatever is wrong with it, it allows nothing.
    return nothing(trace, messageOf(error));
  }
}

function exceptionIn(place: Place, entries: readonly Entry[]): PolicyException {
  const [first] = entries;
  const entry = entries.find(({ type }) => type === "exception_recorded");
  if (entry?.type !== "exception_recorded") throw new Error("its record holds no exception");
  const { body, actor } = entry;
  const { scope, secret_review } = body;
  if (scope === undefined) throw new Error("it names no tasks");
  // The same user's keys sign in all projects, and a trace can be copied.
  if (scope.project !== projectIdentity(place)) throw new Error("it is for another project");
  assertApproved(place, actor, body.requester, first);
  return PolicyException.parse({
    id: body.exception_id,
    rule: body.rule,
    reason: body.reason,
    owner: body.owner,
    requester: body.requester,
    approver: actor.agent,
    expires_at: body.expires_at,
    rollback: body.rollback,
    scope: { tasks: scope.tasks, names: scope.names },
    secret_review: isReviewed(entries, entry.seq, secret_review) ? secret_review : null,
  });
}

/** Two people with two keys: one who asked and signed for that, and one who approved it. */
function assertApproved(
  place: Place,
  { agent, key }: Entry["actor"],
  requester: string,
  first: Entry | undefined,
): void {
  if (first?.actor.agent !== requester || agent === requester || key === first.actor.key) {
    throw new Error(`${requester} did not ask for it, or approved it too`);
  }
  const own = place.keyring.list().find((one) => one.agent === agent && one.key === key);
  if (own === undefined || own.status === "revoked") {
    throw new Error(`${agent} approved it with a key that is not known here, or was revoked`);
  }
}

function isReviewed(entries: readonly Entry[], before: number, reviewer: string | undefined) {
  return entries.some(
    ({ type, actor, seq }) => type === "message_posted" && actor.agent === reviewer && seq < before,
  );
}
