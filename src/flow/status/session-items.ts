import { join } from "node:path";
import { parseJson } from "../../base/index.ts";
import { FINAL_STATES, type Session, type SessionState } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { planningFolder } from "../plan/planner/recall-planning.ts";
import { inRound } from "../session/next-step.ts";
import { Begin, WorkLink } from "../session/open-session.ts";
import { isOnlyRehearsed } from "../session/session-delivery.ts";
import { lastReport, sessionFolder } from "../session/session-folder.ts";
import { recordedGaps } from "../session/unproven-parts.ts";
import { nextFor } from "../session/waits-for.ts";
import { soundText } from "../trace/artifact-bytes.ts";
import { workFolder } from "../work/work.ts";
import { isWorkedOn } from "../work/work-lock.ts";
import { workIdOf } from "../work/work-scene.ts";
import type { Glance } from "./glance.ts";
import type { StatusItem } from "./status-item.ts";

type Own = Pick<StatusItem, "trace" | "task" | "at" | "about">;

/** What a session in each open state waits for: whose turn it is. */
const TURN: Readonly<Partial<Record<SessionState, string>>> = {
  initialized: "planner",
  planning: "planner",
  reviewing: "critic",
  executing: "executor",
  claiming: "executor",
  auditing: "auditor",
};
const SHOWN_MAX = 3;
const LINK_BYTES_MAX = 4_096;
const BEGIN_BYTES_MAX = 64 << 20;

/**
 * The items of a trace that is nobody's talk. Every one is shown by the state that the protocol gives
 * it, whatever made it; a few are known by what they are about, and have commands of their own.
 *
 * @param planned the task that it is the planning of
 * @param unwanted the works whose deliveries were called off: what they lack is nobody's matter
 */
export function sessionItems(
  place: Place,
  glance: Glance,
  {
    planned,
    unwanted,
  }: { readonly planned?: string | undefined; readonly unwanted: ReadonlySet<string> },
): StatusItem[] {
  const { session, trace, last } = glance;
  const own = { trace, task: glance.task, at: last ?? null, about: glance.objective };
  const isPlanned = planned !== undefined;
  const isOver = FINAL_STATES.includes(session.state) || isOldPlanning(glance, isPlanned);
  if (isOver) {
    const isUnwanted = unwanted.has(workAgreedOn(place, session) ?? "");
    return [...unprovenItems(glance, own), ...(isUnwanted ? [] : gapItems(place, glance, own))];
  }
  const open = planned === undefined ? openItem(place, glance, own) : planItem(place, own, planned);
  return [open, ...unprovenItems(glance, own)];
}

/**
 * A planning never comes to a final state: it is over when it says so, and when its task was planned
 * anew, in another trace. Nobody can go on with either.
 */
export function isOldPlanning({ task, planned: verdict }: Glance, isPlanned: boolean): boolean {
  return task === "plan" && (verdict !== undefined || !isPlanned);
}

/**
 * What a session agreed on and nobody has handed over: whoever leads it is at that, or was cut short.
 *
 * @param told the works whose deliveries are told of already, and those that came to their end
 */
export function undelivered(
  place: Place,
  { trace, task, session, last, objective }: Glance,
  told: ReadonlySet<string>,
): StatusItem | undefined {
  if (task !== "session" || session.state !== "completed") return undefined;
  const id = workIdOf(trace);
  const work = workAgreedOn(place, session);
  if (work === undefined || told.has(work) || wasRehearsed(place, id, session)) return undefined;
  const isHeld = isWorkedOn(sessionFolder(place, id));
  return {
    ...{ trace, task, at: last ?? null, about: objective, kind: "session", name: id },
    ...(isHeld
      ? { urgency: "runs", state: "delivering", waits_for: null, next: `sworn cancel ${id}` }
      : { urgency: "blocked", state: "not delivered", waits_for: "you", next: "sworn resume" }),
  };
}

function wasRehearsed(place: Place, id: string, { artifactNames }: Session): boolean {
  const hash = artifactNames.get("begin");
  if (hash === undefined || lastReport(place, id)?.delivery?.status !== "planned") return false;
  const { to, is_sent: isSent } = Begin.parse(parseJson(soundText(place, hash), BEGIN_BYTES_MAX));
  return isOnlyRehearsed(place, { to, isSent });
}

/** By the record, which is there also where whoever led it was killed before any report. */
function workAgreedOn(place: Place, { artifactNames, reworkRounds }: Session): string | undefined {
  const hash = artifactNames.get(inRound("work", reworkRounds));
  if (hash === undefined) return undefined;
  return WorkLink.parse(parseJson(soundText(place, hash), LINK_BYTES_MAX)).work;
}

function openItem(place: Place, glance: Glance, own: Own): StatusItem {
  const { task, trace, session } = glance;
  const { state } = session;
  if (task === "work") return workItem(place, glance, own);
  if (task === "session") return ledItem(place, glance, own);
  const { lease } = session.cadence;
  if (lease?.isStanding || session.runningExecutions > 0) {
    const who = lease?.isStanding ? lease.holder : runnersOf(session);
    const next = `sworn trace tail ${trace} --follow`;
    return { ...own, urgency: "runs", kind: "session", name: trace, state, waits_for: who, next };
  }
  const turn = turnOf(session);
  return {
    ...own,
    ...{ urgency: "waits", kind: "session", name: trace, state, waits_for: turn },
    next: `sworn trace show ${trace}`,
  };
}

