import { type Mask, maskOf, NO_BACKTICK, NO_DOLLAR, SAFE, SAFE_BUT_LONG } from "../category.ts";
import { HOLE } from "../engine/value.ts";
import type { Call } from "../rule.ts";
import { RULES } from "./index.ts";

/** Conversions after which no text of the source is left. */
const CONVERTING: ReadonlySet<string> = new Set([
  "Number",
  "parseInt",
  "parseFloat",
  "Number.parseInt",
  "Number.parseFloat",
  "Boolean",
  "BigInt",
  "Date",
  "int",
  "float",
  "bool",
  "len",
  "hash",
  "uuid.UUID",
  "Symbol",
]);

const CONVERTING_METHOD =
  /^(?:charCodeAt|codePointAt|indexOf|lastIndexOf|test|getTime|toFixed|has|includes|startsWith|endsWith|hexdigest|digest|isdigit|isalnum|hasOwnProperty|isArray|isInteger|existsSync|exists)$/;

/** A function with such a name of another file is taken at its word, whatever it is for. */
const CLEANING_NAME = /sanit|^clean|^purify|whitelist|^validate|^slug|^escape(?!d)/i;

const REPLACING = /^replace(?:All)?$/;

/** A text that is cut to a length cannot keep a pattern busy for long. */
const CUTTING = /^(?:slice|substr|substring)$/;

/** What the result of a call is safe for. */
export function cleaningMask(call: Call): Mask {
  const { api, method } = call;
  if (CONVERTING.has(api) || CONVERTING_METHOD.test(method) || /^Math\./.test(api)) return SAFE;
  let mask = believedMask(call);
  for (const { category, cleaners, cleanerNames } of RULES) {
    const isKnown = cleaners?.includes(api) || cleaners?.includes(method);
    if (isKnown || cleanerNames?.test(method)) mask |= maskOf(category);
  }
  if (REPLACING.test(method) || api === "re.sub") mask |= replacementMask(call);
  return mask | boundedMask(call) | rootedMask(call);
}

/** A text of bounded length; and an address that was read against another one is a path of it. */
function boundedMask({ api, method, args }: Call): Mask {
  if (args.length < 2) return 0;
  if (api === "URL") return maskOf("open-redirect");
  return CUTTING.test(method) ? maskOf("redos") : 0;
}

/** The name alone is believed only where the function itself is out of sight. */
const believedMask = ({ isLocal, method }: Call): Mask =>
  !isLocal && CLEANING_NAME.test(method) ? SAFE_BUT_LONG : 0;

/** What replacing takes away: a pattern of everything but a few characters leaves a plain word. */
function replacementMask(call: Call): Mask {
  const [first] = call.args;
  const source = first?.pattern?.source ?? first?.text ?? "";
  const isGlobal =
    first?.pattern?.flags.includes("g") || call.method === "replaceAll" || call.api === "re.sub";
  // Normalised paths climb at their start only, and this takes all of the climbing away.
  if (/^\^\(+(?:\?:)?\\\.\\\..*\)\+$/.test(source)) return maskOf("path-traversal");
  if (!isGlobal) return 0;
  if (/^\(?\[\^[^\]]*\][+*]?\)?$|^\\W\+?$/.test(source)) return SAFE_BUT_LONG;
  let mask = 0;
  if (/\\?\.\\?\.|\\\.\{2|\\\.\+/.test(source)) mask |= maskOf("path-traversal");
  if (/[<&]/.test(source)) mask |= maskOf("xss");
  return mask | quotingMask(source) | patternQuotingMask(source);
}

/** A backslash before what means something in a pattern, so that a text can be put into one. */
const patternQuotingMask = (source: string): Mask =>
  /[*+]/.test(source) && /\\[[\]()^$|.]/.test(source) && source.includes("[") ? maskOf("redos") : 0;

/**
 * What quoting or taking away some characters makes harmless. A double quote alone is not enough
 * for a shell, which looks into double quotes, nor for code, where a backslash undoes the quoting.
 */
function quotingMask(source: string): Mask {
  // Classes such as \s take white space away, which quotes nothing.
  const plain = source.replace(/\\[a-z]/gi, "");
  let mask = 0;
  if (plain.includes("'")) mask |= maskOf("command-injection");
  if (plain.includes("$")) mask |= NO_DOLLAR;
  if (plain.includes("`")) mask |= NO_BACKTICK;
  if (/["'`]/.test(plain)) mask |= maskOf("sql-injection");
  if (/\\\\/.test(plain) && /["'`]/.test(plain)) mask |= maskOf("code-injection");
  return mask;
}

/** A path that is normalised below the root cannot climb above it. */
function rootedMask({ api, args }: Call): Mask {
  const [first] = args;
  if (first?.rooted && /^path\.(?:posix\.)?normalize$/.test(api)) return maskOf("path-traversal");
  const isRooted =
    first?.text?.startsWith("/") && first.text.replaceAll(HOLE, "").replaceAll("/", "") === "";
  const joins = /^path\.(?:posix\.)?(?:join|resolve|normalize)$/.test(api);
  return isRooted && joins ? maskOf("path-traversal") : 0;
}
