import { chmodSync, chownSync, closeSync, constants, openSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { type Json, messageOf, SwornError } from "../../base/index.ts";
import { type ToolingOutcome, ToolingRequest } from "../../schema/tooling.ts";
import { issueWords } from "../words/issue-words.ts";
import { type LineAnswer, serveConnection } from "./connection.ts";
import { type GateBounds, RequestGate } from "./request-gate.ts";
import type { Speaker } from "./speaker.ts";
import { answerVerb, type VerbFunctions } from "./verbs.ts";

/** The name of a run's socket in its folder. */
export const RUN_SOCKET_NAME = "run.sock";
/** Turns a connection into one of MCP: its further lines are messages of that protocol. */
export const MCP_VERB = "mcp.open";

/** Connections at the same time; one more is told so and closed. */
const CONNECTIONS_MAX = 16;
const PATIENCE_MS = 30_000;
const ANSWER_BYTES_MAX = 2 << 20;
const BOUNDS: GateBounds = { inFlightMax: 16, burst: 200, perSecond: 50, bytesMax: 64 << 20 };

/** Answers messages of MCP for the speaker of a socket. */
export type OpenMcp = (
  ask: (verb: string, args: unknown) => Promise<ToolingOutcome>,
) => (message: Json) => Promise<object | undefined>;

export interface RunSocketOptions {
  /** A folder made for this run alone, which its sandbox sees; nobody else can enter it. */
  readonly folder: string;
  readonly speaker: Speaker;
  readonly functions: VerbFunctions;
  /** Who the sandbox is on the host, where that is somebody else than us. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
  readonly openMcp?: OpenMcp | undefined;
  /** Told of failures that the other side hears nothing about. */
  readonly onFault?: (error: unknown) => void;
  readonly bounds?: GateBounds;
  readonly patienceMs?: number;
}

/**
 * The way in which one run speaks to the runtime. Whoever can connect is that run: its identity was
 * fixed when the socket was made, no request can name another, and it ends with the run.
 */
export class RunSocket {
  readonly path: string;
  readonly #options: RunSocketOptions;
  readonly #server: Server;
  readonly #gate: RequestGate;
  readonly #open = new Map<Socket, Promise<void>>();
  /** The folder, held open for as long as the socket is known by a path through this number. */
  #folder: number | undefined;
  #isClosed = false;

  private constructor(options: RunSocketOptions) {
    this.#options = options;
    this.path = join(options.folder, RUN_SOCKET_NAME);
    this.#gate = new RequestGate(options.bounds ?? BOUNDS);
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
  }

  /**
   * Begins to listen.
   *
   * @throws SwornError `STORE_UNREADABLE` when the socket cannot be made.
   */
  static async listen(options: RunSocketOptions): Promise<RunSocket> {
    const made = new RunSocket(options);
    try {
      await made.#listen();
      return made;
    } catch (cause) {
      made.#server.close();
      made.#letGo();
      const message = `no socket could be made in ${options.folder}: ${messageOf(cause)}`;
      throw new SwornError("STORE_UNREADABLE", message, { cause });
    }
  }

  get speaker(): Speaker {
    return this.#options.speaker;
  }

  /** Ends every connection and waits for what was being answered: afterwards nothing more is said. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#gate.close();
    for (const socket of this.#open.keys()) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await Promise.allSettled(this.#open.values());
    this.#letGo();
    rmSync(this.path, { force: true });
  }

  #letGo(): void {
    // Closed a second time, the number may be somebody else's by then.
    if (this.#folder !== undefined) closeSync(this.#folder);
    this.#folder = undefined;
  }

  /**
   * The kernel takes 107 bytes of a path, so that the folder is entered through its descriptor. That
   * stays open: closing the server removes the socket by the same path, and under a number that was
   * given away it would be another run's.
   */
  async #listen(): Promise<void> {
    const { folder, owner } = this.#options;
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    this.#folder = openSync(folder, flags);
    const short = `/proc/self/fd/${this.#folder}/${RUN_SOCKET_NAME}`;
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(short, resolve);
    });
    if (owner) chownSync(short, owner.uid, owner.gid);
    chmodSync(short, 0o600);
  }

  #accept(socket: Socket): void {
    // What goes wrong with a connection shows where it is read.
    socket.on("error", () => {});
    if (this.#open.size >= CONNECTIONS_MAX) {
      const message = `expected at most ${CONNECTIONS_MAX} connections; close one first`;
      socket.end(`${JSON.stringify({ id: null, error: { code: "LIMIT_EXCEEDED", message } })}\n`);
      socket.destroySoon();
      return;
    }
    const served = serveConnection(socket, {
      gate: this.#gate,
      answer: this.#answerer(),
      patienceMs: this.#options.patienceMs ?? PATIENCE_MS,
    })
      .catch((error: unknown) => this.#options.onFault?.(error))
      .finally(() => this.#open.delete(socket));
    this.#open.set(socket, served);
  }

  /** Each connection begins with requests, and may become one of MCP. */
  #answerer(): LineAnswer {
    let mcp: ReturnType<OpenMcp> | undefined;
    return async (line) => {
      if (mcp !== undefined) return mcp(line);
      const parsed = ToolingRequest.safeParse(line);
      if (!parsed.success) {
        const words = issueWords(parsed.error.issues, { shape: ToolingRequest, input: line });
        return { id: idOf(line), error: { code: "INPUT_INVALID", message: words } };
      }
      const { id, verb, args } = parsed.data;
      if (verb === MCP_VERB && this.#options.openMcp && Object.keys(args).length === 0) {
        mcp = this.#options.openMcp((asked, given) => this.#ask(asked, given));
        return { id, ok: {} };
      }
      return { id, ...(await this.#ask(verb, args)) };
    };
  }

  async #ask(verb: string, args: unknown): Promise<ToolingOutcome> {
    if (this.#isClosed) return { error: { code: "NOT_FOUND", message: "the run is over" } };
    const { functions, speaker, onFault } = this.#options;
    return bounded(await answerVerb(functions, speaker, verb, args, onFault));
  }
}

/** Where a request is not well formed, its number still tells which one it was. */
function idOf(line: Json): number | null {
  const id = line !== null && typeof line === "object" && "id" in line ? line["id"] : null;
  return typeof id === "number" && Number.isSafeInteger(id) ? id : null;
}

/** An answer that is too long for a line is none. */
function bounded(outcome: ToolingOutcome): ToolingOutcome {
  if (Buffer.byteLength(JSON.stringify(outcome)) <= ANSWER_BYTES_MAX) return outcome;
  const message = `the answer is longer than ${ANSWER_BYTES_MAX} bytes; ask for less of it`;
  return { error: { code: "LIMIT_EXCEEDED", message } };
}
