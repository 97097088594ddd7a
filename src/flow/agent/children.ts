import { SwornError } from "../../base/index.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import type { AgentOutcome } from "./run-agent.ts";

/** So many of one run's children work at the same time. */
const ACTIVE_MAX = 8;
/** How long a run's children may go on when it has ended itself. */
const WAIT_MS = 300_000;

/** What a run asks of another. */
export interface Asked {
  readonly agent: string;
  readonly prompt: string;
}

/** Starts a child; `onStarted` is called as soon as it has an id. */
export type StartChild = (
  asked: Asked,
  signal: AbortSignal,
  onStarted: (info: RunInfo) => void,
) => Promise<AgentOutcome>;

/** The runs that one run has asked for. It is not over before they are. */
export class Children {
  readonly #start: StartChild;
  readonly #waitMs: number;
  readonly #cancel = new AbortController();
  readonly #active = new Set<Promise<unknown>>();
  readonly #outcomes: AgentOutcome[] = [];
  #isOver = false;

  constructor(start: StartChild, waitMs = WAIT_MS) {
    this.#start = start;
    this.#waitMs = waitMs;
  }

  /** What those that have ended came to. */
  get outcomes(): readonly AgentOutcome[] {
    return this.#outcomes;
  }

  /**
   * Starts one, and says its id as soon as it has one.
   *
   * @throws SwornError `LIMIT_EXCEEDED` when too many work already; whatever kept it from starting.
   */
  async delegate(asked: Asked): Promise<string> {
    if (this.#isOver) throw new SwornError("NOT_FOUND", "the run is over");
    if (this.#active.size >= ACTIVE_MAX) {
      const what = `${this.#active.size} runs that you asked for are still working`;
      throw new SwornError(
        "LIMIT_EXCEEDED",
        `${what}, at most ${ACTIVE_MAX}; wait for one of them`,
      );
    }
    return new Promise((resolve, reject) => {
      const ended = this.#start(asked, this.#cancel.signal, ({ run_id: id }) => resolve(id)).then(
        (outcome) => {
          this.#outcomes.push(outcome);
          // One that was refused never had an id.
          const why = outcome.refused?.reason ?? "it did not start";
          reject(new SwornError("INPUT_INVALID", `${asked.agent} was refused: ${why}`));
        },
        reject,
      );
      this.#active.add(ended);
      void ended.finally(() => this.#active.delete(ended));
    });
  }

  /** Ends them all at once. */
  cancel(): void {
    this.#cancel.abort();
  }

  /** Waits for all of them; those that take too long are called off, and said to be. */
  async settle(): Promise<{ readonly calledOff: number }> {
    this.#isOver = true;
    if (this.#active.size === 0) return { calledOff: 0 };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), this.#waitMs);
    });
    const all = Promise.allSettled(this.#active);
    const first = await Promise.race([all, late]);
    clearTimeout(timer);
    const calledOff = first === "late" ? this.#active.size : 0;
    this.cancel();
    await all;
    return { calledOff };
  }
}
