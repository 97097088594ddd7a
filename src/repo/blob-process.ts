import { hash } from "node:crypto";
import { SwornError } from "../base/index.ts";
import { BlobAnswers, type BlobContent } from "./blob-answers.ts";
import { type Git, type GitChild, type GitEnd, holdGit, plainWords } from "./git.ts";
import type { ObjectFormat } from "./object-folder.ts";
import { assertId } from "./tree-listing.ts";

const SILENCE_MS_MAX = 120_000;

interface Waiting {
  readonly id: string;
  readonly resolve: (content: BlobContent) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads any number of contents through one git process. Questions do not wait for each other's
 * answers. When git dies, everything that waits fails, and so does every later question.
 */
export class BlobProcess {
  readonly #child: GitChild;
  readonly #ended: Promise<GitEnd>;
  #bytesMax = 0;
  readonly #format: ObjectFormat;
  readonly #waiting: Waiting[] = [];
  /** Answered ones at the front of the queue; removing them one by one would move all others. */
  #answered = 0;
  readonly #timer: NodeJS.Timeout;
  readonly #answers: BlobAnswers;
  #asked = "";
  #failure: unknown;
  #isClosed = false;

  constructor(git: Git, format: ObjectFormat) {
    this.#format = format;
    const { child, end } = git.start(["cat-file", "--batch"]);
    this.#child = child;
    this.#ended = end;
    this.#timer = setTimeout(() => this.#onSilence(), SILENCE_MS_MAX).unref();
    this.#answers = new BlobAnswers(0, (...answer) => this.#answer(...answer));
    child.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    end.then(
      ({ complaint }) => this.#fail(ended(complaint)),
      (error: unknown) => this.#fail(error),
    );
  }

  /**
   * The content of an object. A size that is known from a listing spares the transport of what is
   * too large.
   *
   * @throws SwornError `STORE_UNREADABLE` when git died or the process was ended.
   */
  read(id: string, knownSize?: number | null): Promise<BlobContent> {
    assertId(id);
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (knownSize && knownSize > this.#bytesMax) {
      return Promise.resolve({ state: "too-large", size: knownSize });
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id, resolve, reject });
      this.#watch();
      this.#ask(id);
    });
  }

  /**
   * Serves somebody from now on: our own process does not end meanwhile, and larger contents are told by
   * their size alone.
   */
  begin(bytesMax: number): void {
    this.#bytesMax = bytesMax;
    this.#answers.bytesMax = bytesMax;
    this.hold(true);
  }

  /** Whether it could answer somebody else now. */
  get isIdle(): boolean {
    return this.#failure === undefined && this.#waiting.length === 0;
  }

  /** Lets our own process end while this one waits, or not any more. */
  hold(isHeld: boolean): void {
    holdGit(this.#child, isHeld);
  }

  /** Ends git; whatever still waits fails. */
  async end(): Promise<void> {
    this.#isClosed = true;
    this.#fail(new SwornError("STORE_UNREADABLE", "the reader was closed"));
    this.#child.stdin.end();
    this.#child.kill("SIGKILL");
    await this.#ended.catch(() => undefined);
  }

  #take(chunk: Buffer): void {
    if (this.#isClosed) return;
    this.#timer.refresh();
    try {
      this.#answers.take(chunk);
    } catch (error) {
      // An answer that cannot be read leaves no place from which the next one could be.
      this.#fail(error);
      this.#child.kill("SIGKILL");
    }
  }

  #answer(content: BlobContent, hashed?: Buffer): void {
    const waiting = this.#waiting[this.#answered];
    if (waiting === undefined) throw new SwornError("STORE_UNREADABLE", "git answered unasked");
    this.#answered += 1;
    if (this.#answered === this.#waiting.length || this.#answered > 1_000) {
      this.#waiting.splice(0, this.#answered);
      this.#answered = 0;
    }
    waiting.resolve(this.#proven(waiting.id, content, hashed));
  }

  /** An object store can hold anything under any name; the id is the content's hash or it is a lie. */
  #proven(id: string, content: BlobContent, hashed: Buffer | undefined): BlobContent {
    if (content.state !== "content") return content;
    const isTrue = hashed !== undefined && hash(this.#format, hashed, "hex") === id;
    return isTrue ? content : { state: "damaged" };
  }

  /** Questions of one turn of the event loop go out together: each write costs more than an answer. */
  #ask(id: string): void {
    if (this.#asked === "") {
      setImmediate(() => {
        this.#child.stdin.write(this.#asked);
        this.#asked = "";
      });
    }
    this.#asked += `${id}\n`;
  }

  /** Counts git's silence from the first question that waits; one that nobody asks is left alone. */
  #watch(): void {
    if (this.#waiting.length === 1) this.#timer.refresh();
  }

  #onSilence(): void {
    if (this.#waiting.length > 0) this.#child.kill("SIGKILL");
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    clearTimeout(this.#timer);
    for (const { reject } of this.#waiting.splice(0).slice(this.#answered)) reject(this.#failure);
    this.#answered = 0;
  }
}

function ended(complaint: string): SwornError {
  const what = `git cat-file ended before it had answered: ${plainWords(complaint)}`;
  return new SwornError("STORE_UNREADABLE", what);
}
