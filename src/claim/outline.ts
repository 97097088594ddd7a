import type { Priority } from "../schema/finding.ts";
import { plain } from "./inline.ts";
import type { ReportSection } from "./parsed-report.ts";
import { priorityOfHeading } from "./priority.ts";

/** Parts of a report in which text means something else than a finding. */
export type Zone = "unverified" | "self-review" | "escalation" | "clarification" | "json";

const ZONES: readonly (readonly [Zone, RegExp])[] = [
  ["unverified", /^unverified\b/i],
  ["self-review", /^self[- ]review\b/i],
  ["escalation", /^human escalation\b/i],
  ["clarification", /^clarification[_ ]requests?\b/i],
  ["json", /\b(?:json|machine[- ]readable|companion)\b/i],
];

interface Open {
  readonly section: { title: string; line: number; words: number };
  readonly depth: number;
  readonly priority: Priority | undefined;
  readonly zone: Zone | undefined;
}

/** The headings above the place that is being read, and the words below each. */
export class Outline {
  readonly #open: Open[] = [];
  readonly #sections: ReportSection[] = [];

  /** Enters a heading; says whether it is one that sorts findings or sets a part of its own apart. */
  enter(text: string, depth: number, line: number): { readonly isStructure: boolean } {
    while ((this.#open.at(-1)?.depth ?? 0) >= depth) this.#open.pop();
    const title = plain(text.replace(/\s#+\s{0,99}$/, "")).slice(0, 500);
    const words = title.replace(/^[^\p{L}\p{N}]+|^\d{1,3}[.)]\s/u, "");
    const zone = ZONES.find(([, pattern]) => pattern.test(words))?.[0];
    const priority = priorityOfHeading(words);
    const section = { title, line, words: 0 };
    if (depth >= 2) this.#sections.push(section);
    const above = this.#open.at(-1);
    this.#open.push({
      section,
      depth,
      priority: priority ?? above?.priority,
      zone: zone ?? above?.zone,
    });
    return { isStructure: zone !== undefined || priority !== undefined };
  }

  /** Counts words of a text for every heading above it. */
  addWords(text: string): void {
    let words = 0;
    for (const { 0: word } of text.matchAll(/\S+/g)) if (/[\p{L}\p{N}]/u.test(word)) words += 1;
    for (const { section } of this.#open) section.words += words;
  }

  get priority(): Priority | undefined {
    return this.#open.at(-1)?.priority;
  }

  get zone(): Zone | undefined {
    return this.#open.at(-1)?.zone;
  }

  /** Whether no heading of level 2 was entered yet: the part that says who writes. */
  get isPreface(): boolean {
    return this.#sections.length === 0;
  }

  get sections(): ReportSection[] {
    return this.#sections;
  }
}
