import type { Socket } from "node:net";

const KEPT_PER_NAME_MAX = 8;
const KEPT_MS = 15_000;

/** Connections that wait for another request to the same host. */
export class SocketPool {
  readonly #all = new Set<Socket>();
  readonly #kept = new Map<string, Set<Socket>>();

  /** Takes note of a new connection, so that closing the pool reaches it wherever it is. */
  adopt(name: string, socket: Socket): void {
    this.#all.add(socket);
    socket.once("close", () => {
      this.#all.delete(socket);
      this.#kept.get(name)?.delete(socket);
    });
  }

  /** A waiting connection; undefined when a new one is needed. */
  take(name: string): Socket | undefined {
    const [socket] = this.#kept.get(name) ?? [];
    if (socket === undefined) return undefined;
    this.#kept.get(name)?.delete(socket);
    socket.off("readable", destroyThis).off("timeout", destroyThis).setTimeout(0);
    return socket;
  }

  /** Puts a connection back. Whatever upstream says before it is asked again closes it. */
  keep(name: string, socket: Socket): void {
    const kept = this.#kept.get(name) ?? new Set();
    if (socket.destroyed || kept.size >= KEPT_PER_NAME_MAX) {
      socket.destroy();
      return;
    }
    this.#kept.set(name, kept.add(socket));
    socket.on("readable", destroyThis).on("timeout", destroyThis).setTimeout(KEPT_MS);
  }

  close(): void {
    for (const socket of this.#all) socket.destroy();
  }
}

function destroyThis(this: Socket): void {
  this.destroy();
}
