import { readTrace } from "../trace/look.ts";
import type { OpenSession } from "./open-session.ts";

/** What a person decided about a completion since it was proposed; the last word counts. */
export function decisionOn({ place, record }: OpenSession, id: string, seq: number) {
  return readTrace(place, record.trace)
    .slice(seq)
    .flatMap((entry) => {
      if (entry.type !== "decision_recorded" || entry.actor.role !== "operator") return [];
      const isAbout = entry.body.links?.some(({ kind, to }) => kind === "completion" && to === id);
      return isAbout ? [entry.body] : [];
    })
    .at(-1);
}
