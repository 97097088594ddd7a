import { SourceLines } from "../kind/index.ts";
import { cardAt, ibanAt } from "./bank.ts";
import { emailAt } from "./email.ts";
import { ipv4At, ipv6At } from "./ip-address.ts";
import { dniAt, germanTaxIdAt, nieAt, ninoAt, ssnAt } from "./national-id.ts";
import { passportAt } from "./passport.ts";
import {
  isCapitalAt,
  isDigitAt,
  type Matcher,
  type PersonalStretch,
  type Severity,
} from "./personal-hit.ts";
import { phoneAt } from "./phone.ts";

/** One thing about a person in a text. It says where, never what. */
export interface PersonalHit {
  readonly rule: string;
  readonly severity: Severity;
  readonly line: number;
  readonly column: number;
  /** In characters, as it stands in the text. */
  readonly length: number;
}

/** Most places that are remembered in one text; past it, the text is a register of people anyway. */
const STRETCHES_MAX = 10_000;
/** Longer rows of digits are no number of anybody. */
const RUN_CHARS_MAX = 20;

/**
 * Finds what is about a person in a text: addresses, numbers of telephones, accounts, cards, citizens
 * and travel documents. A number with a check digit counts only when it is right, and numbers that
 * manuals print do not count. Nothing that the text says about the scan is obeyed.
 */
export function scanPersonal(text: string): PersonalHit[] {
  const found = findPersonal(text);
  if (found.length === 0) return [];
  const lines = new SourceLines({ path: "", text });
  return found.map(({ rule, severity, start, end }) => {
    const line = lines.lineAt(start);
    return { rule, severity, line, column: start - lines.startOf(line) + 1, length: end - start };
  });
}

/** The stretches of a text that are about a person, in order and without overlaps. */
export function findPersonal(text: string): PersonalStretch[] {
  const found: PersonalStretch[] = [];
  let reached = 0;
  for (let at = 0; at < text.length && found.length < STRETCHES_MAX; at += 1) {
    const sign = SIGNS[text.charCodeAt(at)] ?? 0;
    if (sign === 0 || at < reached) continue;
    const hit = signAt(text, at, sign);
    if (hit === undefined || !makesRoom(found, hit)) continue;
    found.push(hit);
    // A telephone number has no form of its own and takes in the number that follows it.
    reached = sign === PLUS ? at + 1 : hit.end;
  }
  return found;
}

/** Whether a hit counts beside the one before it, which gives up what the two share. */
function makesRoom(found: PersonalStretch[], hit: PersonalStretch): boolean {
  const last = found.at(-1);
  if (last === undefined || hit.start >= last.end) return true;
  if (hit.end <= last.end || hit.start <= last.start) return false;
  found[found.length - 1] = { ...last, end: hit.start };
  return true;
}

const [AT, PLUS, DIGIT, FILLER, COLON] = [1, 2, 3, 4, 5];
/** What a character can be the sign of, by its code; most are the sign of nothing. */
const SIGNS = new Uint8Array(65_536);
for (const [signs, sign] of [
  ["@", AT],
  ["+", PLUS],
  ["0123456789", DIGIT],
  ["<", FILLER],
  [":", COLON],
] as const) {
  for (const one of signs) SIGNS[one.charCodeAt(0)] = sign ?? 0;
}

function signAt(text: string, at: number, sign: number): PersonalStretch | undefined {
  if (sign === DIGIT) return numberAt(text, at);
  if (sign === AT) return emailAt(text, at);
  if (sign === PLUS) return phoneAt(text, at);
  if (sign === COLON) return ipv6At(text, at);
  const isNameEnd = text[at + 1] === "<" && isCapitalAt(text, at - 1);
  return isNameEnd ? passportAt(text, at) : undefined;
}

/** Asks only those whose numbers start with a row of so many digits. */
function numberAt(text: string, at: number): PersonalStretch | undefined {
  if (isDigitAt(text, at - 1)) return undefined;
  let end = at + 1;
  while (end - at < RUN_CHARS_MAX && isDigitAt(text, end)) end += 1;
  const matchers = afterLetter(text, at) ?? matchersOf(end - at, text[end]);
  for (const matcher of matchers) {
    const hit = matcher(text, at);
    if (hit !== undefined) return hit;
  }
  return undefined;
}

const AFTER_LETTER: readonly Matcher[] = [ibanAt, ninoAt, nieAt];
const AFTER_BLANK: readonly Matcher[] = [ninoAt];
const AFTER_DASH: readonly Matcher[] = [nieAt];

function afterLetter(text: string, at: number): readonly Matcher[] | undefined {
  const before = text[at - 1] ?? "";
  if (/[A-Za-z]/.test(before)) return AFTER_LETTER;
  if (before === "-" && /[XYZ]/.test(text[at - 2] ?? "")) return AFTER_DASH;
  const isTwoLetters = before === " " && isCapitalAt(text, at - 2) && isCapitalAt(text, at - 3);
  return isTwoLetters && isDigitAt(text, at + 1) ? AFTER_BLANK : undefined;
}

const NONE: readonly Matcher[] = [];
const DOTTED: readonly Matcher[] = [ipv4At];
const LONG: readonly Matcher[] = [cardAt];
/** By how many digits stand together, for numbers that people write in groups. */
const GROUPED: ReadonlyMap<number, readonly Matcher[]> = new Map([
  [2, [germanTaxIdAt]],
  [3, [ssnAt]],
  [4, [cardAt]],
]);
const WHOLE: ReadonlyMap<number, readonly Matcher[]> = new Map([
  [8, [dniAt]],
  [9, [ssnAt]],
  [11, [germanTaxIdAt]],
]);

function matchersOf(digits: number, next: string | undefined): readonly Matcher[] {
  if (digits <= 3 && next === ".") return DOTTED;
  if (next === " " || (next === "-" && digits > 2)) {
    const grouped = GROUPED.get(digits);
    if (grouped !== undefined) return grouped;
  }
  if (digits >= 13 && digits < RUN_CHARS_MAX) return LONG;
  return WHOLE.get(digits) ?? NONE;
}
