import * as z from "zod";
import { dataBlock } from "../../plan/index.ts";
import { DoneItem, type JudgedItem } from "../../schema/completion.ts";
import { Mitigation, Vote } from "../../schema/vote.ts";
import { tempoOf } from "../beat/beat-config.ts";
import { json } from "../exec/exec-record.ts";
import { RUNTIME_AGENT } from "../record/complete.ts";
import { cut } from "../record/entry-text.ts";
import { actorOf, RUNTIME } from "../talk/bus.ts";
import { type Ballot, castVote } from "../vote/cast-vote.ts";
import { proposeCommit } from "../vote/propose-commit.ts";
import { type Review, readReviews } from "../vote/read-reviews.ts";
import { askSeat } from "./ask-seat.ts";
import { decisionOn } from "./decision-on.ts";
import { measureDone } from "./measure-done.ts";
import { completionOf, inRound } from "./next-step.ts";
import type { OpenSession, Waits } from "./open-session.ts";
import { redVotes } from "./red-votes.ts";
import { familiesIn, LEAD, type Seat, votersOf, WORKER } from "./seats.ts";
import { voteWords } from "./waits-for.ts";

const PATCH_BYTES_MAX = 400_000;

type RedVote = Pick<Ballot, "rationale" | "fix">;

const AgentBallot = z.strictObject({
  vote: Vote,
  rationale: z.string().min(1).max(4_000),
  evidence: z.array(z.string().min(1).max(4_096)).min(1).max(20),
  mitigations: z.array(Mitigation).min(1).max(20).optional(),
  fix: z.string().min(1).max(4_000).optional(),
});

/** Proposes what was made as complete, with the definition of done worked out from the record. */
export async function proposeStep(on: OpenSession): Promise<Waits | undefined> {
  const { scene, place, begin, record } = on;
  const { repository, env } = scene.runner.scene;
  const report = on.workReport;
  if (report?.commit === undefined) return { waits: ["the work has no commit to propose"] };
  const families = familiesIn(repository.root);
  const { facts, lcov } = await measureDone(on, report);
  const proposed = await proposeCommit({
    ...{ place, trace: record.trace, repository: repository.root, env, signal: scene.signal },
    open: repository,
    ...{ commit: report.commit, base: report.start, scope: [], facts, lcov },
    deferred: deferredIn(on),
    why: begin.request,
    risks: risksOf(on),
    rollback: "Nothing was merged: leave the branch, or revert its merge.",
    authors: [LEAD, WORKER].map(({ agent }) => ({
      agent,
      family: families.get((agent === LEAD.agent ? begin.seats.planner : begin.seats.worker) ?? ""),
    })),
  });
  if ("kind" in proposed) return { waits: [`the proposal was refused: ${proposed.reason}`] };
  const undone = proposed.done.filter(({ state }) => state === "not-done");
  const lacking = undone.map(({ item, reason }) => `not done: ${item}: ${reason}`);
  on.say("done", lacking.length === 0 ? shownWords(proposed.done) : lacking.join("; "));
  if (lacking.length === 0 || !on.rules.undoneStops) return undefined;
  const { trace } = record;
  const next = `sworn resume looks again; where it can wait: sworn decide "<why it can wait>" --context "<what is missing>" --for ${proposed.completion_id} --trace ${trace}, then sworn resume`;
  return { waits: [...lacking, next] };
}

/** What may wait is not shown, and is not said to be. */
function shownWords(done: readonly JudgedItem[]): string {
  const waiting = done.filter(({ state }) => state === "deferred").map(({ item }) => item);
  const all = "everything that done asks for is shown";
  return waiting.length === 0 ? all : `${all}, but for ${waiting.join(", ")}: that may wait`;
}

/** What was not done in the draft of this round, and may wait by a person's word about that draft. */
function deferredIn(on: OpenSession): ReadonlyMap<DoneItem, string> {
  const [id = "", draft] = completionOf(on.record.session, on.round) ?? [];
  const decision = draft?.phase === "DRAFT" ? decisionOn(on, id, draft.seq) : undefined;
  if (decision === undefined) return new Map();
  const undone = z.array(DoneItem).parse(reviewOf(on, id)?.body.undone ?? []);
  return new Map(undone.map((item) => [item, decision.decision_id]));
}

function risksOf({ plan, workReport }: OpenSession): string[] {
  return [plan.negative_contract, ...(workReport?.unproven ?? [])].map(cut);
}

/** Asks everybody who votes and has not; the runtime's own check is the first of them. */
export async function voteStep(on: OpenSession): Promise<Waits | undefined> {
  const found = completionOf(on.record.session, on.round);
  if (found === undefined) return { waits: ["nothing is proposed"] };
  const [id, { votes, isConverged }] = found;
  if (!votes.has(RUNTIME_AGENT)) {
    await cast(on, id, RUNTIME, runtimeBallot(on, id));
    return undefined;
  }
  const voters = on.rules.isVoted ? votersOf(on.begin.seats) : [];
  const silent = voters.filter(({ agent }) => !votes.has(agent));
  if (silent.length > 0) return askAll(on, id, silent);
  if (!isConverged) return waitsForPeople(on, id);
  return (await askAll(on, id, voters)) ?? votedAgain(on);
}

async function askAll(
  on: OpenSession,
  id: string,
  seats: readonly Seat[],
  before: ReadonlyMap<string, RedVote> = new Map(),
) {
  const troubles: string[] = [];
  for (const seat of seats) {
    // With the vote before this one it can have been agreed on: then nobody votes any more.
    if (on.record.session.completions.get(id)?.phase !== "REVIEW") break;
    const why = await askForVote(on, id, seat, before.get(seat.agent));
    if (why !== undefined) troubles.push(`${seat.agent} (${seat.by}) gave no vote: ${why}`);
  }
  return troubles.length > 0 ? { waits: [...troubles, "sworn resume asks again"] } : undefined;
}

