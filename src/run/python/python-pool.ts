import { availableParallelism } from "node:os";
import { type Json, messageOf } from "../../base/index.ts";
import { type Answer, askFrame } from "./frames.ts";
import { PythonServer, type ServerBounds, type ServerPlace } from "./python-server.ts";
import { ended, type PythonWord, wordOf } from "./python-word.ts";

const WIDTH_MAX = 16;
const WALL_MS = 700;
const MEMORY_BYTES = 192 * (1 << 20);
/** Far beyond what any assertion gets: then the server itself hangs. */
const SILENCE_MS_MAX = 5_000;
const CODE_BYTES_MAX = 64 * 1024;
const RESULT_BYTES_MAX = 1 << 20;
/** How often one assertion may lose its server; the second time it was the reason. */
const TRIES_MAX = 2;

export interface PythonPoolOptions extends ServerPlace {
  /** How many assertions run at a time; as many as there are processors where nobody says. */
  readonly width?: number | undefined;
}

interface Asked {
  readonly code: string;
  readonly data: string;
  readonly answer: (word: PythonWord) => void;
  tries: number;
}

/**
 * Judges python assertions in a warm interpreter inside a sandbox. It starts with the first question
 * and again when it was lost; whatever an assertion does, the next one is answered. Close it after use.
 */
export class PythonPool {
  readonly #place: ServerPlace;
  readonly #bounds: ServerBounds;
  readonly #waiting: Asked[] = [];
  readonly #running = new Map<number, Asked>();
  #server: Promise<PythonServer> | undefined;
  #watchdog: NodeJS.Timeout | undefined;
  #number = 0;
  #isClosed = false;

  constructor({ engine, root, width }: PythonPoolOptions) {
    this.#place = { engine, root };
    const asked = Math.max(1, Math.min(width ?? availableParallelism(), WIDTH_MAX));
    this.#bounds = { width: asked, wallMs: WALL_MS, memoryBytes: MEMORY_BYTES };
  }

  /** Holds one assertion against a result. It never throws: what goes wrong is its answer. */
  judge(assertion: string, result: Json): Promise<PythonWord> {
    const data = JSON.stringify(result);
    if (this.#isClosed) return Promise.resolve(unavailable("the pool was closed"));
    if (Buffer.byteLength(assertion) > CODE_BYTES_MAX) {
      const why = `it is longer than ${CODE_BYTES_MAX} bytes`;
      return Promise.resolve({ kind: "refused", why });
    }
    if (Buffer.byteLength(data) > RESULT_BYTES_MAX) {
      const why = `the result is longer than ${RESULT_BYTES_MAX} bytes of JSON`;
      return Promise.resolve({ kind: "refused", why });
    }
    return new Promise((answer) => {
      this.#waiting.push({ code: assertion, data, answer, tries: 0 });
      void this.#go();
    });
  }

  /** Ends the interpreter; what still waits is answered with `unavailable`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const server = await this.#server?.catch(() => undefined);
    server?.stop();
    await server?.ended;
    this.#answerAll(unavailable("the pool was closed"));
  }

  async #go(): Promise<void> {
    this.#server ??= this.#start();
    const server = await this.#server.catch((error: unknown) => {
      this.#server = undefined;
      this.#answerAll(unavailable(messageOf(error)));
      return undefined;
    });
    if (server === undefined) return;
    while (this.#running.size < this.#bounds.width) {
      const asked = this.#waiting.shift();
      if (asked === undefined) break;
      this.#ask(server, asked);
    }
  }

  async #start(): Promise<PythonServer> {
    const server = await PythonServer.start(this.#place, this.#bounds, (answer) =>
      this.#take(answer),
    );
    void server.ended.then(() => this.#onEnd());
    return server;
  }

  #ask(server: PythonServer, asked: Asked): void {
    this.#number = (this.#number % 0xffff_ffff) + 1;
    asked.tries += 1;
    this.#running.set(this.#number, asked);
    server.ask(askFrame(this.#number, asked.code, asked.data));
    this.#watch(server);
  }

  #take(answer: Answer): void {
    const asked = this.#running.get(answer.number);
    // Nobody asked for it, or it was given up: an answer is believed once.
    if (asked === undefined) return;
    this.#running.delete(answer.number);
    asked.answer(wordOf(answer, this.#bounds.wallMs));
    if (this.#running.size === 0) clearTimeout(this.#watchdog);
    else this.#watchdog?.refresh();
    void this.#go();
  }

  #watch(server: PythonServer): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => server.stop(), SILENCE_MS_MAX);
  }

  /** Whoever was running may have done it, or only have been there: each gets one more try. */
  #onEnd(): void {
    clearTimeout(this.#watchdog);
    this.#server = undefined;
    const lost = [...this.#running.values()];
    this.#running.clear();
    for (const asked of lost.toReversed()) {
      if (asked.tries < TRIES_MAX && !this.#isClosed) this.#waiting.unshift(asked);
      else asked.answer(ended("server", "the interpreter ended together with it, twice"));
    }
    if (this.#waiting.length > 0 && !this.#isClosed) void this.#go();
  }

  #answerAll(word: PythonWord): void {
    for (const { answer } of this.#waiting.splice(0)) answer(word);
  }
}

function unavailable(why: string): PythonWord {
  return { kind: "unavailable", why };
}
