import { SwornError } from "../../base/index.ts";
import type { Place } from "../place.ts";
import { findTalkTrace } from "../talk/talk-trace.ts";
import { severalMeant } from "../words/names-meant.ts";
import { nearest } from "../words/nearest.ts";
import { type Review, readReviews, type Tempo } from "./read-reviews.ts";

/** Most traces that are looked through for a review. */
const TRACES_MAX = 200;
const LATEST = "latest";

/** Where a review is looked for: one trace, one task, or everywhere in the project. */
export interface ReviewScope {
  readonly place: Place;
  readonly trace?: string | undefined;
  readonly task?: string | undefined;
  readonly tempo?: Tempo | undefined;
}

/** The reviews in a scope, oldest first. Where a trace cannot be read, that is said, not skipped. */
export function reviewsIn({ place, trace, task, tempo }: ReviewScope): Review[] {
  if (trace !== undefined) return readReviews(place, place.find(trace), tempo);
  if (task !== undefined) {
    const known = findTalkTrace({ place, task });
    return known === undefined ? [] : readReviews(place, known, tempo);
  }
  return place
    .traces()
    .slice(-TRACES_MAX)
    .flatMap((one) => readReviews(place, one, tempo));
}

/**
 * The review that somebody means: by the completion's name, the address of what it proposes, or a
 * digest, or the beginning of one of them; `latest` is the last that was proposed. Of several under one name the one that was not
 * revised counts.
 *
 * @throws SwornError `NOT_FOUND`, with what was probably meant.
 */
export function findReview(scope: ReviewScope, wanted: string): Review {
  const all = reviewsIn(scope);
  const last =
    wanted === LATEST ? all.findLast(({ revised_by }) => revised_by === null) : undefined;
  if (last !== undefined) return last;
  const named = called(all, wanted);
  const open = named.filter(({ revised_by }) => revised_by === null);
  const [only, other] = open.length > 0 ? open : named;
  if (only !== undefined && other === undefined) return only;
  const ids = [...new Set(named.map(({ completion_id }) => completion_id))];
  if (ids.length > 1) {
    throw new SwornError("NOT_FOUND", severalMeant("completions", wanted, ids));
  }
  if (only !== undefined) {
    const where = [...new Set(named.map(({ trace }) => trace))].join(", ");
    throw new SwornError(
      "NOT_FOUND",
      `several completions are called ${wanted}: say --task or --trace (${where})`,
    );
  }
  const meant = nearest(
    wanted,
    all.map(({ completion_id }) => completion_id),
  );
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  throw new SwornError(
    "NOT_FOUND",
    `there is no completion "${wanted.slice(0, 200)}"${hint}; see "sworn status --review"`,
  );
}

function called(all: readonly Review[], wanted: string): Review[] {
  const names = ({ completion_id, body }: Review) =>
    [completion_id, body.artifact, body.digest, body.subject].filter((one) => one !== undefined);
  const whole = all.filter((one) => names(one).includes(wanted));
  if (whole.length > 0) return whole;
  return all.filter((one) => names(one).some((name) => name.startsWith(wanted)));
}
