import type { Socket } from "node:net";
import type { Connection } from "./dial.ts";

const KEPT_PER_NAME_MAX = 8;
const KEPT_MS = 15_000;

/** Connections that wait for another request to the same host. */
export class SocketPool {
  readonly #all = new Set<Socket>();
  readonly #kept = new Map<string, Set<Connection>>();

  /** Takes note of a new connection, so that closing the pool reaches it wherever it is. */
  adopt(name: string, connection: Connection): void {
    const { socket } = connection;
    this.#all.add(socket);
    socket.once("close", () => {
      this.#all.delete(socket);
      this.#kept.get(name)?.delete(connection);
    });
  }

  /** A waiting connection; undefined when a new one is needed. */
  take(name: string): Connection | undefined {
    const [connection] = this.#kept.get(name) ?? [];
    if (connection === undefined) return undefined;
    this.#kept.get(name)?.delete(connection);
    connection.socket.off("timeout", destroyThis).setTimeout(0);
    return connection;
  }

  /** Puts a connection back. Whatever upstream says before it is asked again closes it. */
  keep(name: string, connection: Connection): void {
    const { socket } = connection;
    const kept = this.#kept.get(name) ?? new Set();
    if (socket.destroyed || kept.size >= KEPT_PER_NAME_MAX) {
      socket.destroy();
      return;
    }
    this.#kept.set(name, kept.add(connection));
    connection.reader.rest();
    socket.on("timeout", destroyThis).setTimeout(KEPT_MS).resume();
  }

  close(): void {
    for (const socket of this.#all) socket.destroy();
  }
}

function destroyThis(this: Socket): void {
  this.destroy();
}
