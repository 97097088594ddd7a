import type { Priority } from "../schema/finding.ts";
import { lineRange, type Place } from "./place.ts";
import { priorityIn } from "./priority.ts";

/** The comment around a finding that says which run it comes from. */
export interface Wrapper {
  readonly id: string | undefined;
  readonly nonce: string | undefined;
  readonly place: Place | undefined;
  readonly priority: Priority | undefined;
  /** Only what is opened and closed under one id is around anything. */
  isClosed: boolean;
  /** One wrapper vouches for one finding: a second one in it was put there by somebody else. */
  isUsed: boolean;
}

const ATTRIBUTE = /\b(nonce|id|file|line|severity)="([^"]{0,4096})"/g;

/** Follows the wrappers through a report. Comments in code and quotes must not be shown to it. */
export class WrapperWatch {
  #current: Wrapper | undefined;

  get current(): Wrapper | undefined {
    return this.#current;
  }

  /** Takes the text of one comment; says whether it was a wrapper's. */
  see(comment: string): boolean {
    if (/^RUNE:FINDING\b/.test(comment)) {
      this.#current = opened(comment);
      return true;
    }
    const close = /^\/RUNE:FINDING(?:\s{1,9}(\S{1,64}))?\s*$/.exec(comment);
    if (close === null) return false;
    if (this.#current !== undefined && close[1] === this.#current.id) this.#current.isClosed = true;
    this.#current = undefined;
    return true;
  }
}

function opened(comment: string): Wrapper {
  const attributes = new Map<string, string>();
  for (const [, name = "", value = ""] of comment.matchAll(ATTRIBUTE)) {
    // The first one counts: a second nonce behind a forged quote must not replace it.
    if (!attributes.has(name)) attributes.set(name, value);
  }
  const file = attributes.get("file") ?? "";
  const [from, to] = (attributes.get("line") ?? "").split(/[-–]/, 2);
  return {
    id: attributes.get("id"),
    nonce: attributes.get("nonce"),
    place: file === "" ? undefined : { file, ...lineRange(from, to) },
    priority: priorityIn(attributes.get("severity") ?? ""),
    isClosed: false,
    isUsed: false,
  };
}
