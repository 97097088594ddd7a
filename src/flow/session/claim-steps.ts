import * as z from "zod";
import { assert } from "../../base/index.ts";
import { dataBlock } from "../../plan/index.ts";
import type { EventRequest } from "../../schema/index.ts";
import type { WorkReport } from "../../schema/work.ts";
import { json } from "../exec/exec-record.ts";
import { cut } from "../record/entry-text.ts";
import { askSeat } from "./ask-seat.ts";
import { endFailed } from "./end-step.ts";
import { inRound, VERIFY, WHOLE } from "./next-step.ts";
import type { OpenSession, Waits } from "./open-session.ts";
import { CRITIC, LEAD, PROVER } from "./seats.ts";

const PATCH_BYTES_MAX = 400_000;
const CLAIMS_MAX = 900;
/** How sure a claim is that says itself what is not shown. */
const UNSURE = 50;

const Challenges = z.strictObject({
  challenges: z
    .array(z.strictObject({ claim: z.string(), reason: z.string().min(1).max(2_000) }))
    .max(100),
});

/** What was proven is claimed, with what shows it; a rework's claims take the place of the old ones. */
export async function claimStep(on: OpenSession): Promise<undefined> {
  const report = reportOf(on);
  const { round } = on;
  const proven = report.subtasks.filter(({ status }) => status === "proven");
  const claims = proven.slice(0, CLAIMS_MAX).map(({ id, name, tries }): EventRequest => {
    const own = id.toLowerCase();
    const count = tries.at(-1)?.proofs.length ?? 0;
    return claiming(on, own, {
      text: `${id} (${name}) does what the plan asks for: ${count} of ${count} proofs pass.`,
      evidence: [inRound(`result.${own}`, round), inRound("verification", round)],
      executions: [inRound(own, round), inRound(VERIFY, round)],
    });
  });
  const [first] = report.subtasks;
  const whole = claiming(on, WHOLE, {
    text: `The branch ${report.branch} at ${report.commit} holds it${howEnded(report)}.${moreThan(claims.length, proven.length)}`,
    confidence: report.unproven.length === 0 ? 100 : UNSURE,
    evidence: [inRound("work-report", round), inRound("verification", round)],
    executions: [inRound(first?.id.toLowerCase() ?? "", round), inRound(VERIFY, round)],
  });
  await on.record.record([...claims, whole]);
  return undefined;
}

/** What nobody has shown is part of the claim: nobody can say that it was kept back. */
function howEnded({ unproven }: WorkReport): string {
  if (unproven.length === 0) return ", and passed the exit gates";
  return `; no exit gate stopped it, and this is not shown: ${unproven.join("; ")}`;
}

/** A statement at the end lists a bounded number of claims; what has none is counted in the last. */
function moreThan(claimed: number, proven: number): string {
  if (proven === claimed) return "";
  return ` ${proven - claimed} more subtasks are proven and have no claim of their own.`;
}

function reportOf(on: OpenSession): WorkReport {
  const report = on.workReport;
  assert(report !== undefined, "a claim follows a work that has ended");
  return report;
}

function claiming(
  on: OpenSession,
  name: string,
  about: {
    readonly text: string;
    readonly evidence: string[];
    readonly executions: string[];
    readonly confidence?: number;
  },
): EventRequest {
  const { session } = on.record;
  const { round } = on;
  const proposal = on.proposed?.names[name.toUpperCase()] ?? "";
  const meets = (session.proposals.get(proposal)?.conditions ?? []).map((_, condition) => ({
    proposal_id: proposal,
    condition,
  }));
  const earlier = round === 0 ? undefined : standingOf(on, name, round - 1);
  return {
    actor: PROVER,
    type: "claim_issued",
    body: {
      claim_id: inRound(name, round),
      claim_text: cut(about.text),
      confidence: about.confidence ?? 100,
      evidence: about.evidence,
      execution_ids: about.executions,
      ...(earlier === undefined ? {} : { revises: earlier }),
      ...(meets.length === 0 ? {} : { meets }),
    },
  };
}

