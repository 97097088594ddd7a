import {
  digitsOf,
  isTyped,
  isWordAt,
  matchOf,
  type PersonalStretch,
  startsNumber,
} from "./personal-hit.ts";

/** Never given out: areas 000, 666 and from 900 on, group 00, serial 0000. */
const SSN = /(?!000|666|9)\d{3}([- ]?)(?!00)\d{2}\1(?!0000)\d{4}(?!\w|[-.]\d)/y;
/** Printed on sample cards, and used by thousands because of it. */
const SSN_PRINTED = new Set([
  "078051120",
  "219099999",
  "123456789",
  "111111111",
  "111223333",
  "123121234",
]);
const SSN_NAME = /ssn|social[ _.-]?security/i;
/** How far before a number its name may stand. */
const NAME_CHARS = 40;

/** A social security number of the United States; without dashes only where it is called one. */
export function ssnAt(text: string, at: number): PersonalStretch | undefined {
  if (!startsNumber(text, at)) return undefined;
  const match = matchOf(SSN, text, at);
  if (match === undefined || SSN_PRINTED.has(digitsOf(match)) || isTyped(digitsOf(match))) {
    return undefined;
  }
  const isDashed = match.includes("-");
  if (!isDashed && !SSN_NAME.test(text.slice(Math.max(0, at - NAME_CHARS), at))) return undefined;
  return { rule: "us-social-security-number", severity: "high", start: at, end: at + match.length };
}

const TAX_ID = /[1-9]\d( ?)\d{3}\1\d{3}\1\d{3}(?!\w|[-.]\d)/y;

/** A tax number of a German resident. */
export function germanTaxIdAt(text: string, at: number): PersonalStretch | undefined {
  if (!startsNumber(text, at)) return undefined;
  const match = matchOf(TAX_ID, text, at);
  if (match === undefined || !isTaxId(digitsOf(match))) return undefined;
  return { rule: "german-tax-id", severity: "high", start: at, end: at + match.length };
}

/** Of its first ten digits one stands there twice or three times; the last is ISO 7064 mod 11,10. */
function isTaxId(digits: string): boolean {
  const first = [...digits.slice(0, 10)];
  const repeated = Array.from("0123456789", (digit) => first.filter((one) => one === digit).length);
  const often = repeated.filter((count) => count > 1);
  if (often.length !== 1 || (often[0] ?? 0) > 3 || isTyped(digits)) return false;
  let product = 10;
  for (const digit of first) {
    const sum = (Number(digit) + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits[10]);
}

const NINO =
  /(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?!\w)/y;

/** A national insurance number of the United Kingdom, whose two letters stand before this digit. */
export function ninoAt(text: string, at: number): PersonalStretch | undefined {
  const start = text[at - 1] === " " ? at - 3 : at - 2;
  if (start < 0 || isWordAt(text, start - 1)) return undefined;
  const match = matchOf(NINO, text, start);
  if (match === undefined) return undefined;
  const digits = digitsOf(match);
  if (/123456|654321|(\d)\1{5}/.test(digits)) return undefined;
  return { rule: "uk-national-insurance", severity: "high", start, end: start + match.length };
}

const DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";
const DNI = /\d{8}-?[A-Z](?!\w)/y;
const NIE = /[XYZ]-?\d{7}-?[A-Z](?!\w)/y;

/** The number of a Spanish citizen that starts at this digit. */
export function dniAt(text: string, at: number): PersonalStretch | undefined {
  if (!startsNumber(text, at)) return undefined;
  const match = matchOf(DNI, text, at);
  return match === undefined ? undefined : spanish("spanish-dni", match, digitsOf(match), at);
}

/** The number of a foreigner in Spain, whose letter stands before this digit. */
export function nieAt(text: string, at: number): PersonalStretch | undefined {
  const start = text[at - 1] === "-" ? at - 2 : at - 1;
  if (start < 0 || isWordAt(text, start - 1)) return undefined;
  const match = matchOf(NIE, text, start);
  if (match === undefined) return undefined;
  return spanish(
    "spanish-nie",
    match,
    `${"XYZ".indexOf(match.charAt(0))}${digitsOf(match)}`,
    start,
  );
}

function spanish(
  rule: string,
  match: string,
  digits: string,
  start: number,
): PersonalStretch | undefined {
  if (isTyped(digits) || /0{6}/.test(digits)) return undefined;
  if (DNI_LETTERS[Number(digits) % 23] !== match.at(-1)) return undefined;
  return { rule, severity: "high", start, end: start + match.length };
}