/** The files are those that somebody voted red on: whoever did, and can be asked, says what it says now. */
export async function lookAgainStep(on: OpenSession): Promise<Waits | undefined> {
  const found = completionOf(on.record.session, on.round);
  if (found === undefined) return { waits: ["nothing is proposed"] };
  const [id, { votes }] = found;
  const reds = redVotes(on);
  const asked = votersOf(on.begin.seats).filter(
    ({ agent }) => reds.has(agent) && !votes.has(agent),
  );
  return askAll(on, id, asked, reds);
}

async function votedAgain(on: OpenSession): Promise<undefined> {
  const actor = actorOf(RUNTIME);
  const body = { text: "Everybody has voted a second time." };
  const artifacts = [json(inRound("voted-again", on.round), { round: on.round })];
  await on.record.record([{ actor, type: "message_posted", body, artifacts }]);
  return undefined;
}

function waitsForPeople(on: OpenSession, id: string): Waits {
  const review = reviewOf(on, id);
  return {
    waits: [...(review?.blockers ?? []), voteWords(id, on.record.trace)],
  };
}

/** The review of a completion as it stands. */
export function reviewOf(on: OpenSession, id: string): Review | undefined {
  const tempo = tempoOf(on.scene.runner.scene.repository.root);
  return readReviews(on.place, on.record.trace, tempo).find((one) => one.completion_id === id);
}

/** A check that holds a seat: it says what the audit and the definition of done came to. */
function runtimeBallot(on: OpenSession, id: string): Ballot {
  const isGood = on.auditWord?.verdict === "pass";
  const hash = on.record.session.artifactNames.get(inRound("audit", on.round)) ?? "";
  const deferred = (reviewOf(on, id)?.body.deferred ?? []).map(({ item }) => item);
  const shown = deferred.length === 0 ? "is shown" : `is shown, but for ${deferred.join(", ")}`;
  return {
    vote: isGood ? "green" : "red",
    focus: ["the audit", "the definition of done"],
    rationale: isGood
      ? `The audit passes, the record of the work verifies, and what done asks for ${shown}.`
      : "The audit does not pass.",
    evidence: [`sha256:${hash}`],
    ...(isGood ? {} : { fix: "Put right what the audit names." }),
    check: "session-gates",
  };
}

async function askForVote(
  on: OpenSession,
  id: string,
  seat: Seat,
  before: RedVote | undefined,
): Promise<string | undefined> {
  const { root } = on.scene.runner.scene.repository;
  const at = on.workReport?.commit;
  const by = seat.by ?? "";
  const answer = await askSeat(on, { by, at, prompt: () => promptOf(on, id, before) }, AgentBallot);
  if ("why" in answer) return answer.why;
  const { evidence, ...said } = answer.said;
  const family = familiesIn(root).get(by);
  return cast(on, id, seat, { ...said, focus: ["the change"], evidence, family });
}

async function cast(
  on: OpenSession,
  id: string,
  { agent, role }: Pick<Seat, "agent" | "role">,
  ballot: Ballot,
): Promise<string | undefined> {
  const { repository, env } = on.scene.runner.scene;
  const source = { repository: repository.root, env, signal: on.scene.signal };
  const booth = { place: on.place, trace: on.record.trace, author: { agent, role }, source };
  const outcome = await castVote(booth, id, ballot);
  if ("kind" in outcome) return outcome.reason;
  const moved = outcome.moved === null ? "" : `; ${outcome.moved}`;
  on.say(agent, `votes ${ballot.vote}: ${ballot.rationale}${moved}`);
  return undefined;
}

/** @param before the red vote that whoever is asked cast on these very files */
async function promptOf(on: OpenSession, id: string, before: RedVote | undefined): Promise<string> {
  const { repository } = on.scene.runner.scene;
  const report = on.workReport;
  const patch = await repository.patchText(
    report?.start ?? "",
    report?.commit ?? "",
    PATCH_BYTES_MAX,
  );
  const others = (reviewOf(on, id)?.votes ?? []).map(({ agent, body }) => ({
    ...{ agent, vote: body.vote, rationale: body.rationale },
  }));
  return [
    "You vote on whether a piece of work that others did is done. The files are as the work left them.",
    dataBlock("task", on.plan.verimapped_task),
    dataBlock("what must not happen", on.plan.negative_contract),
    dataBlock("audit", JSON.stringify(on.auditWord ?? "not yet made")),
    dataBlock("what is not shown", (report?.unproven ?? []).join("\n")),
    dataBlock("votes until now", JSON.stringify(others)),
    dataBlock("change", patch ?? "The change is too long to be shown; read the files."),
    ...(before === undefined ? [] : [votedRed(before)]),
    "green: done. yellow: done with doubts, each with a mitigation {action, owner, deadline}. red: not done, with a fix.",
    "Name the places that you looked at as evidence: path:line of lines that exist. The last line of your answer is one JSON object and nothing else:",
    '{"vote": "green", "rationale": "<why>", "evidence": ["src/a.js:1"]}',
  ].join("\n\n");
}

function votedRed({ rationale, fix }: RedVote): string {
  const words = dataBlock("your last vote, red", JSON.stringify({ rationale, fix }));
  return `${words}\n\nThe work came back with the very same files: look again, and vote as you see it now.`;
}
