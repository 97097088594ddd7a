import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Server, Socket } from "node:net";
import type { Engine, RootFiles } from "../../sandbox/index.ts";
import { Limits, WORKSPACE } from "../../schema/execution.ts";
import { type Executed, execute } from "../execute/index.ts";
import { fixedEnvironment, RunFolder } from "../workspace/index.ts";
import type { Answer } from "./frames.ts";
import { connected, listen, SOCKET } from "./server-socket.ts";

const SAID_CHARS_MAX = 2_000;
const MIB = 1 << 20;
/** The interpreter with all that it has loaded, and room for the kernel's own. */
const SERVER_BYTES = 128 * MIB;

/** What the server is told about one assertion's bounds, and how many run at a time. */
export interface ServerBounds {
  readonly width: number;
  readonly wallMs: number;
  readonly memoryBytes: number;
}

/** Where the server runs. */
export interface ServerPlace {
  readonly engine: Engine;
  readonly root: RootFiles;
}

const source = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

/** One warm interpreter, alone in a sandbox, that forks a process for each assertion. */
export class PythonServer {
  readonly #socket: Socket;
  readonly #stop: () => void;
  /** Settles when nothing of the sandbox is left. */
  readonly ended: Promise<void>;

  private constructor(socket: Socket, ended: Promise<void>, stop: () => void) {
    this.#socket = socket;
    this.ended = ended;
    this.#stop = stop;
  }

  /**
   * Builds the sandbox and waits until the interpreter has loaded everything.
   *
   * @param rules what says which assertions are let in, and judges them
   * @throws SwornError `NOT_FOUND` when there is no python3 inside, or not all of it; `SANDBOX_FAILED`.
   */
  static async start(
    place: ServerPlace,
    bounds: ServerBounds,
    onAnswer: (answer: Answer) => void,
    rules = source("./assertion.py"),
  ): Promise<PythonServer> {
    const folder = new RunFolder(place.engine.owner);
    const stopping = new AbortController();
    const said: string[] = [];
    let listener: Server | undefined;
    let over: Promise<Executed | undefined> = Promise.resolve(undefined);
    const clear = () => {
      listener?.close();
      folder.remove();
    };
    try {
      const shared = folder.shared("python");
      const listening = await listen(shared);
      listener = listening.server;
      const program = `${rules}\n${source("./fork-server.py")}`;
      const running = run(place, bounds, { program, shared, said, signal: stopping.signal });
      over = running.catch(() => undefined);
      const socket = await connected(listening.socket, running, said, onAnswer);
      // A folder that cannot be removed now is with the next run; nobody who waits for the end can do better.
      const ended = over.then(clear).catch(() => {});
      return new PythonServer(socket, ended, () => stopping.abort());
    } catch (error) {
      stopping.abort();
      await over;
      clear();
      throw error;
    }
  }

  /** Hands a question over. What the server does not read waits in its socket. */
  ask(frame: Buffer): void {
    this.#socket.write(frame);
  }

  /** Ends the sandbox and everything in it. */
  stop(): void {
    this.#stop();
    this.#socket.destroy();
  }
}

interface Started {
  readonly program: string;
  /** The folder with the socket. */
  readonly shared: string;
  /** Where its complaints are put. */
  readonly said: string[];
  readonly signal: AbortSignal;
}

async function run(
  { engine, root }: ServerPlace,
  { width, wallMs, memoryBytes }: ServerBounds,
  { program, shared, said, signal }: Started,
): Promise<Executed> {
  const limits = limitsFor(width, memoryBytes);
  const path = `${WORKSPACE.input}/${SOCKET}`;
  const prepared = await engine.prepare({
    id: `python-${randomBytes(8).toString("hex")}`,
    root,
    argv: ["python3", "-I", "-c", program, path, `${width}`, `${wallMs}`, `${memoryBytes}`],
    cwd: "/",
    env: fixedEnvironment({ seed: "0", sourceDateEpoch: 0 }),
    mounts: [{ source: shared, target: WORKSPACE.input, isWritable: false }],
    limits,
  });
  const onOutput = (_: string, chunk: Buffer) => {
    if (said.join("").length < SAID_CHARS_MAX) said.push(chunk.toString("utf8"));
  };
  try {
    return await execute(prepared, { limits, signal, onOutput });
  } finally {
    prepared.stop("it is over");
    prepared.release();
    await prepared.end;
  }
}

/** Room for as many processes as run at a time, and nothing to write anywhere. */
function limitsFor(width: number, memoryBytes: number): Limits {
  return Limits.parse({
    memory_bytes: SERVER_BYTES + width * memoryBytes,
    cpu_thousandths: (width + 1) * 1_000,
    pids: width * 2 + 8,
    open_files: 256,
    file_bytes: 4_096,
    ...{ tmp_bytes: 4_096, data_bytes: 4_096, output_bytes: 4_096, output_files: 1 },
    stream_bytes: MIB,
    step_seconds: 86_400,
    job_seconds: 604_800,
  });
}
