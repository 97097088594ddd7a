import { chmodSync, closeSync, constants, openSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { constants as system } from "node:os";
import { SwornError } from "../../base/index.ts";
import { GO, STATUS_BYTES, type TaskEnd } from "../../sandbox/index.ts";

const NAME = "gate.sock";
const CONNECT_MS_MAX = 20_000;

/**
 * Where a sandbox asks for leave to go on from its first command to its own. Only one may ask: the
 * launcher, which is connected before anything else runs in there.
 */
export class StepGate {
  readonly #server: Server;
  readonly #asker: Promise<Socket>;
  /** How the first command ended, once it has; never, when everything ended with it. */
  readonly asked: Promise<TaskEnd>;

  private constructor(server: Server) {
    this.#server = server;
    this.#asker = new Promise((resolve) => {
      server.once("connection", (socket) => {
        socket.on("error", () => socket.destroy());
        // Nobody else is listened to.
        server.close();
        resolve(socket);
      });
    });
    this.asked = this.#asker.then(readStatus);
    this.asked.catch(() => undefined);
  }

  /** Listens in a folder that the sandbox sees. */
  static async open(folder: string): Promise<StepGate> {
    const server = createServer({ allowHalfOpen: true });
    // A short way to the folder, whatever the length of its path: the kernel takes 107 bytes.
    const held = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
    const path = `/proc/self/fd/${held}/${NAME}`;
    server.once("close", () => closeSync(held));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, resolve);
    });
    // Whoever the task is on the host; the folder around it keeps others out.
    chmodSync(path, 0o666);
    return new StepGate(server);
  }

  /** The path of the socket where the folder is seen as another one. */
  static within(folder: string): string {
    return `${folder}/${NAME}`;
  }

  /** @throws SwornError `SANDBOX_FAILED` when the launcher did not come. */
  async connected(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const why = new SwornError("SANDBOX_FAILED", "the sandbox did not ask for its steps");
      timer = setTimeout(() => reject(why), CONNECT_MS_MAX);
    });
    await Promise.race([this.#asker, late]).finally(() => clearTimeout(timer));
  }

  /** Lets the task's own command begin. */
  async go(): Promise<void> {
    (await this.#asker).end(GO);
  }

  /** No leave is given any more: what waits for it ends as the first command did. */
  close(): void {
    this.#server.close();
    void this.#asker.then((socket) => socket.destroy());
  }
}

async function readStatus(socket: Socket): Promise<TaskEnd> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size >= STATUS_BYTES) return endOf(Buffer.concat(chunks).readInt32LE(0));
  }
  throw new SwornError("SANDBOX_FAILED", "the sandbox ended within its first step");
}

/** As `wait` counts: the signal in the lowest seven bits, the exit code above. */
function endOf(status: number): TaskEnd {
  const number = status & 0x7f;
  if (number === 0) return { code: (status >> 8) & 0xff, signal: undefined, limit: undefined };
  const signal = Object.entries(system.signals).find(([, one]) => one === number)?.[0];
  return { code: undefined, signal: signal ?? `${number}`, limit: undefined };
}
