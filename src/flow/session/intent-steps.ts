import { type EventRequest, RISK_CLASSES } from "../../schema/index.ts";
import { json } from "../exec/exec-record.ts";
import { cut } from "../record/entry-text.ts";
import { freshTrace } from "../record/recorder.ts";
import { workIdOf } from "../work/work-scene.ts";
import { freeze } from "../work/work-state.ts";
import { inRound, VERIFY } from "./next-step.ts";
import type { OpenSession } from "./open-session.ts";
import { CriticWords } from "./review-step.ts";
import { CRITIC, PROVER, WORKER } from "./seats.ts";

/** The worker signs what it is going to do, subtask by subtask, and the prover what it will read. */
export async function intendStep(on: OpenSession): Promise<undefined> {
  const { plan, round, feedback, begin } = on;
  const contract = freeze(plan, 1).digest;
  const risks = risksOf(on);
  const intents = plan.subtasks.map((subtask): EventRequest => {
    const name = subtask.id.toLowerCase();
    const order = json(inRound(`order.${name}`, round), {
      ...{ contract, start: begin.start, round, subtask, feedback },
    });
    return {
      actor: WORKER,
      type: "tool_intent_signed",
      body: {
        intent_id: inRound(name, round),
        proposal_id: on.proposalOf(subtask.id),
        tool_name: subtask.id,
        normalized_input_hash: order.name ?? "",
        risk_class: risks.get(subtask.id) ?? "high",
        justification: cut(
          round === 0 ? `${subtask.id} is in the plan` : `Rework ${round}: ${feedback.join("; ")}`,
        ),
      },
      artifacts: [order],
    };
  });
  await on.record.record([...intents, verifying(on, contract)]);
  return undefined;
}

function verifying(on: OpenSession, contract: string): EventRequest {
  const { plan, round } = on;
  const order = json(inRound(`order.${VERIFY}`, round), { contract, round });
  return {
    actor: PROVER,
    type: "tool_intent_signed",
    body: {
      intent_id: inRound(VERIFY, round),
      proposal_id: on.proposalOf(plan.subtasks[0]?.id ?? ""),
      tool_name: VERIFY,
      normalized_input_hash: order.name ?? "",
      risk_class: "low",
      justification: "What the work recorded is read by the offline verifier.",
    },
    artifacts: [order],
  };
}

function risksOf({ record }: OpenSession) {
  const { reviews } = CriticWords.parse(record.json("critique"));
  return new Map(reviews.map(({ proposal, risk }) => [proposal, risk]));
}

/** The critic lets intents through, or blocks those whose risk the profile does not bear. */
export async function clearStep(on: OpenSession): Promise<undefined> {
  const { session } = on.record;
  const limit = RISK_CLASSES.indexOf(on.rules.blockFrom);
  const waiting = [...session.intents].filter(
    ([, { review, execution }]) => review === "pending" && execution === undefined,
  );
  const requests = waiting.map(([intent_id, { risk }]): EventRequest => {
    const isBlocked = risk >= limit;
    const rationale = `Its risk is ${RISK_CLASSES[risk]}; the profile ${on.begin.profile} blocks from ${on.rules.blockFrom} on.`;
    if (isBlocked) on.say(intent_id, `blocked: ${rationale}`);
    const intent_status = isBlocked ? ("blocked" as const) : ("approved" as const);
    return {
      actor: CRITIC,
      type: "intent_reviewed",
      body: { intent_id, intent_status, rationale },
    };
  });
  await on.record.record(requests);
  return undefined;
}

/** The executions begin in the record, with the name of the work that is about to begin. */
export async function beginStep(on: OpenSession): Promise<undefined> {
  const { plan, round, place } = on;
  const { session } = on.record;
  const trace = freshTrace(place);
  const link = json(inRound("work", round), { work: workIdOf(trace), trace });
  const open = plan.subtasks
    .map(({ id }) => inRound(id.toLowerCase(), round))
    .filter((name) => session.intents.get(name)?.execution === undefined);
  await on.record.record(
    open.map((name, at) => ({
      actor: WORKER,
      type: "tool_execution_started",
      body: { execution_id: name, intent_id: name },
      artifacts: at === 0 ? [link] : [],
    })),
  );
  return undefined;
}
