import { assert } from "../base/index.ts";
import { looksRandom } from "./randomness.ts";
import type { RequestTarget } from "./request-target.ts";

/** Which of a rule's paths a request asks for, if any. */
export type PathMatch = "match" | "random" | "none";

interface SegmentPattern {
  readonly before: string;
  readonly after: string;
  readonly wild: "" | "*" | "#";
}

const HASH = /^[0-9a-f]{2,128}$/;

/**
 * A path that may be asked for. In a segment, `*` stands for a name and `#` for a hash in
 * hexadecimal, which names may not look like; `**` as a whole segment stands for one or more.
 */
export class PathPattern {
  readonly #head: readonly SegmentPattern[];
  /** After a `**`; undefined when the pattern has none. */
  readonly #tail: readonly SegmentPattern[] | undefined;

  constructor(pattern: string) {
    assert(pattern.startsWith("/"), `a path pattern starts with a slash: ${pattern}`);
    const segments = pattern.slice(1).split("/");
    const deep = segments.indexOf("**");
    assert(deep === segments.lastIndexOf("**"), `at most one ** in a path pattern: ${pattern}`);
    this.#head = (deep < 0 ? segments : segments.slice(0, deep)).map(toSegmentPattern);
    this.#tail = deep < 0 ? undefined : segments.slice(deep + 1).map(toSegmentPattern);
  }

  match({ segments }: RequestTarget): PathMatch {
    const head = this.#head.length;
    const tail = this.#tail?.length ?? 0;
    if (this.#tail === undefined ? segments.length !== head : segments.length <= head + tail) {
      return "none";
    }
    const end = segments.length - tail;
    const parts = [
      ...this.#head.map((pattern, at) => matchSegment(pattern, segments[at])),
      ...(this.#tail ?? []).map((pattern, at) => matchSegment(pattern, segments[end + at])),
      ...segments.slice(head, end).map((segment) => (looksRandom(segment) ? "random" : "match")),
    ];
    if (parts.includes("none")) return "none";
    return parts.includes("random") ? "random" : "match";
  }
}

function toSegmentPattern(text: string): SegmentPattern {
  const at = text.search(/[*#]/);
  if (at < 0) return { before: text, after: "", wild: "" };
  const after = text.slice(at + 1);
  assert(!/[*#]/.test(after), `one wildcard in a segment: ${text}`);
  return { before: text.slice(0, at), after, wild: text[at] === "#" ? "#" : "*" };
}

function matchSegment(pattern: SegmentPattern, segment = ""): PathMatch {
  if (pattern.wild === "") return segment === pattern.before ? "match" : "none";
  const { before, after } = pattern;
  const fits = segment.startsWith(before) && segment.endsWith(after);
  const middle = segment.slice(before.length, segment.length - after.length);
  if (!fits || segment.length <= before.length + after.length) return "none";
  if (pattern.wild === "#") return HASH.test(middle) ? "match" : "none";
  return looksRandom(middle) ? "random" : "match";
}