/** What of an earlier round still stands under a name, as it was or narrowed. */
function standingOf(on: OpenSession, name: string, upTo: number): string | undefined {
  const { standing } = on.record.session.tally;
  for (let round = upTo; round >= 0; round -= 1) {
    const known = [`${inRound(name, round)}.narrowed`, inRound(name, round)];
    const found = known.find((id) => standing.has(id));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The critic has its say about what is claimed; without an agent the gates' own doubts are said. */
export async function challengeStep(on: OpenSession): Promise<Waits | undefined> {
  const { round } = on;
  const { standing } = on.record.session.tally;
  const heard = await challengesOf(on);
  if ("waits" in heard) return heard;
  const { said, isGrave } = heard;
  const known = said.filter(({ claim }) => standing.has(claim));
  const challenges = known.map(
    ({ claim, reason }, at): EventRequest => ({
      actor: CRITIC,
      type: "claim_challenged",
      body: { challenge_id: inRound(`c${at + 1}`, round), claim_id: claim, reason: cut(reason) },
    }),
  );
  for (const { claim, reason } of known) on.say(claim, `challenged: ${reason}`);
  const told: EventRequest = {
    actor: CRITIC,
    type: "message_posted",
    body: { text: `${known.length} of ${standing.size} claims are challenged.` },
    artifacts: [json(inRound("challenges", round), { is_grave: isGrave, challenges: known })],
  };
  await on.record.record([...challenges, told]);
  return undefined;
}

interface Said {
  readonly said: readonly { readonly claim: string; readonly reason: string }[];
  /** Whether the work has to be done again; otherwise the claim has to say less. */
  readonly isGrave: boolean;
}

async function challengesOf(on: OpenSession): Promise<Said | Waits> {
  const { round, rules } = on;
  const { critic } = on.begin.seats;
  const report = reportOf(on);
  const isStruck = rules.gaps === "struck";
  const gaps = report.unproven.map((reason) => ({ claim: inRound(WHOLE, round), reason }));
  const own = gaps.length === 0 ? [] : [joined(gaps)];
  if (critic === null) return { said: own, isGrave: isStruck };
  const answer = await askSeat(on, { by: critic, prompt: () => promptOf(on, report) }, Challenges);
  // Fail closed: a critic that cannot be heard has let nothing through, and named nothing to put right.
  if ("why" in answer) {
    return { waits: [`${answer.why}: no claim is let through`, "sworn resume asks again"] };
  }
  const said = answer.said.challenges;
  return said.length === 0 ? { said: own, isGrave: isStruck } : { said, isGrave: true };
}

function joined(gaps: readonly { readonly claim: string; readonly reason: string }[]) {
  return { claim: gaps[0]?.claim ?? "", reason: gaps.map(({ reason }) => reason).join("; ") };
}

async function promptOf(on: OpenSession, report: WorkReport): Promise<string> {
  const { repository } = on.scene.runner.scene;
  const patch = await repository.patchText(report.start, report.commit ?? "", PATCH_BYTES_MAX);
  const claims = report.subtasks.map(({ id, name, status }) => ({
    ...{ claim: inRound(id.toLowerCase(), on.round), says: `${name}: ${status}` },
  }));
  return [
    "You are the critic of work that others did. They claim what stands below. Challenge each claim that the change does not bear out; challenge nothing else.",
    dataBlock("task", on.plan.verimapped_task),
    dataBlock(
      "claims",
      JSON.stringify([...claims, { claim: inRound(WHOLE, on.round), says: "all of it" }]),
    ),
    dataBlock("change", patch ?? "The change is too long to be shown."),
    "The last line of your answer is one JSON object and nothing else:",
    '{"challenges": [{"claim": "<its name>", "reason": "<what is wrong, with file and line>"}]}',
  ].join("\n\n");
}

/** Challenged claims say less from now on, or fall; the critic then ends its challenge. */
export async function answerStep(on: OpenSession): Promise<undefined> {
  const { round } = on;
  const { session } = on.record;
  const open = [...session.tally.openChallenges];
  const { challenges, is_grave: isGrave } = Challenges.extend({ is_grave: z.boolean() }).parse(
    on.record.json(inRound("challenges", round)),
  );
  const requests = open.flatMap((challenge_id): EventRequest[] => {
    const claim = session.challenges.get(challenge_id)?.claim ?? "";
    const reason = challenges.find((one) => one.claim === claim)?.reason ?? "";
    return isGrave ? [upheld(challenge_id)] : narrowed(on, claim, challenge_id, reason);
  });
  await on.record.record(requests);
  return undefined;
}

function upheld(challenge_id: string): EventRequest {
  const rationale = "Nothing that was shown answers it; the work has to.";
  return {
    actor: CRITIC,
    type: "challenge_resolved",
    body: { challenge_id, resolution: "upheld", rationale },
  };
}

function narrowed(
  on: OpenSession,
  claim: string,
  challenge_id: string,
  reason: string,
): EventRequest[] {
  const known = on.record.session.claims.get(claim);
  const meets = (known?.meets ?? []).map((key) => {
    const [proposal_id = "", condition = "0"] = key.split("/");
    return { proposal_id, condition: Number(condition) };
  });
  return [
    {
      actor: PROVER,
      type: "claim_issued",
      body: {
        claim_id: `${claim}.narrowed`,
        claim_text: cut(`As ${claim} says, but this is not shown: ${reason}`),
        confidence: UNSURE,
        evidence: [...(known?.evidence ?? [])],
        execution_ids: [...(known?.executions ?? [])],
        revises: claim,
        ...(meets.length === 0 ? {} : { meets }),
      },
    },
    {
      actor: CRITIC,
      type: "challenge_resolved",
      body: {
        challenge_id,
        resolution: "revised",
        rationale: "The claim now says what is not shown.",
      },
    },
  ];
}

/** All that stands, in one statement; after it nobody who worked has a say any more. */
export async function concludeStep(on: OpenSession): Promise<undefined> {
  const { standing } = on.record.session.tally;
  const report = reportOf(on);
  const gaps = report.unproven.length === 0 ? "" : ` Not shown: ${report.unproven.join("; ")}`;
  const refusal = await on.record.ask([
    {
      actor: LEAD,
      type: "final_statement_signed",
      body: {
        consolidated_claim_ids: [...standing],
        final_verdict_text: cut(`${on.begin.request}: ${standing.size} claims stand.${gaps}`),
      },
    },
  ]);
  if (refusal !== undefined) await endFailed(on, `it cannot be stated as done: ${refusal.reason}`);
  return undefined;
}
