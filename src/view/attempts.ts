import { type Body, type Policy, RISK_CLASSES } from "../schema/index.ts";
import type { Session, WorkView } from "./session.ts";

type Announced = Pick<Body<"tool_intent_signed">, "tool_name" | "normalized_input_hash">;

/** A tool by the name that counts: "Deploy " is no other tool than "deploy". */
export function toolKey(tool: string): string {
  return tool.trim().toLowerCase();
}

/** The least risk of each tool that a policy names; of two spellings the higher risk counts. */
export function toToolRisks({ tool_risk = {} }: Policy): Map<string, number> {
  const risks = new Map<string, number>();
  for (const [tool, risk] of Object.entries(tool_risk)) {
    const key = toolKey(tool);
    risks.set(key, Math.max(risks.get(key) ?? 0, RISK_CLASSES.indexOf(risk)));
  }
  return risks;
}

export function workKey({ tool_name, normalized_input_hash }: Announced): string {
  return `${normalized_input_hash} ${toolKey(tool_name)}`;
}

/** The piece of work an intent announces, which earlier intents may have announced as well. */
export function workOf({ works }: Session, announced: Announced): WorkView {
  const key = workKey(announced);
  const work = works.get(key) ?? { isBlocked: false, failures: 0, running: 0 };
  works.set(key, work);
  return work;
}
