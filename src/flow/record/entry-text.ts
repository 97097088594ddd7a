import { redact } from "../../scan/classify/index.ts";

const TEXT_CHARS_MAX = 2_000;
/** Of what is cut, so much is looked at: far more than the longest secret. */
const LOOKED_AT_CHARS_MAX = 262_144;

/**
 * A text as long as an entry takes it, or as long as is said; the artifacts have all of it. Half a secret is not recognised any
 * more, so that it is taken out before the rest is cut off.
 */
export function cut(text: string, charsMax: number = TEXT_CHARS_MAX): string {
  const whole = text.toWellFormed();
  if (whole.length <= charsMax) return whole;
  const clean = redact(whole.slice(0, LOOKED_AT_CHARS_MAX)).text;
  return `${clean.slice(0, charsMax - 1).toWellFormed()}…`;
}
