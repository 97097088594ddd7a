/** Why somebody should look, the most urgent first. */
export const URGENCIES = [
  "damaged",
  "blocked",
  "overdue",
  "waits",
  "expires",
  "unproven",
  "runs",
] as const;
export type Urgency = (typeof URGENCIES)[number];

/** What it is; of two that are as urgent, what a person can settle comes first. */
const KINDS = [
  "trace",
  "delivery",
  "output",
  "question",
  "review",
  "exception",
  "run",
  "work",
  "planning",
  "session",
] as const;

/** One thing of a project that runs, waits, is held up or is not proven. */
export interface StatusItem {
  readonly urgency: Urgency;
  readonly kind: (typeof KINDS)[number];
  /** What it is called, as commands take it. */
  readonly name: string;
  readonly task: string | null;
  readonly trace: string | null;
  /** Where it stands, in the words of its own kind. */
  readonly state: string;
  /** Whose turn it is; null where nobody is waited for. */
  readonly waits_for: string | null;
  readonly about: string;
  /** The command to type next. */
  readonly next: string;
  readonly at: string | null;
}

/** The most urgent first; of two of a kind that are as urgent, the newer one. */
export function byUrgency(one: StatusItem, other: StatusItem): number {
  const apart = URGENCIES.indexOf(one.urgency) - URGENCIES.indexOf(other.urgency);
  if (apart !== 0) return apart;
  const kinds = KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind);
  if (kinds !== 0) return kinds;
  const [a, b] = [one.at ?? "", other.at ?? ""];
  if (a !== b) return a > b ? -1 : 1;
  return one.name < other.name ? -1 : 1;
}
