import { Worker } from "node:worker_threads";
import { inAMoment } from "../base/index.ts";
import type { Found, SourceFile } from "./reviewer.ts";

/** Nothing a reviewer does with one file takes this long; a file made to make it does. */
const FILE_TIMEOUT_MS = 60_000;
/** Memory a thread may use for its objects; a file that needs more is a gap, not the end of the run. */
const THREAD_MEMORY_MB = 768;
/** Up to so many characters in all are reviewed without a thread: starting one takes longer than that. */
const HERE_CHARS_MAX = 32_768;
/** With the tables that are made at the first file. */
const HERE_MS_MAX = 1_000;
const STOPPED = "the review was stopped";

/** What one reviewer said about one file, why it left it out by rule, or why it could not. */
export type FileOutcome =
  | {
      readonly reviewer: string;
      readonly found: readonly Found[];
      /** Why it did not look at all of it. */
      readonly leftOut: readonly string[];
    }
  | { readonly reviewer: string; readonly passedOver: string }
  | { readonly reviewer: string; readonly failed: string };

/** What a thread is asked, and what it answers. */
export interface FileQuestion {
  readonly file: SourceFile;
  readonly reviewers: readonly string[];
}

interface Waiting {
  readonly question: FileQuestion;
  readonly resolve: (outcomes: FileOutcome[]) => void;
}

/** After a file that took too long, whatever was interrupted is not used here again. */
let isHereOver = false;

/**
 * Runs the built-in file reviewers on several threads, and on none where there is little to look at. A thread that dies or does not come back is
 * replaced, and what it was at counts as not reviewed.
 */
export class ReviewPool {
  readonly #lanes: Lane[];
  readonly #queue: Waiting[] = [];
  #isClosed = false;
  #charsHere = 0;

  constructor(threads: number) {
    this.#lanes = Array.from({ length: Math.max(1, threads) }, () => new Lane(() => this.#next()));
  }

  async review(file: SourceFile, reviewers: readonly string[]): Promise<FileOutcome[]> {
    const question = { file, reviewers };
    return (await this.#reviewHere(question)) ?? this.#reviewInThread(question);
  }

  /** Undefined when a thread has to look: too much, too slow, or a failure that is the thread's to tell. */
  async #reviewHere(question: FileQuestion): Promise<FileOutcome[] | undefined> {
    this.#charsHere += question.file.text.length;
    if (isHereOver || this.#isClosed || this.#charsHere > HERE_CHARS_MAX) return undefined;
    const { outcomesOf } = await import("./file-outcome.ts");
    const outcomes = inAMoment(() => outcomesOf(question), HERE_MS_MAX);
    isHereOver ||= outcomes === undefined;
    return outcomes?.every((outcome) => !("failed" in outcome)) ? outcomes : undefined;
  }

  #reviewInThread(question: FileQuestion): Promise<FileOutcome[]> {
    // Whoever was about to ask while it was closed must not wait for ever.
    if (this.#isClosed) return Promise.resolve(failedBy(question, STOPPED));
    return new Promise((resolve) => {
      this.#queue.push({ question, resolve });
      this.#next();
    });
  }

  /** Ends all threads; what was not answered is answered as not reviewed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { question, resolve } of this.#queue.splice(0)) {
      resolve(failedBy(question, STOPPED));
    }
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  #next(): void {
    for (const lane of this.#lanes) {
      if (lane.isBusy || this.#isClosed) continue;
      const waiting = this.#queue.shift();
      if (!waiting) return;
      lane.ask(waiting);
    }
  }
}

/** One thread, which is made anew when it is lost. */
class Lane {
  readonly #onFree: () => void;
  #worker: Worker | undefined;
  #waiting: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(onFree: () => void) {
    this.#onFree = onFree;
  }

  get isBusy(): boolean {
    return this.#waiting !== undefined;
  }

  ask(waiting: Waiting): void {
    this.#waiting = waiting;
    this.#timer = setTimeout(
      () => this.#lose(`it took longer than ${FILE_TIMEOUT_MS / 1_000} seconds`),
      FILE_TIMEOUT_MS,
    );
    this.#worker ??= this.#start();
    this.#worker.postMessage(waiting.question);
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#lose(STOPPED);
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL("./review-thread.js", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
      // Nothing of the user's environment is a reviewer's business.
      env: {},
    });
    worker.on("message", (outcomes: FileOutcome[]) => this.#answer(outcomes));
    worker.on("error", (error: Error) => this.#lose(`its thread ended: ${error.message}`));
    worker.on("exit", () => {
      if (this.#worker === worker) this.#lose("its thread ended");
    });
    return worker;
  }

  #lose(why: string): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
    if (this.#waiting) this.#answer(failedBy(this.#waiting.question, why));
  }

  #answer(outcomes: FileOutcome[]): void {
    clearTimeout(this.#timer);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(outcomes);
    this.#onFree();
  }
}

function failedBy({ reviewers }: FileQuestion, failed: string): FileOutcome[] {
  return reviewers.map((reviewer) => ({ reviewer, failed }));
}
