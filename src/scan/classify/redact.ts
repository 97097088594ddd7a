import { DEPTH_MAX, type Json, SwornError } from "../../base/index.ts";
import { findAll, hashOf, type SearchOptions, type Stretch } from "./find-all.ts";

/** What was taken out: by which rule, and the hash of what stood there. */
export interface Redaction {
  readonly rule: string;
  readonly sha256: string;
}

/** More than any entry, prompt or message may have. */
const CHARS_MAX = 16_777_216;
const VALUES_MAX = 1_000_000;
/** Taking something out can bring two halves together; after so many rounds all of it goes. */
const ROUNDS_MAX = 8;
/** Names whose value is looked at together with them. */
const TELLING = /pass|pwd|secret|token|key|cred[e]ntial|auth/i;
const NAME_CHARS_MAX = 80;

/**
 * Takes secrets and personal data out of a text. Doing it twice changes nothing more.
 *
 * @throws SwornError `LIMIT_EXCEEDED` for a text that is too long: it is not appended then.
 */
export function redact(
  text: string,
  options: SearchOptions = {},
): { text: string; redacted: readonly Redaction[] } {
  if (text.length > CHARS_MAX) {
    throw new SwornError(
      "LIMIT_EXCEEDED",
      `a text of ${text.length} characters cannot be looked through, expected at most ${CHARS_MAX}`,
    );
  }
  const redacted: Redaction[] = [];
  let rest = text;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const found = findAll(rest, options).filter(({ weight }) => weight !== "note");
    if (found.length === 0) return { text: rest, redacted };
    rest = withoutStretches(rest, found, redacted, options);
  }
  redacted.push({ rule: "whole-text", sha256: hashOf(rest, options) });
  return { text: markOf("whole-text"), redacted };
}

/** The secret scan takes this word for a stand-in, so that a mark is never found again. */
function markOf(rule: string): string {
  return `[REDACTED:${rule}]`;
}

function withoutStretches(
  text: string,
  found: readonly Stretch[],
  redacted: Redaction[],
  options: SearchOptions,
): string {
  const parts: string[] = [];
  let from = 0;
  for (const { rule, start, end } of found) {
    parts.push(text.slice(from, start), markOf(rule));
    redacted.push({ rule, sha256: hashOf(text.slice(start, end), options) });
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/**
 * The same for every string in a JSON value, however deep; keys stay as they are. A value whose key
 * calls it a password is looked at as one.
 *
 * @throws SwornError `LIMIT_EXCEEDED` for what is too deep, too long or has too many parts.
 */
export function redactJson(
  value: Json,
  options: SearchOptions = {},
): { value: Json; redacted: readonly Redaction[] } {
  const walk: Walk = { options, redacted: [], left: VALUES_MAX };
  return { value: cleaned(walk, value, "", 0), redacted: walk.redacted };
}

interface Walk {
  readonly options: SearchOptions;
  readonly redacted: Redaction[];
  left: number;
}

function cleaned(walk: Walk, value: Json, key: string, depth: number): Json {
  walk.left -= 1;
  if (walk.left < 0 || depth > DEPTH_MAX) {
    throw new SwornError(
      "LIMIT_EXCEEDED",
      `expected at most ${VALUES_MAX} values, nested at most ${DEPTH_MAX} deep`,
    );
  }
  if (typeof value === "string") return cleanedText(walk, value, key);
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) return value.map((item) => cleaned(walk, item, key, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, cleaned(walk, item, name, depth + 1)]),
  );
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}

function cleanedText(walk: Walk, text: string, key: string): string {
  const plain = redact(text, walk.options);
  walk.redacted.push(...plain.redacted);
  if (!isNamedSecret(key, plain.text)) return plain.text;
  walk.redacted.push({ rule: "named-secret", sha256: hashOf(plain.text, walk.options) });
  return markOf("named-secret");
}

/** As the scan would see it in a file: `password="…"`. */
function isNamedSecret(key: string, text: string): boolean {
  if (key.length > NAME_CHARS_MAX || !TELLING.test(key)) return false;
  const line = `${key}="${text}"`;
  return findAll(line, {}).some(({ start, end }) => end > key.length + 2 && start > 0);
}
