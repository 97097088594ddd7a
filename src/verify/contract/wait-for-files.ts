/** How often a team without a single file is looked at before it is given up. */
const LOOKS_MAX = 3;
/** How long to wait between two looks. */
const WAIT_SECONDS = 60;

/** How often it was looked so far, and how often at most where that is not the format's number. */
export interface Waiting {
  readonly looks: number;
  readonly most?: number;
}

/** Before the first look. */
export const NOT_LOOKED: Waiting = { looks: 0 };
/** Before the only look. */
export const ONE_LOOK: Waiting = { looks: 0, most: 1 };

/** What to do next; `wait` brings what to hand in at the next look. */
export type WaitAnswer =
  | { readonly kind: "proceed" }
  | { readonly kind: "wait"; readonly seconds: number; readonly waiting: Waiting }
  | { readonly kind: "abort"; readonly reason: string };

/**
 * What to do after a look. No file at all means that something went wrong for everybody, such as a
 * wrong folder; then there is nothing to judge, and an empty result would read like a clean one.
 */
export function waitForFiles(waiting: Waiting, expected: number, found: number): WaitAnswer {
  if (found > 0) return { kind: "proceed" };
  const looks = waiting.looks + 1;
  if (looks < (waiting.most ?? LOOKS_MAX)) {
    return { kind: "wait", seconds: WAIT_SECONDS, waiting: { ...waiting, looks } };
  }
  const after = looks === 1 ? "" : ` after ${looks} looks, ${WAIT_SECONDS} seconds apart`;
  return {
    kind: "abort",
    reason: `none of the ${expected} expected files is there${after}; check the output folder and the prompts`,
  };
}
