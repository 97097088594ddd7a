import { SwornError } from "../base/index.ts";
import { type Git, type GitChild, holdGit, plainWords } from "./git.ts";

const SILENCE_MS_MAX = 120_000;
/** Far longer than any answer that is asked for. */
const ANSWER_CHARS_MAX = 4 << 20;

/** Hears the lines of an answer, and says which one is the last. */
type IsLast = (line: string) => boolean;

interface Waiting {
  readonly lines: string[];
  readonly isLast: IsLast;
  readonly resolve: (lines: readonly string[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A git that answers one question after the other. Each start of git is a copy of this whole process, which
 * takes longer than most answers. It is started with the first question, and again after it has died.
 */
export class LastingGit {
  readonly #git: Git;
  readonly #args: readonly string[];
  #talk: Talk | undefined;

  constructor(git: Git, args: readonly string[]) {
    this.#git = git;
    this.#args = args;
  }

  /**
   * The lines that git answers with, as bytes in characters.
   *
   * @throws SwornError `STORE_UNREADABLE` when git dies over it, which is how it says no to some questions;
   * the signal's reason when the work was called off.
   */
  async ask(question: string, isLast: IsLast): Promise<readonly string[]> {
    if (this.#talk === undefined || this.#talk.isOver) this.#talk = new Talk(this.#git, this.#args);
    return this.#talk.ask(question, isLast);
  }

  close(): void {
    this.#talk?.close();
    this.#talk = undefined;
  }
}

/** One process, from its start to its end. */
class Talk {
  readonly #child: GitChild;
  readonly #waiting: Waiting[] = [];
  readonly #timer: NodeJS.Timeout;
  #rest = "";
  /** Of the answer that is coming. */
  #size = 0;
  #failure: unknown;

  constructor(git: Git, args: readonly string[]) {
    const { child, end } = git.start(args);
    this.#child = child;
    this.#timer = setTimeout(() => this.close(), SILENCE_MS_MAX);
    child.stdout.setEncoding("latin1").on("data", (text: string) => this.#take(text));
    end.then(
      ({ complaint }) => this.#fail(ended(args, complaint)),
      (error: unknown) => this.#fail(error),
    );
    this.#hold(false);
  }

  get isOver(): boolean {
    return this.#failure !== undefined;
  }

  ask(question: string, isLast: IsLast): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ lines: [], isLast, resolve, reject });
      this.#hold(true);
      this.#timer.refresh();
      this.#child.stdin.write(question);
    });
  }

  /** Whoever still waits hears that it is over. */
  close(): void {
    this.#fail(new SwornError("STORE_UNREADABLE", "git was stopped or gave no answer in time"));
    this.#child.stdin.end();
    this.#child.kill("SIGKILL");
  }

  #take(text: string): void {
    this.#timer.refresh();
    this.#size += text.length;
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#takeLine(line);
    if (this.#size > ANSWER_CHARS_MAX) this.close();
  }

  #takeLine(line: string): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      // Nobody knows which question it would answer, nor any that comes after it.
      this.close();
      return;
    }
    first.lines.push(line);
    if (!first.isLast(line)) return;
    this.#waiting.shift();
    this.#size = this.#rest.length;
    if (this.#waiting.length === 0) this.#hold(false);
    first.resolve(first.lines);
  }

  /** Lets our own process end while nobody waits for this one. */
  #hold(isHeld: boolean): void {
    holdGit(this.#child, isHeld);
    if (isHeld) this.#timer.ref();
    else this.#timer.unref();
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    clearTimeout(this.#timer);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}

function ended([command]: readonly string[], complaint: string): SwornError {
  const what = `git ${command} ended before it had answered: ${plainWords(complaint)}`;
  return new SwornError("STORE_UNREADABLE", what);
}
