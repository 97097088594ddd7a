/** A file of a change, as text; a side that is missing did not exist. */
export interface ChangedSource {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
  /** Where it was before, where the change moved it. */
  readonly renamedFrom?: string;
}

export type WeakenedKind =
  | "removed"
  | "skipped"
  | "renamed-away"
  | "loosened"
  | "replaced"
  | "emptied"
  | "unreachable"
  | "config"
  | "unread";

/** A test that demands less than before, or a place where that may be so. */
export interface WeakenedTest {
  readonly kind: WeakenedKind;
  /** `weakened` takes a person's consent in teams; a `note` is for whoever reads the change. */
  readonly severity: "weakened" | "note";
  readonly path: string;
  /** From 1, in the version that `side` names. */
  readonly line?: number;
  readonly side: "before" | "after";
  /** The test's title with the suites around it. */
  readonly test?: string;
  /**
   * As much is demanded as before, only something else: right where the program was to behave in
   * another way, and the test bent to a mistake where it was not.
   */
  readonly isRewrite?: true;
  /** Which test, what it demanded before, and what it demands now. */
  readonly message: string;
}

const WORDS_SHOWN = 160;

/** Where two long texts begin alike, so much of the beginning is shown before the difference. */
const BEGINNING = 40;

/** Two texts for one message, cut so that it shows where they differ. */
export function shownPair(one: string, other: string): [string, string] {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const from = same - BEGINNING;
  if (from <= BEGINNING) return [shown(one), shown(other)];
  const cut = (text: string) => `${shown(text.slice(0, BEGINNING))}… …${shown(text.slice(from))}`;
  return [cut(one), cut(other)];
}

/** Somebody else's text on one line, cut, for a message. */
export function shown(text: string): string {
  const line = text
    .slice(0, WORDS_SHOWN * 4)
    .replaceAll(/[\p{C}\s]+/gu, " ")
    .trim()
    .toWellFormed();
  return line.length <= WORDS_SHOWN ? line : `${line.slice(0, WORDS_SHOWN - 1).toWellFormed()}…`;
}
