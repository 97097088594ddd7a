import type { Priority } from "../../../schema/finding.ts";
import { type Flow, INNER, MEMBER } from "../engine/value.ts";
import type { Kind } from "../rule.ts";

/** Data that a stranger sends is urgent where it is executed; a parameter depends on the caller. */
export function executionLevel(kind: Kind): Priority {
  switch (kind) {
    case "request":
    case "network":
    case "archive":
    case "argument":
      return "P1";
    default:
      return "P2";
  }
}

/** For sinks that are an everyday thing to do with a parameter: only what a stranger sends counts. */
export function requestLevel(kind: Kind): Priority | undefined {
  if (kind === "request" || kind === "network") return "P1";
  return kind === "archive" ? "P2" : undefined;
}

/** Whether the value was put behind something, or picked out of something: not just handed on. */
export const isWorked = (flow: Flow): boolean => (flow.shape & (INNER | MEMBER)) !== 0;
