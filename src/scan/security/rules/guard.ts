import {
  type Mask,
  maskOf,
  NO_CONSTRUCTOR_KEY,
  NO_PROTO_KEY,
  PLAIN_OBJECT,
  SAFE,
  SAFE_BUT_LONG,
} from "../category.ts";
import type { Value } from "../engine/value.ts";

/** What a check shows when it says yes and when it says no. */
export interface Polarity {
  readonly yes: Mask;
  readonly no: Mask;
}

const PATH = maskOf("path-traversal");
const COMMAND = maskOf("command-injection");
const TARGET = maskOf("ssrf", "open-redirect");

/** Keys that lead from an object over its maker to a prototype. */
const CONSTRUCTOR_KEY = /^\.?(?:prototype|constructor)(?:\.|$)/;

/** Names of functions in other files that answer whether a value may be used. */
const CHECKING_NAME =
  /valid|safe|allow|whitelist|blacklist|permit|secur|sanit|proto|pollut|forbid|den(?:y|ied)|block|illegal|malicious|travers|inside|within|isin|trusted|dangerous|isurl|is_?(?:ip)?v[46]|is_?ip|ismongoid|isint|isalpha|isuuid|is_?(?:domain|host|fqdn|port|numeric|hex|email|mac)/i;

/** Names whose yes is bad news. */
const DENYING_NAME =
  /unsafe|invalid|disallow|not[A-Z]|blacklist|pollut|proto|forbid|den(?:y|ied)|block|illegal|malicious|travers|dangerous|unallowed|untrusted/i;

/** Which answer of a function of another file says that a value may be used, by its name. */
export function answerOf(name: string): Polarity {
  if (!CHECKING_NAME.test(name)) return { yes: 0, no: 0 };
  return DENYING_NAME.test(name) ? { yes: 0, no: SAFE_BUT_LONG } : { yes: SAFE_BUT_LONG, no: 0 };
}

/** Names of functions in other files that throw unless a value may be used. */
export const ASSERTING_NAME = /^(?:assert|check|validate|verify|ensure|guard|require)(?:[A-Z_]|$)/;

/** What is excluded by looking for a constant in a text or by comparing with it. */
export function containsMask(text: string): Mask {
  let mask = 0;
  if (text.includes("__proto__")) mask |= NO_PROTO_KEY;
  if (CONSTRUCTOR_KEY.test(text)) mask |= NO_CONSTRUCTOR_KEY;
  if (text.includes("..")) mask |= PATH;
  if (/^[;&|`$]$|^&&$/.test(text)) mask |= COMMAND;
  if (/^https?:\/\/[^/]+\/?/.test(text) && text.length > 9) mask |= TARGET;
  if (text === "//") mask |= maskOf("open-redirect");
  return mask;
}

/** What is no text cannot become part of one in a way that its reader would act on. */
const NO_TEXT = SAFE & ~maskOf("prototype-pollution");

/** What `typeof x` shows by being something else. */
export const otherTypeMask = (type: string): Mask => (type === "string" ? NO_TEXT : 0);

/** `typeof x === "number"` and its like. */
export function typeMask(type: string): Mask {
  if (/^(?:number|boolean|bigint|undefined)$/.test(type)) return SAFE;
  return /^(?:object|\[object Object\])$/.test(type) ? PLAIN_OBJECT : 0;
}

/** A list of dangerous keys shows by a no; any other list is one of allowed values. */
export function listCheck(table: Value): Polarity {
  const words = table.words ?? [];
  const excluded = words.reduce((mask, word) => mask | containsMask(word), 0);
  if (excluded !== 0) return { yes: excluded, no: excluded };
  // A list that is made elsewhere can be of either kind.
  if (words.length === 0) return { yes: SAFE_BUT_LONG, no: SAFE_BUT_LONG };
  return { yes: SAFE_BUT_LONG, no: 0 };
}

/** An open class or a dot lets everything through, whatever else the pattern asks for. */
const isOpen = (source: string) =>
  /\.[*+]|\[\^|\\S|\\W|\\D|\[\\s\\S\]/.test(source.replace(/\\\./g, ""));

/** What a match with a pattern shows of the whole text. */
export function patternCheck(source: string | undefined, method: string): Polarity {
  if (source === undefined) return { yes: SAFE_BUT_LONG, no: SAFE_BUT_LONG };
  const excluded = excludedBy(source);
  const isWhole = /^\(?\^|^\\A/.test(source) && /\$\)?$|\\Z$/i.test(source);
  if ((isWhole || method === "fullmatch") && !isOpen(source))
    return { yes: SAFE_BUT_LONG, no: excluded };
  if (/^\(?\[\^[^\]]+\]\+?\)?$|^\\W$/.test(source)) return { yes: 0, no: SAFE_BUT_LONG };
  return { yes: excluded, no: excluded };
}

/** What a text without a match cannot have in it. */
function excludedBy(source: string): Mask {
  let excluded = 0;
  if (/proto(?!type)/.test(source)) excluded |= NO_PROTO_KEY;
  if (/prototype|constructor/.test(source)) excluded |= NO_CONSTRUCTOR_KEY;
  if (/\\\.\\\.|\\\.\{2|\.\.|\(\\\.\)\{2|\\\.\+/.test(source)) excluded |= PATH;
  if (/[;&|`$<>][^\]]*[;&|`$<>]/.test(source) && source.includes("[")) excluded |= COMMAND;
  return excluded;
}
