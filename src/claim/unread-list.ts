import { SwornError } from "../base/index.ts";
import type { Unread } from "../schema/finding.ts";
import { cutText, shownText } from "./cut-text.ts";
import { FINDINGS_MAX } from "./parsed-report.ts";

/** What could not be read, by line. */
export class UnreadList {
  readonly #byLine = new Map<number, Unread[]>();
  #count = 0;

  add(line: number, text: string, why: string): void {
    this.#count += 1;
    if (this.#count > FINDINGS_MAX) {
      throw new SwornError(
        "LIMIT_EXCEEDED",
        `more than ${FINDINGS_MAX} parts of the report look like findings and are none`,
      );
    }
    const entry = { line, text: shownText(text), why: cutText(why, 500) };
    const known = this.#byLine.get(line);
    if (known === undefined) this.#byLine.set(line, [entry]);
    else known.push(entry);
  }

  /** Whether a line is in the list already; with an id, whether an entry of that line names it. */
  names(line: number, id: string | undefined): boolean {
    const entries = this.#byLine.get(line) ?? [];
    return id === undefined
      ? entries.length > 0
      : entries.some((entry) => entry.text.includes(id) || entry.why.includes(`[${id}]`));
  }

  sorted(): Unread[] {
    return [...this.#byLine.values()].flat().sort((a, b) => a.line - b.line);
  }
}
