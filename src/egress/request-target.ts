import { isRefusal, type Refusal, refuse } from "./refusal.ts";

/** A path and query that have exactly one reading. */
export interface RequestTarget {
  /** As it was written, and as it is sent on. */
  readonly text: string;
  /** Decoded; a slash inside a segment, as in a scoped package's name, stays `%2f`. */
  readonly segments: readonly string[];
  /** Without the question mark; undefined when there is none. */
  readonly query: string | undefined;
}

/** Far more than any registry's paths need. */
export const URL_CHARS_MAX = 1_024;
const SEGMENTS_MAX = 32;
const PLAIN = /^[A-Za-z0-9._~!$&'()*+,;=:@-]*$/;
/** The only characters that package managers encode in paths; everything else has one spelling, its own. */
const ENCODED: Readonly<Record<string, string>> = {
  "%21": "!",
  "%2b": "+",
  "%2f": "%2f",
  "%3a": ":",
  "%3d": "=",
  "%40": "@",
  "%7e": "~",
};

/** Reads the origin form of a request's target: a path from the root, and perhaps a query. */
export function parseTarget(text: string): RequestTarget | Refusal {
  if (text.length > URL_CHARS_MAX) {
    return refuse("url-length", `the URL has ${text.length} characters, at most ${URL_CHARS_MAX}`);
  }
  if (!text.startsWith("/")) return refuse("url-form", "expected a path that starts with a slash");
  if (text.includes("#")) return refuse("url-form", "a URL that is sent has no fragment");
  const at = text.indexOf("?");
  const path = at < 0 ? text : text.slice(0, at);
  const query = at < 0 ? undefined : text.slice(at + 1);
  const segments = readSegments(path);
  return isRefusal(segments) ? segments : { text, segments, query };
}

function readSegments(path: string): string[] | Refusal {
  const raw = path.slice(1).split("/");
  // One slash at the end is how indexes are asked for; an empty segment elsewhere has two readings.
  if (raw.length > 1 && raw.at(-1) === "") raw.pop();
  if (raw.length > SEGMENTS_MAX) return refuse("url-form", `more than ${SEGMENTS_MAX} segments`);
  const segments: string[] = [];
  for (const one of raw) {
    const segment = decodeSegment(one);
    if (segment === undefined || (segment === "" && raw.length > 1)) {
      return refuse("url-form", "the path has a segment that could be read in more than one way");
    }
    segments.push(segment);
  }
  return segments;
}

function decodeSegment(raw: string): string | undefined {
  let isKnown = true;
  const decoded = raw.replaceAll(/%[\s\S]{0,2}/g, (code) => {
    const char = ENCODED[code.toLowerCase()];
    if (char === undefined) isKnown = false;
    return char ?? "";
  });
  const plain = decoded.replaceAll("%2f", "");
  if (!isKnown || !PLAIN.test(plain) || /^\.{1,2}$/.test(plain)) return undefined;
  // Only a scoped package's name has a slash inside, and only one.
  if (decoded.includes("%2f") && !/^@[^%]+%2f[^%]+$/.test(decoded)) return undefined;
  return decoded;
}
