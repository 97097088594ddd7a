import { CompletionDocument } from "../../schema/completion.ts";
import type { Entry } from "../../schema/index.ts";
import type { SessionReport } from "../../schema/session-report.ts";
import { WorkReport } from "../../schema/work.ts";
import { weakenedTests } from "../../view/index.ts";
import { readTrace } from "../trace/look.ts";
import { type Review, readReviews } from "../vote/read-reviews.ts";
import { lookingIn } from "../work/work-seats.ts";
import { whyNotAccepted } from "./audit-steps.ts";
import { completionOf, inRound } from "./next-step.ts";
import { AuditWord, type OpenSession, WorkLink } from "./open-session.ts";
import { planOf } from "./plan-step.ts";
import { redVotes } from "./red-votes.ts";
import { familiesIn, type Seat, seatsOf, sharedSeats, sittingsIn, WORKER } from "./seats.ts";
import { completionName, unprovenParts } from "./unproven-parts.ts";

type Part<K extends keyof SessionReport> = SessionReport[K];

/** Everything that a session came to, from its record. */
export function makeSessionReport(on: OpenSession, waits: readonly string[]): SessionReport {
  const { session, trace } = on.record;
  const { lease } = session.cadence;
  const { begin } = on;
  const entries = readTrace(on.place, trace);
  const families = familiesIn(on.root);
  const work = on.workReport;
  const found = completionOf(session, on.round);
  const review = readReviews(on.place, trace).find(
    ({ completion_id }) => completion_id === found?.[0],
  );
  const status = statusOf(on, waits);
  const done = doneOf(on, review);
  const weakened = work === undefined ? [] : weakenedTests(work);
  return {
    ...{ version: 1, session: on.id, trace, asked: begin.request, profile: begin.profile },
    ...{ state: session.state, status, reasons: reasonsOf(on, entries, waits) },
    ...{ start: begin.start, rounds: on.round },
    seats: [...seatsOf(begin.seats), ...lookingAt(work)].map(({ agent, role, by }) => ({
      ...{ agent, role, by, key: session.agents.get(agent)?.key ?? null },
      family: families.get(by ?? "") ?? null,
    })),
    shared: sharedIn(on, families),
    leader: lease ? { holder: lease.holder, number: lease.number } : null,
    planning: on.record.has("planning") ? (on.record.json("planning") as Part<"planning">) : null,
    proposals: proposalsOf(on, entries),
    works: roundWorks(on),
    claims: claimsOf(on, entries),
    challenges: challengesOf(on, entries),
    audits: auditsOf(on),
    done,
    votes: (review?.votes ?? []).map(({ agent, role, body }) => ({
      ...{ agent, role, vote: body.vote, rationale: body.rationale, check: body.check ?? null },
      mitigations: body.mitigations ?? [],
    })),
    decisions: entries.flatMap((entry) => {
      if (entry.type !== "decision_recorded") return [];
      const { decision_id: id, context, choice } = entry.body;
      return [{ id, by: entry.actor.agent, context, choice }];
    }),
    agreed: agreedOf(on, found?.[1].phase),
    proven: [...session.tally.standing].map((id) => `${id}: ${textOf(entries, id)}`),
    unproven: [...unprovenParts(work, done)],
    ...(weakened.length === 0 ? {} : { weakened }),
    delivery: on.delivery ?? null,
    verify: verifyWords(on),
  };
}

/** Who looked at a work beside the seats that sign: asked by the runtime, without a key. */
function lookingAt(work: WorkReport | undefined): Seat[] {
  const looking = work?.seats === undefined ? [] : lookingIn(work.seats);
  return looking.map(({ seat, by }) => ({ agent: seat, role: "critic", by }));
}

/** By the settings of now; of those who worked and looked at it by those that they had then. */
function sharedIn(on: OpenSession, families: ReadonlyMap<string, string>): string[] {
  const { seats: then } = on.workReport ?? {};
  const all = sittingsIn(seatsOf(on.begin.seats), on.root);
  const known = all.map((one) =>
    one.seat === WORKER.agent && then !== undefined ? { ...one, ...then.worker } : one,
  );
  return sharedSeats([...known, ...(then === undefined ? [] : lookingIn(then))], families);
}

function statusOf(on: OpenSession, waits: readonly string[]): Part<"status"> {
  const { state } = on.record.session;
  if (state === "failed" || state === "aborted") return state;
  if (on.delivery !== undefined)
    return on.delivery.status === "planned" ? "rehearsed" : "delivered";
  return waits.length > 0 && !on.scene.signal.aborted ? "waits" : "open";
}

