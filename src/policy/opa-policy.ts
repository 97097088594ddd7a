import { Worker } from "node:worker_threads";
import { canonicalize, SwornError } from "../base/index.ts";
import type { PolicyAnswer, PolicyRequest } from "./cedar-policies.ts";
import type { PolicyFile } from "./policy-file.ts";
import { sectionsOf } from "./wasm-sections.ts";

/** Machine code can loop for ever; a decision takes microseconds, loading a large policy much longer. */
const DECISION_TIMEOUT_MS = 5_000;
const THREAD_MEMORY_MB = 64;
/** The section in which a module makes memory of its own, out of our reach. */
const MEMORY_SECTION = 5;

/** What the thread is given to begin with, and what it answers to one input. */
export interface OpaSetup {
  readonly bytes: Uint8Array;
  readonly memoryPagesMax: number;
}
export interface OpaReply {
  readonly result?: unknown;
  readonly failed?: string;
}

/** 64 MiB in the pages of WebAssembly. */
const MEMORY_PAGES_MAX = 1_024;

/**
 * A policy that somebody compiled with OPA. It runs in a thread of its own, which is ended when it
 * does not answer in time; nothing but the one right answer is a yes.
 */
export class OpaPolicy {
  readonly #policy: string;
  readonly #bytes: Buffer;
  #worker: Worker | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  /** @throws SwornError `INPUT_INVALID` when it is no module, or one that brings memory of its own. */
  constructor({ name, bytes }: PolicyFile) {
    this.#policy = `user/${name}`;
    this.#bytes = bytes;
    const sections = sectionsOf(bytes);
    if (sections === undefined) {
      throw new SwornError("INPUT_INVALID", `${name} is not a WebAssembly module`);
    }
    if (sections.includes(MEMORY_SECTION)) {
      throw new SwornError(
        "INPUT_INVALID",
        `${name} makes memory of its own, which could not be bounded; expected a module of "opa build -t wasm"`,
      );
    }
  }

  /** One at a time: the thread answers in order, and a lost thread loses one question only. */
  decide(request: PolicyRequest): Promise<PolicyAnswer> {
    const answer = this.#turn.then(async () => toAnswer(this.#policy, await this.#ask(request)));
    this.#turn = answer;
    return answer;
  }

  async close(): Promise<void> {
    await this.#turn;
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #ask(request: PolicyRequest): Promise<OpaReply> {
    const worker = this.#start();
    return new Promise((resolve) => {
      const settle = (reply: OpaReply): void => {
        clearTimeout(timer);
        worker.off("message", settle).off("error", onError).off("exit", onExit);
        // It must not keep the process from ending while nobody asks it anything.
        worker.unref();
        resolve(reply);
      };
      const lose = (failed: string): void => {
        this.#worker = undefined;
        settle({ failed });
        void worker.terminate();
      };
      const onError = ({ message }: Error): void => lose(`its thread ended: ${message}`);
      const onExit = (): void => lose("its thread ended");
      const timer = setTimeout(
        () => lose(`no answer within ${DECISION_TIMEOUT_MS / 1_000} seconds`),
        DECISION_TIMEOUT_MS,
      );
      worker.ref();
      worker.on("message", settle).on("error", onError).on("exit", onExit);
      worker.postMessage(canonicalize(request));
    });
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL("./opa-thread.js", import.meta.url), {
      workerData: { bytes: this.#bytes, memoryPagesMax: MEMORY_PAGES_MAX } satisfies OpaSetup,
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
      env: {},
    });
    // Whoever asks hears of it; of a thread that was given up nobody does.
    worker.on("error", () => {});
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    this.#worker = worker;
    return worker;
  }
}

function toAnswer(policy: string, reply: OpaReply): PolicyAnswer {
  if (reply.failed !== undefined) {
    return { decision: "deny", matched: [], errors: [`${policy}: ${reply.failed}`] };
  }
  return { decision: isYes(reply.result) ? "allow" : "deny", matched: [policy], errors: [] };
}

/** Exactly one result that is `true` or `{"allow": true}`; an undefined rule gives no result at all. */
function isYes(results: unknown): boolean {
  if (!Array.isArray(results) || results.length !== 1) return false;
  const [only] = results as unknown[];
  if (!isRecord(only) || Object.keys(only).join() !== "result") return false;
  const { result } = only;
  if (result === true) return true;
  return isRecord(result) && Object.keys(result).join() === "allow" && result["allow"] === true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
