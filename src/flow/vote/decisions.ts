import { SwornError, ulid } from "../../base/index.ts";
import type { Body, EventRequest } from "../../schema/index.ts";
import type { Refusal } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { Recorder } from "../record/recorder.ts";
import { type Author, actorOf } from "../talk/bus.ts";
import { readTrace, sessionOf } from "../trace/look.ts";

/** What a decision is about. */
export type DecisionLink = NonNullable<Body<"decision_recorded">["links"]>[number];

/** A decision as it stands in a record, linked both ways. */
export interface Decision {
  readonly trace: string;
  readonly seq: number;
  readonly at: string;
  readonly by: string;
  readonly decision_id: string;
  readonly context: string;
  readonly options: readonly string[];
  readonly choice: string;
  readonly evidence: readonly string[];
  readonly justifies: readonly DecisionLink[];
  readonly replaces: readonly string[];
  readonly replaced_by: readonly string[];
}

/** What somebody decides. */
export interface DecisionRequest {
  readonly id?: string | undefined;
  readonly context: string;
  readonly options: readonly string[];
  readonly choice: string;
  readonly links: readonly DecisionLink[];
}

/**
 * Records a decision. What it links to inside of the trace must be there: a decision about nothing
 * justifies nothing.
 */
export async function recordDecision(
  place: Place,
  trace: string,
  author: Author,
  { id, context, options, choice, links }: DecisionRequest,
): Promise<{ decision_id: string; seq: number } | Refusal> {
  const decision_id = id ?? `d-${ulid(place.clock()).toLowerCase()}`;
  const recorder = Recorder.resume(place, trace);
  try {
    assertLinked(recorder, links);
    const request: EventRequest = {
      actor: actorOf(author),
      type: "decision_recorded",
      body: {
        ...{ decision_id, context, choice },
        options: [...new Set([...options, choice])],
        ...(links.length === 0 ? {} : { links: [...links] }),
      },
    };
    const { refusal } = await recorder.record([request], { artifactRoots: [] });
    return refusal ?? { decision_id, seq: recorder.head.size - 1 };
  } finally {
    recorder.close();
  }
}

function assertLinked({ session }: Recorder, links: readonly DecisionLink[]): void {
  const known = {
    claim: session?.claims,
    completion: session?.completions,
    decision: session?.decisions,
  };
  for (const { kind, to } of links) {
    const names = kind in known ? known[kind as keyof typeof known] : undefined;
    if (kind in known && !names?.has(to)) {
      throw new SwornError("NOT_FOUND", `there is no ${kind} ${to.slice(0, 200)} in this trace`);
    }
  }
}

/** All decisions of traces, in their order; a trace that cannot be read is an error, not a gap. */
export function decisionsIn(place: Place, traces: readonly string[]): Decision[] {
  return traces.flatMap((trace) => {
    const { size } = sessionOf(place, trace).session;
    const found = readTrace(place, trace)
      .slice(0, size)
      .flatMap((entry) => (entry.type === "decision_recorded" ? [entry] : []));
    return found.map(({ seq, at, actor, body }): Decision => {
      const { links = [], evidence = [], ...rest } = body;
      return {
        ...{ trace, seq, at, by: actor.agent, ...rest, evidence },
        justifies: links.filter(({ kind }) => kind !== "decision"),
        replaces: namesOf(links),
        replaced_by: found
          .filter((other) => namesOf(other.body.links ?? []).includes(body.decision_id))
          .map((other) => other.body.decision_id),
      };
    });
  });
}

function namesOf(links: readonly DecisionLink[]): string[] {
  return links.flatMap(({ kind, to }) => (kind === "decision" ? [to] : []));
}

/** A decision that justifies something, and how many steps away it is. */
export interface Justification {
  readonly decision: Decision;
  readonly distance: number;
  /** What led to it: the thing that was asked about, or the decision that took its place. */
  readonly because: string;
}

/**
 * Walks back from a file, a claim, a completion or a requirement to the decisions that justify it:
 * those about it or about the folder it lies in, then those which these took the place of.
 */
export function walkBack(decisions: readonly Decision[], from: string): Justification[] {
  const found: Justification[] = decisions
    .filter(({ justifies }) => justifies.some((link) => isAbout(link, from)))
    .map((decision) => ({ decision, distance: 1, because: from }));
  const seen = new Set(found.map(({ decision }) => decision));
  for (const { decision, distance } of found) {
    for (const older of decisions) {
      const isOlder =
        older.trace === decision.trace && decision.replaces.includes(older.decision_id);
      if (!isOlder || seen.has(older)) continue;
      seen.add(older);
      // The list grows while it is walked: that is the breadth-first order.
      found.push({ decision: older, distance: distance + 1, because: decision.decision_id });
    }
  }
  return found;
}

function isAbout({ kind, to }: DecisionLink, from: string): boolean {
  if (to === from) return true;
  return kind === "file" && from.startsWith(to.endsWith("/") ? to : `${to}/`);
}
