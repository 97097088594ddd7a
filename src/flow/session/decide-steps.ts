import { ulid } from "../../base/index.ts";
import { json } from "../exec/exec-record.ts";
import { cut } from "../record/entry-text.ts";
import { actorOf, RUNTIME } from "../talk/bus.ts";
import type { Review } from "../vote/read-reviews.ts";
import { decisionOn } from "./decision-on.ts";
import { completionOf, inRound } from "./next-step.ts";
import type { OpenSession, Waits } from "./open-session.ts";
import { reviewOf } from "./vote-steps.ts";

/**
 * Votes that pass only with a decision wait for a person's. Whoever was killed between the decision
 * and what follows from it finds the decision here.
 */
export async function decideStep(on: OpenSession): Promise<Waits | undefined> {
  const found = completionOf(on.record.session, on.round);
  if (found === undefined) return { waits: ["nothing is proposed"] };
  const [id, { seq, digest }] = found;
  const decision = decisionOn(on, id, seq);
  if (decision === undefined) return { waits: waitsForDecision(on, id) };
  const { decision_id, choice: reason } = decision;
  const body = { completion_id: id, digest, to: "consensus" as const, reason, decision_id };
  await on.record.record([{ actor: actorOf(RUNTIME), type: "review_moved", body }]);
  on.say("decision", `${decision_id}: ${reason}; consensus`);
  return undefined;
}

function waitsForDecision(on: OpenSession, id: string): string[] {
  const review = reviewOf(on, id);
  const { trace } = on.record;
  return [
    `${tallyOf(review)}: they pass with a recorded decision about what is in doubt`,
    ...doubtsOf(review),
    `sworn decide "<what is done about it>" --context "<why>" --for ${id} --trace ${trace}, then sworn resume; sworn vote ${id} red --trace ${trace} sends it back`,
  ];
}

function tallyOf(review: Review | undefined): string {
  const { green = 0, yellow = 0, red = 0 } = review?.counts ?? {};
  return `${green} green, ${yellow} yellow${red === 0 ? "" : `, ${red} red`}`;
}

/** What those who were not content said, with what they ask for. */
function doubtsOf(review: Review | undefined): string[] {
  return (review?.votes ?? [])
    .filter(({ body }) => body.vote !== "green")
    .map(({ agent, body: { vote, rationale, fix, mitigations = [] } }) => {
      const asked = mitigations.map(
        ({ action, owner, deadline }) => `${action} (${owner}, until ${deadline})`,
      );
      return [`${agent} votes ${vote}: ${rationale}`, ...asked, ...(fix ? [fix] : [])].join(" ");
    });
}

/** All have voted twice and do not agree: that is written down, and the work goes back. */
export async function disagreeStep(on: OpenSession): Promise<Waits | undefined> {
  const found = completionOf(on.record.session, on.round);
  if (found === undefined) return { waits: ["nothing is proposed"] };
  const [id, { digest }] = found;
  const review = reviewOf(on, id);
  const decision_id = `d-${ulid(on.place.clock()).toLowerCase()}`;
  const choice = "it is not accepted as it is";
  const context = cut(`After a second round: ${[tallyOf(review), ...doubtsOf(review)].join("; ")}`);
  const actor = actorOf(RUNTIME);
  on.say("votes", `no agreement after a second round: ${tallyOf(review)}`);
  await on.record.record([
    {
      actor,
      type: "decision_recorded",
      body: {
        ...{ decision_id, context, choice },
        options: [choice, "it is accepted with the doubts"],
        links: [{ kind: "completion", to: id }],
      },
    },
    {
      actor,
      type: "review_moved",
      body: { completion_id: id, digest, to: "disagreement", reason: choice, decision_id },
    },
    {
      actor,
      type: "message_posted",
      body: { text: "There is no agreement: the work has to answer it." },
      artifacts: [json(inRound("disagreement", on.round), { completion: id })],
    },
  ]);
  return undefined;
}