function reasonsOf(on: OpenSession, entries: readonly Entry[], waits: readonly string[]): string[] {
  const ends = entries.flatMap((entry) =>
    entry.type === "session_failed" || entry.type === "session_aborted" ? [entry.body.reason] : [],
  );
  // A last audit that fails ends it without a word of its own.
  const isRefused = on.record.session.state === "failed" && ends.length === 0;
  return [...ends, ...(isRefused ? whyRefused(on) : []), ...waits];
}

/** A voter's no is the last word on it: whoever reads that is told what is left to do. */
function whyRefused(on: OpenSession): string[] {
  const why = whyNotAccepted(on);
  if (redVotes(on).size === 0) return why;
  const next =
    "no round of rework is left: do what is asked for, or say it in the task, then run it again with sworn run";
  return [...why.slice(0, -1), `${why.at(-1)}; ${next}`];
}

function proposalsOf(on: OpenSession, entries: readonly Entry[]): Part<"proposals"> {
  const said = new Map(
    entries.flatMap((entry) =>
      entry.type === "proposal_reviewed" ? [[entry.body.proposal_id, entry.body]] : [],
    ),
  );
  const standing = new Set(Object.values(on.proposed?.names ?? {}));
  return [...on.record.session.proposals.keys()].map((id) => {
    const {
      proposal_status: status = "proposed",
      rationale = "",
      conditions = [],
    } = said.get(id) ?? {};
    const plan = planOf(id);
    return { id, plan, status, is_superseded: !standing.has(id), rationale, conditions };
  });
}

function roundsOf(on: OpenSession): number[] {
  return Array.from({ length: on.round + 1 }, (_, round) => round);
}

/** The work of each round. */
function roundWorks(on: OpenSession): Part<"works"> {
  const { record } = on;
  return roundsOf(on)
    .filter((round) => record.has(inRound("work", round)))
    .map((round) => {
      const { work, trace } = WorkLink.parse(record.json(inRound("work", round)));
      const name = inRound("work-report", round);
      const report = record.has(name) ? WorkReport.parse(record.json(name)) : undefined;
      const { status = null, commit = null, branch = null } = report ?? {};
      return { round, work, trace, status, commit, branch };
    });
}

function textOf(entries: readonly Entry[], id: string): string {
  const entry = entries.find((one) => one.type === "claim_issued" && one.body.claim_id === id);
  return entry?.type === "claim_issued" ? entry.body.claim_text : "";
}

function claimsOf(on: OpenSession, entries: readonly Entry[]): Part<"claims"> {
  return [...on.record.session.claims].map(([id, { status }]) => ({
    ...{ id, text: textOf(entries, id), status },
  }));
}

function challengesOf(on: OpenSession, entries: readonly Entry[]): Part<"challenges"> {
  const { openChallenges } = on.record.session.tally;
  return entries.flatMap((entry) =>
    entry.type === "claim_challenged"
      ? [
          {
            claim: entry.body.claim_id,
            reason: entry.body.reason,
            is_open: openChallenges.has(entry.body.challenge_id),
          },
        ]
      : [],
  );
}

function auditsOf(on: OpenSession): Part<"audits"> {
  return roundsOf(on)
    .filter((round) => on.record.has(inRound("audit", round)))
    .map((round) => ({ round, ...AuditWord.parse(on.record.json(inRound("audit", round))) }));
}

/** The definition of done as it was voted on: from the document that came with the proposal. */
function doneOf(on: OpenSession, review: Review | undefined): Part<"done"> {
  if (review === undefined) return [];
  const parsed = CompletionDocument.safeParse(on.record.json(completionName(review.completion_id)));
  return parsed.success ? parsed.data.done : [];
}

function agreedOf(on: OpenSession, phase: string | undefined): Part<"agreed"> {
  if (phase !== undefined && ["CONSENSUS", "SUBMITTED", "MERGED"].includes(phase)) return "votes";
  return on.record.session.state === "completed" ? "gates" : "no";
}

function verifyWords(on: OpenSession): string[] {
  const { trace } = on.record;
  const works = roundWorks(on).map((one) => `sworn verify ${one.trace}`);
  const packet = on.delivery?.packet;
  return [
    `sworn verify ${trace}`,
    ...works,
    ...(packet === undefined || packet === null ? [] : [`sworn verify ${packet}`]),
  ];
}
