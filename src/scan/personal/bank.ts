import {
  digitsOf,
  isTyped,
  isWordAt,
  matchOf,
  type PersonalStretch,
  startsNumber,
} from "./personal-hit.ts";

const IBAN = /[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)/iy;
/** How long an account number is in each country (SWIFT's registry). */
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);
/** Printed in the standard, in every manual and on every form. */
const IBAN_PRINTED = new Set([
  "DE89370400440532013000",
  "GB82WEST12345698765432",
  "GB29NWBK60161331926819",
  "FR1420041010050500013M02606",
  "FR7630006000011234567890189",
  "NL91ABNA0417164300",
  "CH9300762011623852957",
  "ES9121000418450200051332",
  "BE68539007547034",
  "AT611904300234573201",
  "IT60X0542811101000000123456",
]);

/** An account number that starts with two letters before this digit. */
export function ibanAt(text: string, at: number): PersonalStretch | undefined {
  const start = at - 2;
  if (start < 0 || isWordAt(text, start - 1)) return undefined;
  const match = matchOf(IBAN, text, start);
  if (match === undefined) return undefined;
  const account = match.replaceAll(" ", "").toUpperCase();
  if (IBAN_LENGTHS.get(account.slice(0, 2)) !== account.length) return undefined;
  if (IBAN_PRINTED.has(account) || /^..\d\d0{8}/.test(account) || !isIban(account))
    return undefined;
  return { rule: "iban", severity: "high", start, end: start + match.length };
}

/** ISO 7064 mod 97-10, digit by digit so that no number grows. */
function isIban(account: string): boolean {
  let rest = 0;
  for (const sign of `${account.slice(4)}${account.slice(0, 4)}`) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

const CARD =
  /(?:\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{4}([ -])\d{6}\2\d{4,5}|\d{13,19})(?!\w|[-.]\d)/y;
/** Issuers by the first digits, with the lengths each of them uses. */
const ISSUERS =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|(?:6011|65\d\d|64[4-9]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17})$/;
/** Numbers that payment services publish for tests. */
const CARDS_PRINTED = new Set([
  "4111111111111111",
  "4242424242424242",
  "4012888888881881",
  "4000056655665556",
  "4222222222222",
  "5555555555554444",
  "5105105105105100",
  "5200828282828210",
  "2223003122003222",
  "378282246310005",
  "371449635398431",
  "378734493671000",
  "6011111111111117",
  "6011000990139424",
  "30569309025904",
  "38520000023237",
  "3056930009020004",
  "36227206271667",
  "3530111333300000",
  "3566002020360505",
  "6200000000000005",
]);

/** A payment card's number that starts at this digit. */
export function cardAt(text: string, at: number): PersonalStretch | undefined {
  if (!startsNumber(text, at)) return undefined;
  const match = matchOf(CARD, text, at);
  if (match === undefined) return undefined;
  const digits = digitsOf(match);
  if (!ISSUERS.test(digits) || !isLuhn(digits)) return undefined;
  // Services make more of these than a list can hold, and all are mostly noughts.
  if (CARDS_PRINTED.has(digits) || isTyped(digits) || /0{5}/.test(digits)) return undefined;
  return { rule: "payment-card", severity: "high", start: at, end: at + match.length };
}

function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
