import { sha256Hex } from "../../base/index.ts";
import { findPersonal } from "../personal/index.ts";
import { findSecrets } from "../secret/index.ts";

/** What a stretch of text means for whoever holds it. */
export type Weight =
  /** A key or a token: must not leave, and the run does not complete. */
  | "blocking"
  /** Looks like a secret, by its name alone. */
  | "secret"
  /** About a person, and enough to harm them. */
  | "personal"
  /** About a person, as people give it to others. */
  | "contact"
  /** Worth a line, not worth a flag. */
  | "note";

export interface Stretch {
  readonly rule: string;
  readonly weight: Weight;
  readonly start: number;
  readonly end: number;
}

export interface SearchOptions {
  /** Secrets that the runtime itself holds; they must not appear in any form. */
  readonly held?: readonly string[];
  /**
   * Names what was found, SHA-256 unless told. Whoever can try all telephone numbers can undo the
   * plain hash of one; a record that leaves the machine should be given a keyed hash.
   */
  readonly hash?: (text: string) => string;
}

const PERSONAL_WEIGHT = { high: "personal", medium: "contact", low: "note" } as const;

/** Everything in a text that is secret or about a person, in order, each stretch once. */
export function findAll(text: string, { held = [] }: SearchOptions): Stretch[] {
  const secrets = findSecrets(text, { held }).map(({ rule, priority, start, end }): Stretch => {
    return { rule, weight: isGuess(rule, priority) ? "secret" : "blocking", start, end };
  });
  const persons = findPersonal(text).map(({ rule, severity, start, end }): Stretch => {
    return { rule, weight: PERSONAL_WEIGHT[severity], start, end };
  });
  if (persons.length === 0) return secrets;
  return merged([...secrets, ...persons].toSorted((a, b) => a.start - b.start || b.end - a.end));
}

/** Whether a name holds a key or a token: names are listed where contents are never shown. */
export function isSecretName(name: string): boolean {
  return findSecrets(name, { held: [] }).some(({ rule, priority }) => !isGuess(rule, priority));
}

function isGuess(rule: string, priority: string): boolean {
  return rule.startsWith("assigned-") || priority === "P3";
}

/** A telephone number within a key is a part of the key; what sticks out is joined to it. */
function merged(sorted: readonly Stretch[]): Stretch[] {
  const kept: Stretch[] = [];
  for (const one of sorted) {
    const last = kept.at(-1);
    if (last === undefined || one.start >= last.end) kept.push(one);
    else if (one.end > last.end)
      kept[kept.length - 1] = { ...graver(last, one), start: last.start, end: one.end };
    else kept[kept.length - 1] = { ...graver(last, one), start: last.start, end: last.end };
  }
  return kept;
}

const WEIGHTS: readonly Weight[] = ["note", "contact", "personal", "secret", "blocking"];

function graver(one: Stretch, other: Stretch): Stretch {
  return WEIGHTS.indexOf(other.weight) > WEIGHTS.indexOf(one.weight) ? other : one;
}

/** The hash that stands for a text in findings and records. */
export function hashOf(text: string, { hash = sha256Hex }: SearchOptions): string {
  return hash(text);
}
