import type { EventRequest } from "../../schema/index.ts";
import { chooseAgent } from "../agent/choose-agent.ts";
import { json } from "../exec/exec-record.ts";
import { cut } from "../record/entry-text.ts";
import { readReviews } from "../vote/read-reviews.ts";
import { agentReview, judgeBuiltIn, type Reviewed } from "../work/reviewer-gate.ts";
import { ownFiles } from "./ask-seat.ts";
import { completionOf, inRound } from "./next-step.ts";
import type { AuditWord, OpenSession, Waits } from "./open-session.ts";
import { againstWords, redReasons, voterName } from "./red-votes.ts";
import { AUDITOR } from "./seats.ts";

const REASONS_MAX = 100;

/** The auditor begins: who worked has had their say. */
export async function auditBeginStep(on: OpenSession): Promise<undefined> {
  const verification_id = inRound("audit", on.round);
  await on.record.record([
    { actor: AUDITOR, type: "verification_run_started", body: { verification_id } },
  ]);
  return undefined;
}

/** Somebody who had no part in it looks at the whole; what the offline verifier said in this round counts as well. */
export async function auditStep(on: OpenSession): Promise<Waits | undefined> {
  const word = await auditWordOf(on);
  if ("waits" in word) return word;
  on.say(
    "audit",
    `${word.verdict}, by ${word.by}${word.reasons.map((one) => `; ${one}`).join("")}`,
  );
  const told: EventRequest = {
    actor: AUDITOR,
    type: "message_posted",
    body: { text: cut(`The audit: ${word.verdict}. ${word.reasons.join("; ")}`) },
    artifacts: [json(inRound("audit", on.round), word)],
  };
  await on.record.record([told]);
  return undefined;
}

/** Who audits and cannot be heard has accepted nothing, and found no fault that the worker could answer. */
function unheard({ reasons }: Reviewed): Waits {
  const why = `the auditor gave no answer that counts: ${reasons.join("; ")}`;
  return { waits: [`${why}: nothing is accepted`, "sworn resume asks again"] };
}

async function auditWordOf(on: OpenSession): Promise<AuditWord | Waits> {
  const { round } = on;
  const { session } = on.record;
  if (session.finalStatement === undefined) {
    const [struck, reds] = [struckReasons(on), redReasons(on)];
    const by = struck.length === 0 && reds.length > 0 ? "the votes" : "the critic";
    return { verdict: "fail", by, reasons: [...struck, ...reds] };
  }
  const looked = await lookedAt(on);
  on.scene.signal.throwIfAborted();
  if (looked.isUnheard) return unheard(looked);
  const verified = on.record.json(inRound("verification", round)) as { status?: string };
  const isSound = verified.status === "pass" || verified.status === "pass-with-warnings";
  const isRead =
    looked.verdict === "pass" || (looked.verdict === "unproven" && on.rules.gaps !== "struck");
  const broken = `the record of the work: the offline verifier says ${verified.status}`;
  return {
    verdict: isSound && isRead ? "pass" : "fail",
    by: `${looked.by}, and the offline verifier`,
    reasons: [...looked.reasons, ...(isSound ? [] : [broken])],
  };
}

function struckReasons(on: OpenSession): string[] {
  const said = on.record.json(inRound("challenges", on.round)) as {
    challenges?: { claim: string; reason: string }[];
  };
  return (said.challenges ?? []).map(({ claim, reason }) => `${claim}: ${reason}`);
}

async function lookedAt(on: OpenSession): Promise<Reviewed> {
  const { runner, signal } = on.scene;
  const { repository, env, home } = runner.scene;
  const { root } = repository;
  const report = on.workReport;
  const { auditor } = on.begin.seats;
  const seen = {
    ...{ before: report?.start ?? "", after: report?.commit ?? "", plan: on.plan, signal },
    onStep: (words: string) => on.say("audit", words),
  };
  if (auditor === null) {
    const by = "the built-in reviewers, because no agent is configured as auditor";
    return { by, ...judgeBuiltIn(await on.reviewed()) };
  }
  const chosen = await chooseAgent(auditor, { root, env, home });
  return agentReview(seen, repository, { runner, chosen, task: on.task, at: ownFiles(chosen, on) });
}

/** Why this round is not accepted; nothing when it is. */
export function whyNotAccepted(on: OpenSession): string[] {
  const word = on.auditWord;
  if (word?.verdict === "fail")
    return word.reasons.length > 0 ? word.reasons : ["the audit failed"];
  const found = completionOf(on.record.session, on.round);
  if (found === undefined) return ["nothing was proposed as complete"];
  const [id, { phase }] = found;
  if (phase === "CONSENSUS" || phase === "SUBMITTED" || phase === "MERGED") return [];
  const review = readReviews(on.place, on.record.trace).find((one) => one.completion_id === id);
  const against = (review?.votes ?? [])
    .filter(({ body: { vote } }) => vote === "red" || (on.rules.isVoted && vote !== "green"))
    .map(({ agent, body }) => againstWords(voterName(on, agent), body));
  if (!on.rules.isVoted) return against;
  return against.length > 0 ? against : ["there is no agreement"];
}

/** The auditor ends its audit; what it says is never better than what the runtime finds itself. */
export async function auditEndStep(on: OpenSession): Promise<undefined> {
  const verification_id = inRound("audit", on.round);
  const ended = (status: "pass" | "pass-with-warnings" | "fail") =>
    on.record.ask([
      { actor: AUDITOR, type: "verification_run_completed", body: { verification_id, status } },
    ]);
  const reasons = whyNotAccepted(on);
  if (reasons.length === 0 && (await ended("pass")) === undefined) return undefined;
  if (reasons.length === 0 && (await ended("pass-with-warnings")) === undefined) return undefined;
  on.say("audit", `fails: ${reasons.join("; ") || "the record does not verify"}`);
  await ended("fail");
  return undefined;
}

/** A failed audit sends the session back to work, as often as its policy allows. */
export async function reworkStep(on: OpenSession): Promise<undefined> {
  const reasons = whyNotAccepted(on).map(cut).slice(0, REASONS_MAX);
  const said = reasons.length > 0 ? reasons : ["the record does not verify"];
  const round = on.round + 1;
  on.say("rework", `round ${round}: ${said.join("; ")}`);
  await on.record.record([
    {
      actor: AUDITOR,
      type: "rework_opened",
      body: { round, reasons: said },
      artifacts: [json("feedback", said)],
    },
  ]);
  return undefined;
}
