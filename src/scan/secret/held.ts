import type { Candidate } from "./candidate.ts";
import { needlesOf } from "./encoded.ts";
import { KeywordTable } from "./keyword-table.ts";

/** So much of a form is searched for; the rest is compared where that is found. */
const NEEDLE_CHARS_MAX = 12;
/** A line of a multi-line secret is a secret of its own from this length on. */
const LINE_CHARS_MIN = 32;

interface HeldForm {
  readonly text: string;
  /** Hex and percent codes are the same in either case. */
  readonly anyCase: boolean;
  readonly words: string;
}

interface HeldTable {
  readonly forms: readonly HeldForm[];
  readonly table: KeywordTable;
}

/** Tables by the list they were made from: the same list is asked about many files. */
const tables = new WeakMap<readonly string[], HeldTable>();

/**
 * Every place where one of these secrets stands: as it is, escaped for JSON, or in base64, hex or
 * percent encoding. A secret of less than four bytes is looked for only as it is.
 */
export function findHeld(text: string, held: readonly string[]): Candidate[] {
  if (held.every((secret) => secret === "")) return [];
  const { forms, table } = tableOf(held);
  const found: Candidate[] = [];
  let reached = 0;
  table.scan(text, (number, start) => {
    const form = forms[number];
    if (form === undefined || start < reached) return;
    const value = text.slice(start, start + form.text.length);
    if (value !== form.text && !(form.anyCase && sameInAnyCase(value, form.text))) return;
    reached = start + value.length;
    found.push(toCandidate(form, start, value));
  });
  return found;
}

function toCandidate(form: HeldForm, start: number, value: string): Candidate {
  return {
    rule: "held-secret",
    description: `a secret that is in use here${form.words}`,
    priority: "P1",
    rank: -1,
    matchStart: start,
    start,
    end: start + value.length,
    value,
  };
}

function sameInAnyCase(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function tableOf(held: readonly string[]): HeldTable {
  const known = tables.get(held);
  if (known !== undefined) return known;
  const secrets = new Set(held.filter((secret) => secret !== "").flatMap(withItsLines));
  const forms = [...secrets].flatMap(formsOf);
  const needles = forms.map(({ text }) => text.slice(0, NEEDLE_CHARS_MAX));
  const made = { forms, table: new KeywordTable(needles) };
  tables.set(held, made);
  return made;
}

/** A key file is often found again line by line, indented or joined. */
function withItsLines(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  const long = lines.filter((line) => line.length >= LINE_CHARS_MIN && !line.startsWith("-----"));
  return [secret, ...long];
}

function formsOf(secret: string): HeldForm[] {
  const forms = new Map<string, HeldForm>();
  const add = (text: string, words: string, anyCase = false): void => {
    if (text !== "" && !forms.has(text)) forms.set(text, { text, words, anyCase });
  };
  add(secret, "");
  add(JSON.stringify(secret).slice(1, -1), ", escaped for JSON");
  for (const { text, encoding } of needlesOf(secret)) {
    add(text, `, ${encoding}-encoded`, encoding !== "base64");
  }
  add(percentEncoded(secret), ", percent-encoded", true);
  add(percentEncoded(secret).replaceAll("%20", "+"), ", percent-encoded", true);
  return [...forms.values()];
}

/** Like `encodeURIComponent`, which throws on a lone surrogate. */
function percentEncoded(secret: string): string {
  return encodeURIComponent(secret.toWellFormed());
}
