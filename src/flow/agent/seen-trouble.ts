import { kindOfStatus } from "../../agent/index.ts";
import type { EgressLogLine } from "../../egress/index.ts";
import type { Heard } from "./watch-agent.ts";

type Troubles = Heard["troubles"];

/**
 * What was seen to go wrong with a model, where its agent tells nothing of it: some ask again and
 * again without a word until they are stopped, and some print the refusal as if it were an answer.
 */
export function withSeenTrouble(
  { troubles, answer }: Pick<Heard, "troubles" | "answer">,
  egress: readonly EgressLogLine[],
): Troubles {
  if (troubles.length > 0) return troubles;
  const answered = egress.filter(({ method, status }) => method === "POST" && status !== undefined);
  const wasServed = answered.some(({ status = 0 }) => status < 300);
  const status = answered.at(-1)?.status;
  // Any other status is about the request alone: agents also ask for what their service lacks.
  const why = kindOfStatus(status);
  if (why === undefined || (wasServed && answer !== "")) return troubles;
  return [{ kind: "error", why, message: `its service's last answer had status ${status}` }];
}
