import { sha256Hex, visible } from "../../base/index.ts";
import { classify, raisedBy } from "../../scan/classify/index.ts";
import type { Classification, Sidecar } from "../../schema/manifest.ts";

/** Something recorded, before it is decided how much of it may be shown. */
export interface Quotable {
  readonly title: string;
  readonly text: string;
  /** Where it is to be found again; it cannot come to mean something else. */
  readonly address: string;
  readonly by?: string | undefined;
  readonly at?: string | undefined;
  /** What of it is shown in brief; its first line where nothing else is said. */
  readonly brief?: string | undefined;
  /** What stands beside it about who may see it, or stood; it can only make it stricter. */
  readonly sidecars?: readonly Uint8Array[] | undefined;
}

/** Something recorded, as it is shown: word for word, or not at all. */
export interface ContextBlock {
  readonly title: string;
  readonly address: string;
  readonly by?: string;
  readonly at?: string;
  /** Who may see it: what is restricted is withheld. */
  readonly classification: Classification;
  /** The hash of all of its text, also where less or nothing is shown. */
  readonly sha256: string;
  /** Null where it is withheld. */
  readonly text: string | null;
  /** Whether the text goes on. */
  readonly isCut: boolean;
  /** Why nothing is shown. */
  readonly withheld?: string;
}

const TITLE_CHARS_MAX = 200;
/** A file's name that says nothing: what counts is the text. */
const UNNAMED = "context.md";
const RULES_MAX = 5;

/**
 * Makes a block of something recorded. What is restricted, by the sidecar beside it or because a
 * secret or personal data is found in it, is withheld as a whole: a text with holes invites guesses.
 */
export function contextBlock(thing: Quotable, scope: "brief" | "full"): ContextBlock {
  const { title, text, address, by, at } = thing;
  const { classification, withheld } = judge(thing);
  const own = {
    ...{ address, classification, sha256: sha256Hex(text) },
    ...(by === undefined ? {} : { by }),
    ...(at === undefined ? {} : { at }),
  };
  if (withheld !== undefined) {
    return { ...own, title: "withheld", text: null, isCut: false, withheld };
  }
  const shown = scope === "full" ? text : (thing.brief ?? text.split("\n", 1)[0] ?? "");
  return { ...own, title: plainTitle(title), text: shown, isCut: shown !== text };
}

/** Who may see something, and why nobody here does. */
function judge({ title, text, sidecars = [] }: Quotable) {
  const found = classify(UNNAMED, Buffer.from(`${title}\n${text}`));
  const { classification } = sidecars.reduce<Sidecar>(raisedBy, found);
  if (classification !== "restricted") return { classification };
  const rules = [...new Set(found.findings.map(({ rule }) => rule))].slice(0, RULES_MAX);
  const isFound = found.classification === "restricted";
  const withheld = isFound
    ? `it is restricted (${rules.join(", ")})`
    : "what stands beside it calls it restricted";
  return { classification, withheld };
}

/** A title as one line of our own: it cannot begin another one, or hide a letter. */
export function plainTitle(title: string): string {
  return visible(title.replaceAll(/\s+/g, " ").trim()).slice(0, TITLE_CHARS_MAX);
}
