import type { ReportedFinding } from "../../schema/review.ts";
import type { SourceTree } from "../../verify/citation/index.ts";
import type { MergedFinding } from "../../verify/team/index.ts";

const LINES_AROUND = 4;
const LINES_MAX = 40;
const LINE_CHARS_MAX = 400;

/** Gives the source around findings; they come sorted by file, so the last file is kept. */
export class ContextReader {
  readonly #tree: SourceTree;
  #path = "";
  #lines: readonly string[] = [];

  constructor(tree: SourceTree) {
    this.#tree = tree;
  }

  /** The lines around the place where a finding really is; none where there is no such text. */
  async around({ finding, found }: MergedFinding): Promise<ReportedFinding["context"]> {
    const [cited] = finding.citations;
    const file = found?.file ?? cited?.file ?? "";
    const line = found?.line ?? cited?.line;
    const lines = line === undefined ? [] : await this.#linesOf(file);
    if (line === undefined || line > lines.length) return { from: 1, lines: [] };
    const length = (cited?.end_line ?? cited?.line ?? line) - (cited?.line ?? line);
    const from = Math.max(1, line - LINES_AROUND);
    const to = Math.min(line + Math.max(0, length) + LINES_AROUND, from + LINES_MAX - 1);
    return { from, lines: lines.slice(from - 1, to).map(cut) };
  }

  async #linesOf(path: string): Promise<readonly string[]> {
    if (path === this.#path) return this.#lines;
    const entry = await this.#tree.find(path);
    this.#path = path;
    this.#lines =
      entry.kind === "file"
        ? Buffer.from(entry.bytes)
            .toString("utf8")
            .split(/\r\n|\n|\r/)
        : [];
    return this.#lines;
  }
}

function cut(line: string): string {
  const whole = line.toWellFormed();
  return whole.length <= LINE_CHARS_MAX ? whole : `${whole.slice(0, LINE_CHARS_MAX - 1)}…`;
}
