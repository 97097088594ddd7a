import { SourceLines } from "../kind/index.ts";
import { cardAt, ibanAt } from "./bank.ts";
import { emailAt } from "./email.ts";
import { ipv4At, ipv6At } from "./ip-address.ts";
import { dniAt, germanTaxIdAt, nieAt, ninoAt, ssnAt } from "./national-id.ts";
import { passportAt } from "./passport.ts";
import {
  isCapitalAt,
  isDigitAt,
  isLetterAt,
  isWordAt,
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
  if (sign === COLON) return isAddressStart(text, at - 4) ? ipv6At(text, at) : undefined;
  const isNameEnd = text.charCodeAt(at + 1) === LESS && isCapitalAt(text, at - 1);
  return isNameEnd ? passportAt(text, at) : undefined;
}

const LESS = 60;

/** A public address starts with 2 or 3, and most colons follow something else. */
function isAddressStart(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 50 || code === 51;
}

/** Asks only those whose numbers start with a row of so many digits. */
function numberAt(text: string, at: number): PersonalStretch | undefined {
  if (isDigitAt(text, at - 1)) return undefined;
  if (isLetterAt(text, at - 1)) return firstOf(afterLetter(text, at), text, at);
  const spaced = afterSpace(text, at)?.(text, at);
  if (spaced !== undefined) return spaced;
  let end = at + 1;
  while (end - at < RUN_CHARS_MAX && isDigitAt(text, end)) end += 1;
  return firstOf(matchersOf(text, end, end - at), text, at);
}

function firstOf(matchers: readonly Matcher[], text: string, at: number) {
  for (const matcher of matchers) {
    const hit = matcher(text, at);
    if (hit !== undefined) return hit;
  }
  return undefined;
}

const AFTER_ONE: readonly Matcher[] = [nieAt];
const AFTER_TWO: readonly Matcher[] = [ibanAt, ninoAt];

/** Programs are full of names with a digit in them: few of those can be anybody's number. */
function afterLetter(text: string, at: number): readonly Matcher[] {
  if (!isDigitAt(text, at + 1)) return NONE;
  if (!isWordAt(text, at - 2)) return isForeignerSign(text, at - 1) ? AFTER_ONE : NONE;
  return isLetterAt(text, at - 2) && !isWordAt(text, at - 3) ? AFTER_TWO : NONE;
}

/** A letter and a dash, or two letters and a blank, may belong to the number or not. */
function afterSpace(text: string, at: number): Matcher | undefined {
  const before = text.charCodeAt(at - 1);
  if (before === DASH) return isForeignerSign(text, at - 2) ? nieAt : undefined;
  if (before !== BLANK || !isDigitAt(text, at + 1)) return undefined;
  return isCapitalAt(text, at - 2) && isCapitalAt(text, at - 3) ? ninoAt : undefined;
}

const [BLANK, DASH, DOT] = [32, 45, 46];

/** X, Y or Z. */
function isForeignerSign(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 88 && code <= 90;
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

function matchersOf(text: string, end: number, digits: number): readonly Matcher[] {
  const next = text.charCodeAt(end);
  if (digits <= 3 && next === DOT) return hasSecondDot(text, end) ? DOTTED : NONE;
  const isGrouped = next === BLANK || (next === DASH && digits > 2);
  const grouped = isGrouped ? GROUPED.get(digits) : undefined;
  return grouped ?? (digits < 8 ? NONE : wholeOf(digits));
}

function wholeOf(digits: number): readonly Matcher[] {
  if (digits >= 13 && digits < RUN_CHARS_MAX) return LONG;
  return WHOLE.get(digits) ?? NONE;
}

/** Decimals have one dot, addresses a second one at most three digits later. */
function hasSecondDot(text: string, dot: number): boolean {
  let at = dot + 1;
  while (at - dot <= 3 && isDigitAt(text, at)) at += 1;
  return at > dot + 1 && text.charCodeAt(at) === DOT;
}
