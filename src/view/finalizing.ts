import type { Parent } from "../schema/index.ts";
import { link } from "./planning.ts";
import { firstRefusal, type Refusal, refuse } from "./refusal.ts";
import type { ClaimView, Event, Session } from "./session.ts";

/** The claims nobody has revised or struck. */
export function standingClaims({ claims, tally }: Session): [string, ClaimView][] {
  return [...claims].filter(([id]) => tally.standing.has(id));
}

/** Gate one of two: what must hold before the executor may say "done". The audit is gate two. */
export function checkFinalStatement(
  session: Session,
  { body }: Event<"final_statement_signed">,
): Refusal | undefined {
  const { standing, openChallenges, unmet, bound, unproven, refuted } = session.tally;
  const listed = new Set(body.consolidated_claim_ids);
  return firstRefusal(
    about(
      firstOf(listed, (id) => !standing.has(id)),
      (id) => `${id} is not a standing claim`,
    ),
    // Ends after as many steps as claims are listed, because all of those stand by now.
    () =>
      about(
        firstOf(standing, (id) => !listed.has(id)),
        (id) => `the standing claim ${id} is left out`,
      ),
    about(firstOf(openChallenges), (id) => `challenge ${id} is still open`),
    about(firstOf(unmet), (id) => `no standing claim meets the condition: ${bound.get(id)}`),
    about(firstOf(refuted), (id) => `claim ${id} holds a finding that is not in the source`),
    about(firstOf(session.redSubjects), (id) => `a red vote stands against ${id}`),
    about(firstOf(unproven), (id) => `the evidence of claim ${id} does not suffice`),
  );
}

function firstOf(names: ReadonlySet<string>, fits: (name: string) => boolean = () => true) {
  for (const name of names) if (fits(name)) return name;
  return undefined;
}

function about(name: string | undefined, reason: (name: string) => string): Refusal | undefined {
  return name === undefined ? undefined : refuse("FINALIZATION_GUARD", reason(name));
}

export function applyFinalStatement(
  session: Session,
  { seq, actor }: Event<"final_statement_signed">,
): void {
  session.authors.add(actor.agent);
  session.finalStatement = seq;
}

export function finalLinks(session: Session, { body }: Event<"final_statement_signed">): Parent[] {
  return body.consolidated_claim_ids.flatMap((id) => link("consolidates", session.claims.get(id)));
}
