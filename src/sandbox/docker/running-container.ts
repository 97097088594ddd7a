import { closeSync, constants, openSync, statSync } from "node:fs";
import { constants as system } from "node:os";
import { type Duplex, PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { messageOf, SwornError } from "../../base/index.ts";
import { WORKSPACE } from "../../schema/execution.ts";
import type { Control, Prepared, TaskEnd } from "../engine.ts";
import { groupsOf } from "../groups-of.ts";
import { GO } from "../launcher.ts";
import { usageOf } from "../usage-of.ts";
import { LAUNCHER_AT } from "./container-spec.ts";
import type { EngineClient } from "./engine-client.ts";
import { feed } from "./feed.ts";
import { type SplitFrames, splitFrames } from "./frames.ts";
import { HeadedStream } from "./headed-stream.ts";

const Waited = z.object({ StatusCode: z.int() });
const State = z.object({
  State: z.object({ Pid: z.int().min(0), OOMKilled: z.boolean(), Running: z.boolean() }),
});
type State = z.infer<typeof State>["State"];

/** A container between its start and its removal. Whoever has it must see to its end. */
export class RunningContainer {
  /** What it prints, the launcher's report first. */
  readonly stdout: HeadedStream;
  readonly stderr = new PassThrough();
  /** The exit code that the engine gives. */
  readonly exited: Promise<number>;
  /** Settles when the container is removed. */
  readonly end: Promise<TaskEnd>;
  readonly #client: EngineClient;
  readonly #path: string;
  readonly #socket: Duplex;
  readonly #streams: SplitFrames;
  #why: string | undefined;
  #output: number | undefined;

  private constructor(
    client: EngineClient,
    path: string,
    socket: Duplex,
    { exited, reportBytes }: { exited: Promise<number>; reportBytes: number },
  ) {
    this.#client = client;
    this.#path = path;
    this.stdout = new HeadedStream(reportBytes);
    this.#socket = socket;
    this.#streams = splitFrames(socket, this);
    this.exited = exited;
    this.end = this.#whenEnded();
    // They are looked at when the end is asked for; until then nobody may be listening.
    for (const one of [this.#streams.done, this.exited, this.end]) one.catch(() => undefined);
  }

  /**
   * Starts a container that was made before. Its end is asked for first: a question that comes
   * after a task has ended would wait for ever, or be answered with a zero that means nothing.
   *
   * @throws SwornError `SANDBOX_FAILED`; the container is still there then.
   */
  static async start(
    client: EngineClient,
    path: string,
    reportBytes: number,
  ): Promise<RunningContainer> {
    const attached = { stream: "1", stdin: "1", stdout: "1", stderr: "1" };
    const attach = { method: "POST", path: `${path}/attach`, query: attached } as const;
    const socket = await client.hijack(attach);
    try {
      const query = { condition: "next-exit" };
      const wait = { method: "POST", path: `${path}/wait`, query, isLong: true } as const;
      const waiting = await client.open(wait);
      const exited = text(waiting).then((answer) => Waited.parse(JSON.parse(answer)).StatusCode);
      exited.catch(() => undefined);
      await client.call({ method: "POST", path: `${path}/start` });
      return new RunningContainer(client, path, socket, { exited, reportBytes });
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  /** What the engine says about the first process in it. */
  async state(): Promise<State> {
    const { body } = await this.#client.call({ method: "GET", path: `${this.#path}/json` });
    return State.parse(body).State;
  }

  /** Ends everything in it; the first reason given counts, and is the only one that anything is done for. */
  stop(why: string): void {
    if (this.#why !== undefined) return;
    this.#why = why;
    const kill = { method: "POST", path: `${this.#path}/kill`, expected: [404, 409] } as const;
    // An engine that cannot kill is asked to remove by force, and the end tells what came of it.
    this.#client.call(kill).catch(() => removeContainer(this.#client, this.#path).catch(() => {}));
  }

  /** The sandbox as others see it: it waits for the word. */
  prepared(pid: number, controls: readonly Control[], input: number | undefined): Prepared {
    // Opened before the task has begun, so that no link of its making can lead elsewhere.
    const output = openSync(`/proc/${pid}/root${WORKSPACE.output}`, constants.O_RDONLY);
    this.#output = output;
    const { stdout, stderr, end } = this;
    const groups = groupsOf(pid);
    const [pids, memory] = ["pids", "memory"].map((name) => groups.get(name) ?? groups.get(""));
    return {
      controls,
      stdout,
      stderr,
      end,
      output: `/proc/self/fd/${output}/.`,
      begin: () => this.#begin(input),
      usage: () => usageOf({ pids, memory }),
      stop: (why) => this.stop(why),
      release: () => this.release(),
    };
  }

  /** What comes after the word is the task's input; where there is none, it ends at once. */
  #begin(input: number | undefined): void {
    this.#socket.write(GO);
    if (input === undefined) this.#socket.end();
    else feed(input, this.#socket);
  }

  release(): void {
    if (this.#output !== undefined) closeSync(this.#output);
    this.#output = undefined;
  }

  async #whenEnded(): Promise<TaskEnd> {
    try {
      const code = await this.exited;
      this.#streams.drain();
      const lastWords = within(LAST_WORDS_MS_MAX, this.#streams.done);
      // Whoever stopped it knows why; the engine may have let go of it by then.
      const asked = this.#why === undefined ? this.state() : undefined;
      const [state] = await Promise.all([asked, lastWords]);
      return endOf(code, this.#why ?? (state?.OOMKilled && code !== 0 ? "memory" : undefined));
    } catch (cause) {
      const message = `the engine lost sight of a task: ${messageOf(cause)}`;
      throw new SwornError("SANDBOX_FAILED", message, { cause });
    } finally {
      this.#socket.destroy();
      await removeContainer(this.#client, this.#path);
    }
  }
}

/** How long an engine may take to pass on what an ended task has printed. */
const LAST_WORDS_MS_MAX = 30_000;

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end of its streams after ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Removes a container, running or not, with everything that is only its own. */
export async function removeContainer(client: EngineClient, path: string): Promise<void> {
  const query = { force: "1", v: "1" };
  // Somebody else removing it comes to the same.
  await client.call({ method: "DELETE", path, query, expected: [404, 409] });
}

export const containerPath = (id: string): string => `/containers/${encodeURIComponent(id)}`;

/**
 * That the engine's first process runs on this machine, from this launcher: a socket can be led to
 * another machine, and there no process has that number and this very file.
 */
export function sameNode(pid: number, launcher: string): Control {
  const expected = statSync(launcher, { bigint: true });
  const name = "same_node";
  try {
    const found = statSync(`/proc/${pid}/root${LAUNCHER_AT}`, { bigint: true });
    const holds = found.dev === expected.dev && found.ino === expected.ino;
    const seen = holds ? `process ${pid} of this machine` : `process ${pid} has another launcher`;
    return { name, holds, seen };
  } catch (error) {
    return { name, holds: false, seen: `process ${pid} cannot be seen here: ${messageOf(error)}` };
  }
}

const SIGNAL_BASE = 128;

function endOf(code: number, limit: string | undefined): TaskEnd {
  const signal = Object.entries(system.signals).find(
    ([, number]) => SIGNAL_BASE + number === code,
  )?.[0];
  return signal === undefined
    ? { code, signal: undefined, limit }
    : { code: undefined, signal, limit };
}
