import * as z from "zod";
import { canonicalize } from "../../base/index.ts";
import { dataBlock } from "../../plan/index.ts";
import { type EventRequest, RISK_CLASSES, RiskClass } from "../../schema/index.ts";
import type { Plan, PlanSubtask } from "../../schema/plan.ts";
import { json } from "../exec/exec-record.ts";
import { judgePlan } from "../plan/judge-plan.ts";
import { cut } from "../record/entry-text.ts";
import { gateWord } from "../work/gate-plan.ts";
import { freeze } from "../work/work-state.ts";
import { askSeat } from "./ask-seat.ts";
import type { OpenSession, RejectedPlan, Waits } from "./open-session.ts";
import { CRITIC } from "./seats.ts";

const Line = z.string().min(1).max(2_000);

/** What the critic says of one proposal. */
const ProposalWord = z.strictObject({
  proposal: z.string(),
  status: z.enum(["approved", "conditional", "rejected"]),
  risk: RiskClass,
  rationale: Line,
  /** Criteria that its subtask has to meet besides its own. */
  conditions: z.array(Line).max(20).default([]),
});
type ProposalWord = z.infer<typeof ProposalWord>;
/** @public read again when intents are cleared */
export const CriticWords = z.strictObject({ reviews: z.array(ProposalWord).max(1_000) });

/** How much harm a subtask could do, from what kind it is. */
const RISK_OF: Readonly<Record<PlanSubtask["type"], RiskClass>> = {
  DOCS: "low",
  CODE: "medium",
  CONFIG: "medium",
  INFRA: "high",
};

/**
 * The critic's word on each proposal; what it asks for besides becomes a criterion of the subtask. A
 * plan with a part that is rejected goes back as a whole: nothing of it is approved.
 */
export async function reviewStep(on: OpenSession): Promise<Waits | undefined> {
  const { plan } = on;
  const heard = await wordsOn(on, plan);
  if ("waits" in heard) return heard;
  const words = checkable(plan, heard, on);
  const rejected = words.filter(({ status }) => status === "rejected");
  const carried = [
    json("critique", { reviews: words }),
    rejected.length === 0 ? agreedPlan(plan, words) : json("rejections", rejections(on, words)),
  ];
  const said = rejected.length === 0 ? words : rejected;
  const requests = said.map((word, at): EventRequest => {
    const { status, rationale, conditions, risk, proposal } = word;
    return {
      actor: CRITIC,
      type: "proposal_reviewed",
      body: {
        proposal_id: on.proposalOf(proposal),
        proposal_status: status,
        risk_assessment: risk,
        rationale: cut(rationale),
        ...(status === "conditional" ? { conditions } : {}),
      },
      artifacts: at === 0 ? carried : [],
    };
  });
  for (const { proposal, status, rationale } of words) on.say(proposal, `${status}: ${rationale}`);
  await on.record.record(requests);
  return undefined;
}

function agreedPlan(plan: Plan, words: readonly ProposalWord[]) {
  const { text } = freeze(withConditions(plan, words), 1);
  return { name: "plan.agreed", text, media_type: "application/json" };
}

/** All that was rejected until now: who plans anew must not come back with it. */
function rejections(on: OpenSession, words: readonly ProposalWord[]): RejectedPlan[] {
  const parts = on.plan.subtasks.map(({ id, name, instruction }) => {
    const word = words.find(({ proposal }) => proposal === id);
    const rejected_because = word?.status === "rejected" ? word.rationale : null;
    return { subtask: id, name, instruction, rejected_because };
  });
  return [...on.rejections, { plan: on.proposed?.plan ?? 1, parts }];
}

