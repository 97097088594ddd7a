import { join } from "node:path";
import * as z from "zod";
import {
  decodeUtf8,
  messageOf,
  parseJson,
  readPlainFile,
  writeFileDurably,
} from "../../base/index.ts";
import type { Circuit } from "../../schema/contract.ts";
import { Digest } from "../../schema/index.ts";
import { BreakerMemory, CircuitBreaker } from "../../verify/contract/index.ts";
import type { Place } from "../place.ts";

const MEMORY_BYTES_MAX = 4_096;
const NAME = "breakers.json";

const Memories = z.strictObject({
  v: z.literal(1),
  /** Whose failures these are; another contract's team has not failed yet. */
  contract: Digest.optional(),
  layer_0: BreakerMemory,
  layer_2: BreakerMemory,
});

/** A check that is left alone for a while. */
export interface Wait {
  /** As a time of the day, in UTC. */
  readonly until: string;
  readonly words: string;
}

/**
 * The breakers of a contract: what kept failing in one run is left alone in the next one too. The
 * memory of the last contract is kept in the store; under another one everything is asked. One that is damaged, or from the future, is not believed: the breakers
 * then start closed, which means that everything is checked.
 */
export class Breakers {
  readonly layer0: CircuitBreaker;
  readonly layer2: CircuitBreaker;
  /** What went wrong with the memory itself. */
  readonly warnings: string[] = [];
  readonly #place: Place;
  readonly #circuits: { readonly layer0: Circuit; readonly layer2: Circuit };
  readonly #contract: string;
  /** Whether there is a file that has to be kept up to date. */
  #isKept = true;

  constructor(
    place: Place,
    circuits: { readonly layer0: Circuit; readonly layer2: Circuit },
    contract: string,
  ) {
    this.#place = place;
    this.#contract = contract;
    this.#circuits = circuits;
    const memories = this.#read();
    this.layer0 = new CircuitBreaker(circuits.layer0, memories?.layer_0);
    this.layer2 = new CircuitBreaker(circuits.layer2, memories?.layer_2);
  }

  /** Which checks are left alone now, and until when; a person who tries again at once should know. */
  waits(): Wait[] {
    const layers = ["layer0", "layer2"] as const;
    return layers.flatMap((layer) => {
      const { failures, opened_ms: openedMs, trial_ms: trialMs } = this[layer].memory;
      if (openedMs === null) return [];
      const endMs = (trialMs ?? openedMs) + this.#circuits[layer].recovery_seconds * 1_000;
      const seconds = Math.max(0, Math.ceil((endMs - this.#place.clock()) / 1_000));
      const name = layer === "layer0" ? "the files' form" : "the source";
      const until = new Date(endMs).toISOString();
      const words = `${name}: ${failures} failures in a row; it is asked again in ${seconds} s, at ${until}`;
      return [{ until, words }];
    });
  }

  /** Writes down what the breakers know. A project in which nothing ever failed gets no store for it. */
  remember(): void {
    const memories = {
      v: 1,
      contract: this.#contract,
      layer_0: this.layer0.memory,
      layer_2: this.layer2.memory,
    };
    const isBlank = memories.layer_0.failures + memories.layer_2.failures === 0;
    if (isBlank && !this.#isKept) return;
    try {
      this.#place.prepare();
      writeFileDurably(this.#path, `${JSON.stringify(memories)}\n`);
    } catch (error) {
      // Without a memory the next run checks everything; that is no reason to end this one.
      this.warnings.push(`${this.#path} cannot be written: ${messageOf(error)}`);
    }
  }

  get #path(): string {
    return join(this.#place.store, NAME);
  }

  #read(): z.infer<typeof Memories> | undefined {
    try {
      const text = decodeUtf8(readPlainFile(this.#path, MEMORY_BYTES_MAX, "refuse"));
      const memories = Memories.parse(parseJson(text, MEMORY_BYTES_MAX));
      if ((memories.contract ?? this.#contract) !== this.#contract) return undefined;
      const nowMs = this.#place.clock();
      const moments = [memories.layer_0, memories.layer_2].flatMap((one) => [
        one.opened_ms ?? 0,
        one.trial_ms ?? 0,
      ]);
      // A breaker that opened tomorrow would stay open until then.
      if (moments.every((moment) => moment <= nowMs)) return memories;
      this.warnings.push(`${this.#path} speaks of the future; the breakers start closed`);
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") {
        this.#isKept = false;
        return undefined;
      }
      this.warnings.push(`${this.#path} is damaged; the breakers start closed`);
    }
    return undefined;
  }
}
