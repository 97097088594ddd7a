import { SwornError } from "../../base/index.ts";

/** How the forked process of an assertion ended, as the server counts it. */
export const ENDINGS = ["answered", "late", "signalled", "too-long", "silent"] as const;

/** One answer of the server. */
export interface Answer {
  readonly number: number;
  readonly ending: (typeof ENDINGS)[number];
  /** What the process said, or the number of its signal or exit. */
  readonly text: string;
}

const HEAD_BYTES = 9;
const TEXT_BYTES_MAX = 65_536;

/** A question as the server reads it. */
export function askFrame(number: number, code: string, data: string): Buffer {
  const [words, value] = [Buffer.from(code), Buffer.from(data)];
  const head = Buffer.alloc(12);
  head.writeUInt32LE(number, 0);
  head.writeUInt32LE(words.length, 4);
  head.writeUInt32LE(value.length, 8);
  return Buffer.concat([head, words, value]);
}

/** Takes the server's answers apart. It runs inside, so that what it writes is believed in form only. */
export class AnswerReader {
  #left = Buffer.alloc(0);

  /** @throws SwornError `INPUT_INVALID` when it is no answer. */
  take(chunk: Buffer): Answer[] {
    this.#left = Buffer.concat([this.#left, chunk]);
    const answers: Answer[] = [];
    while (this.#left.length >= HEAD_BYTES) {
      const ending = ENDINGS[this.#left.readUInt8(4)];
      const size = this.#left.readUInt32LE(5);
      if (ending === undefined || size > TEXT_BYTES_MAX) {
        throw new SwornError("INPUT_INVALID", "the python server gave an answer we cannot read");
      }
      if (this.#left.length < HEAD_BYTES + size) break;
      const text = this.#left.toString("utf8", HEAD_BYTES, HEAD_BYTES + size);
      answers.push({ number: this.#left.readUInt32LE(0), ending, text });
      this.#left = this.#left.subarray(HEAD_BYTES + size);
    }
    return answers;
  }
}