async function wordsOn(on: OpenSession, plan: Plan): Promise<ProposalWord[] | Waits> {
  const { critic } = on.begin.seats;
  if (critic === null) {
    const rationale =
      "The plan passed the gate, which takes the seat because no agent is configured as critic.";
    return plan.subtasks.map((one) => ({
      ...{ proposal: one.id, status: "approved", risk: RISK_OF[one.type], rationale },
      conditions: [],
    }));
  }
  const answer = await askSeat(on, { by: critic, prompt: () => promptOf(plan) }, CriticWords);
  // Fail closed: silence, and two words about one thing, approve nothing. Another plan would not help.
  if ("why" in answer) return askAgain(answer.why);
  const words = plan.subtasks.map((one): ProposalWord | undefined => {
    const said = answer.said.reviews.filter(({ proposal }) => proposal === one.id);
    const [word] = said;
    if (word === undefined || said.length > 1) return undefined;
    const risk = higher(word.risk, RISK_OF[one.type]);
    const isEmpty = word.status === "conditional" && word.conditions.length === 0;
    return { ...word, risk, status: isEmpty ? "approved" : word.status };
  });
  const unheard = plan.subtasks.filter((_, at) => words[at] === undefined).map(({ id }) => id);
  if (unheard.length > 0) return askAgain(`${critic} did not say one word about ${unheard}`);
  return words.filter((word) => word !== undefined);
}

function askAgain(why: string): Waits {
  return { waits: [`${why}: nothing is approved`, "sworn resume asks again"] };
}

function higher(one: RiskClass, other: RiskClass): RiskClass {
  return RISK_CLASSES.indexOf(one) > RISK_CLASSES.indexOf(other) ? one : other;
}

/** Conditions that the gate would not let into a plan cannot be checked: that is a no. */
function checkable(plan: Plan, words: ProposalWord[], on: OpenSession): ProposalWord[] {
  if (words.every(({ status }) => status !== "conditional")) return words;
  const bytes = Buffer.from(canonicalize(withConditions(plan, words)));
  const word = gateWord(judgePlan(bytes), on.begin.profile);
  if (word.kind === "open") return words;
  const why = word.report.violations[0]?.message ?? "the plan is not ready with them";
  return words.map((one) =>
    one.status === "conditional"
      ? {
          ...one,
          status: "rejected",
          rationale: `${one.rationale} Its conditions cannot be checked: ${why}`,
        }
      : one,
  );
}

/** Each condition is judged like any other criterion of its subtask. */
function withConditions(plan: Plan, words: readonly ProposalWord[]): Plan {
  const asked = new Map(
    words
      .filter(({ status }) => status === "conditional")
      .map((one) => [one.proposal, one.conditions]),
  );
  const subtasks = plan.subtasks.map((one) => {
    const more = (asked.get(one.id) ?? []).map(
      (criterion) => ({ kind: "judge", criterion }) as const,
    );
    return more.length === 0 ? one : { ...one, proofs: [...one.proofs, ...more] };
  });
  return { ...plan, subtasks };
}

function promptOf({ verimapped_task, negative_contract, scope, subtasks }: Plan): string {
  const proposals = subtasks.map(
    ({ id, name, type, instruction, depends_on, proofs, files, edge_cases }) => ({
      ...{ id, name, type, instruction, depends_on, proofs, files, edge_cases },
    }),
  );
  return [
    "You are the critic of a plan that others made. Nothing of it is done yet. Look for what is unsafe, what is missing, and what could not be told apart from a fake.",
    dataBlock("task", verimapped_task),
    dataBlock("scope", JSON.stringify(scope)),
    dataBlock("what must not happen", negative_contract),
    dataBlock("proposals", JSON.stringify(proposals, null, 2)),
    'Give each proposal one word: approved; conditional, with conditions that a stranger can check ("GIVEN … WHEN … THEN …"); or rejected.',
    "Say how much harm it could do: low, medium, high or critical. The last line of your answer is one JSON object and nothing else:",
    '{"reviews": [{"proposal": "ST-01", "status": "approved", "risk": "low", "rationale": "<one sentence>", "conditions": []}]}',
  ].join("\n\n");
}