function planItem(place: Place, own: Own, task: string): StatusItem {
  const isHeld = isWorkedOn(join(planningFolder(place, task), "planner"));
  const rest = isHeld
    ? ({ urgency: "runs", state: "planning", waits_for: "planner" } as const)
    : ({ urgency: "blocked", state: "left open", waits_for: "you" } as const);
  const next = isHeld ? `sworn trace tail ${own.trace} --follow` : "sworn resume";
  return { ...own, ...rest, task, kind: "planning", name: task, next };
}

function workItem(place: Place, { trace, session }: Glance, own: Own): StatusItem {
  const id = workIdOf(trace);
  const { state } = session;
  const isHeld = isWorkedOn(workFolder(place, id));
  const rest = isHeld
    ? ({ urgency: "runs", waits_for: runnersOf(session), next: `sworn cancel ${id}` } as const)
    : ({ urgency: "blocked", waits_for: "you", next: "sworn resume" } as const);
  return { ...own, ...rest, kind: "work", name: id, state: isHeld ? state : "left open" };
}

/** A whole task: whoever leads it is at it, or it waits for what its last leader wrote down. */
function ledItem(place: Place, { trace, session }: Glance, own: Own): StatusItem {
  const { state } = session;
  const id = workIdOf(trace);
  const folder = sessionFolder(place, id);
  const of = { ...own, kind: "session", name: id, state } as const;
  if (isWorkedOn(folder)) {
    const who = runnersOf(session) ?? turnOf(session);
    return { ...of, urgency: "runs", waits_for: who, next: `sworn cancel ${id}` };
  }
  const waits = waitsOf(place, id, session);
  // Why it waits comes first: a line is cut, and what was asked for is known.
  const about = waits[0] === undefined ? own.about : `${waits[0]} (${own.about})`;
  return { ...of, urgency: "blocked", waits_for: "you", next: nextFor(waits), about };
}

/** What a session waits for, as its last report says it; nothing where somebody answered since. */
function waitsOf(place: Place, id: string, session: Session): readonly string[] {
  const report = lastReport(place, id);
  if (report?.status !== "waits") return [];
  const { votes = new Map() } =
    [...session.completions.values()].findLast(({ revisedBy }) => revisedBy === undefined) ?? {};
  const isVotedSince = [...votes].some(
    ([agent, { vote }]) => !report.votes.some((one) => one.agent === agent && one.vote === vote),
  );
  const isDecidedSince = session.decisions.size > report.decisions.length;
  return isVotedSince || isDecidedSince ? [] : report.reasons;
}

/** Who runs something now. */
function runnersOf({ executions }: Session): string | null {
  const agents = new Set<string>();
  for (const { status, author } of executions.values())
    if (status === "running") agents.add(author);
  return agents.size === 0 ? null : [...agents].slice(0, SHOWN_MAX).join(", ");
}

/** Whose turn it is where nothing runs. A challenge or an intent that waits comes before the state. */
function turnOf(session: Session): string {
  if (session.tally.openChallenges.size > 0) return "planner";
  for (const { review, execution } of session.intents.values()) {
    if (review === "pending" && execution === undefined) return "critic";
  }
  return TURN[session.state] ?? "nobody";
}

function unprovenItems({ trace, session, waived }: Glance, own: Own): StatusItem[] {
  const { unproven, refuted } = session.tally;
  const names = [...refuted, ...[...unproven].filter((id) => !refuted.has(id)), ...waived];
  if (names.length === 0) return [];
  const more = names.length > SHOWN_MAX ? ` and ${names.length - SHOWN_MAX} more` : "";
  const next = `sworn verify ${trace}`;
  const state = refuted.size > 0 ? "refuted" : "unproven";
  const about = `${names.slice(0, SHOWN_MAX).join(", ")}${more}`;
  const waits = { waits_for: null, next };
  return [{ ...own, urgency: "unproven", kind: "session", name: trace, state, ...waits, about }];
}

/** What a session left unproven of what it agreed on: whoever has it is told of that as long as it is there. */
function gapItems(place: Place, { trace, task, session }: Glance, own: Own): StatusItem[] {
  if (task !== "session" || session.state !== "completed") return [];
  const gaps = recordedGaps(place, session);
  if (gaps.length === 0) return [];
  const more = gaps.length > SHOWN_MAX ? `; and ${gaps.length - SHOWN_MAX} more` : "";
  const about = `${gaps.slice(0, SHOWN_MAX).join("; ")}${more}`;
  const what = { urgency: "unproven", kind: "session", name: workIdOf(trace) } as const;
  const next = `sworn verify ${trace}`;
  return [{ ...own, ...what, state: "not proven", waits_for: null, about, next }];
}
