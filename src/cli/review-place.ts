import { SwornError } from "../base/index.ts";
import type { CheckSource } from "../flow/check/check.ts";
import { execRoot } from "../flow/exec/exec-root.ts";
import type { Place } from "../flow/place.ts";
import { type Author, OPERATOR } from "../flow/talk/bus.ts";
import { ensureTalkTrace, requireTalkTrace } from "../flow/talk/talk-trace.ts";
import { sessionOf } from "../flow/trace/look.ts";
import { Name } from "../schema/index.ts";
import { TraceArgument } from "./arguments.ts";
import type { Io } from "./io.ts";

/** The options that say where a review or a decision stands. */
export const reviewScope = { task: Name.optional(), trace: TraceArgument.optional() };

interface Scope {
  readonly task?: string | undefined;
  readonly trace?: string | undefined;
}

/** @throws SwornError `INPUT_INVALID` when both a task and a trace are named. */
export function assertOneScope({ task, trace }: Scope): void {
  if (task === undefined || trace === undefined) return;
  throw new SwornError("INPUT_INVALID", "expected --task or --trace, found both");
}

/** The same to write into: a task that nobody spoke of yet is begun. */
export async function traceToWrite(place: Place, scope: Scope): Promise<string> {
  assertOneScope(scope);
  if (scope.trace !== undefined) return place.find(scope.trace);
  return ensureTalkTrace({ place, task: scope.task });
}

/**
 * The trace that is meant: a session's, a task's, or the project's own.
 *
 * @throws SwornError `INPUT_INVALID` when both are named, `NOT_FOUND` for a task nobody spoke of.
 */
export async function traceIn(place: Place, { task, trace }: Scope): Promise<string> {
  assertOneScope({ task, trace });
  if (trace !== undefined) return place.find(trace);
  return task === undefined ? ensureTalkTrace({ place }) : requireTalkTrace({ place, task });
}

/** Whoever sits at this machine, under the name that the session has for its operator. */
export function personIn(place: Place, trace: string): Author {
  const { agents } = sessionOf(place, trace).session;
  const own = [...agents].find(
    ([agent, { roles }]) => roles.includes("operator") && place.keyring.current(agent),
  );
  return own === undefined ? OPERATOR : { agent: own[0], role: "operator" };
}

/** The repository that a review is about. */
export async function sourceIn(io: Io): Promise<CheckSource> {
  return { repository: await execRoot(io.cwd, io.env), env: io.env, signal: io.signal };
}
