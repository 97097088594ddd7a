import type { WorkEvent } from "../flow/work/work-scene.ts";
import type { Plan } from "../schema/plan.ts";
import type { SubtaskStatus } from "../schema/work.ts";
import type { Io } from "./io.ts";

const ROWS_MAX = 30;
const COLUMNS = 80;
const MARKS: Readonly<Record<SubtaskStatus, string>> = {
  waiting: "·",
  blocked: "?",
  running: ">",
  proven: "+",
  waived: "~",
  failed: "!",
};

interface Row {
  readonly waitsFor: readonly string[];
  status: SubtaskStatus | undefined;
  words: string;
}

/**
 * Shows a work as it goes on: the graph, redrawn in place, where somebody watches; elsewhere one line
 * for each thing that happens.
 */
export class WorkView {
  readonly #io: Io;
  readonly #rows = new Map<string, Row>();
  #drawn = 0;

  constructor(io: Io) {
    this.#io = io;
  }

  /** The graph as it is before anything happens. */
  begin({ subtasks }: Plan): void {
    for (const { id, depends_on } of subtasks) {
      this.#rows.set(id, { waitsFor: depends_on, status: "waiting", words: "" });
    }
  }

  /** Takes whatever happens. */
  readonly take = ({ about, words, status }: WorkEvent): void => {
    const line = oneLine(words);
    const row = this.#rows.get(about) ?? { waitsFor: [], status, words: line };
    this.#rows.set(about, row);
    row.words = line;
    row.status = status ?? row.status;
    if (this.#io.isTerminal) this.#draw();
    else this.#io.err(`${about}: ${line}\n`);
  };

  /** Leaves the last picture where it is. */
  end(): void {
    this.#drawn = 0;
  }

  #draw(): void {
    const width = (this.#io.columns ?? COLUMNS) - 1;
    const lines = this.#lines().map((line) => `\u001b[K${line.slice(0, width)}\n`);
    const up = this.#drawn === 0 ? "" : `\u001b[${this.#drawn}A`;
    // Rows that are no longer there would stay below the new ones.
    const rest = Math.max(0, this.#drawn - lines.length);
    const clear = rest === 0 ? "" : `${"\u001b[K\n".repeat(rest)}\u001b[${rest}A`;
    this.#io.err(`${up}${lines.join("")}${clear}`);
    this.#drawn = lines.length;
  }

  #lines(): string[] {
    const rows = [...this.#rows];
    // Of a graph that fills more than a screen, what moves is shown, and the rest is counted.
    const shown =
      rows.length <= ROWS_MAX
        ? rows
        : rows
            .filter(([, { status }]) => status === "running" || status === "failed")
            .slice(0, ROWS_MAX);
    const done = rows.filter(([, { status }]) => status === "proven" || status === "waived").length;
    const all = rows.filter(([, { status }]) => status !== undefined).length;
    return [
      ...shown.map(([id, { waitsFor, status, words }]) => {
        const after = waitsFor.length === 0 ? "" : ` after ${waitsFor.join(", ")}`;
        return `${status === undefined ? " " : MARKS[status]} ${id}${after} ${words}`;
      }),
      // While there is no plan yet, there is nothing to count.
      ...(all === 0 ? [] : [`${done} of ${all} subtasks are done`]),
    ];
  }
}

/** What workers and tools print can hold anything, also what a terminal would obey. */
function oneLine(words: string): string {
  return words
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .slice(0, 400);
}
