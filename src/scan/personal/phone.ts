import { isIPv4 } from "node:net";
import { digitsOf, isTyped, isWordAt, matchOf, type PersonalStretch } from "./personal-hit.ts";

const NUMBER = /\+[1-9](?:[ .()/-]{0,2}\d){7,14}(?![\w.]?\w)/y;
/** The shortest number with its country that is in use, and the longest (E.164). */
const DIGITS_MIN = 9;

/** The codes that the ITU has given out. */
const COUNTRY =
  /^(?:1[2-9]|7[3-9]|2(?:0|7|1[1-368]|2\d|3\d|4\d|5[0-8]|6\d|9[0179])|3(?:[0-469]|5\d|7[0-8]|8[0-35-79])|4(?:[013-9]|2[013])|5(?:[1-8]|0\d|9\d)|6(?:[0-6]|7[02-9]|8[0-35-9]|9[0-2])|8(?:[1246]|5[02356]|8[0236])|9(?:[0-58]|6[0-8]|7[0-7]|9[2-68]))/;
/** Ranges kept for films and manuals: 555 in North America, and Ofcom's. */
const FICTION = /^1(?:555|\d{3}555)|^44(?:7700900|2079460|1632960|1\d1496|8081570|9098790)/;

/** A telephone number in international form, from its plus sign on. */
export function phoneAt(text: string, at: number): PersonalStretch | undefined {
  // Within a word or after another plus it is a sum, or base64.
  if (isWordAt(text, at - 1) || text[at - 1] === "+" || text[at - 1] === "/") return undefined;
  const match = matchOf(NUMBER, text, at);
  if (match === undefined || isOtherNumber(match)) return undefined;
  const digits = digitsOf(match);
  if (digits.length < DIGITS_MIN || !COUNTRY.test(digits)) return undefined;
  if (isTyped(digits) || FICTION.test(digits)) return undefined;
  const isNorthAmerican = digits.startsWith("1");
  if (isNorthAmerican && !/^1[2-9]\d{2}[2-9]\d{6}$/.test(digits)) return undefined;
  return { rule: "phone-number", severity: "medium", start: at, end: at + match.length };
}

/** An added line of a diff that starts with a date or an address; a number with a decimal point. */
function isOtherNumber(match: string): boolean {
  if (/^\+\d{4}-\d\d-\d\d/.test(match)) return true;
  // A bracket that was never opened is a sum: `(a+65535)-65536`.
  if (isIPv4(match.slice(1)) || !/^[^()]*(?:\([^()]*\)[^()]*)?$/.test(match)) return true;
  return match.split(".").length === 2 && !/[ ()/-]/.test(match);
}
