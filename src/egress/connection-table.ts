import type { Socket } from "node:net";
import { ClientConnection, type ConnectionTools } from "./client-connection.ts";

const SWEEP_MS = 250;
const EVICTION_ORDER = ["new", "greeted", "idle", "waiting"] as const;

/**
 * The open connections of a run. A flood from the inside fills the table and no more: a newcomer
 * pushes out the oldest one that never asked for anything, or else one that is further but idle or
 * waiting. Each has a moment for its next word first, because a whole batch of newcomers arrives
 * before anything is read; who finds no room in that moment is turned away and can come again.
 */
export class ConnectionTable {
  readonly #open = new Set<ClientConnection>();
  readonly #tools: ConnectionTools;
  readonly #sweeper: NodeJS.Timeout;

  constructor(tools: ConnectionTools) {
    this.#tools = tools;
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#sweeper.unref();
  }

  get size(): number {
    return this.#open.size;
  }

  add(raw: Socket): void {
    if (this.#tools.log.isFull || !this.#makeRoom()) {
      raw.destroy();
      return;
    }
    const connection = new ClientConnection(raw, this.#tools);
    this.#open.add(connection);
    raw.once("close", () => this.#open.delete(connection));
    // A fault of our own while serving one connection is that connection's end and nobody else's.
    connection.serve().catch(() => connection.cut());
  }

  /** Cuts all connections. */
  cutAll(): void {
    for (const connection of this.#open) connection.cut();
  }

  close(): void {
    clearInterval(this.#sweeper);
    this.cutAll();
  }

  #makeRoom(): boolean {
    if (this.#open.size < this.#tools.limits.connectionsMax) return true;
    const now = performance.now();
    for (const stage of EVICTION_ORDER) {
      for (const connection of this.#open) {
        if (connection.stage !== stage || !connection.hasRested(now)) continue;
        connection.cut();
        // Its close comes later; the place is free from now on.
        this.#open.delete(connection);
        return true;
      }
    }
    return false;
  }

  #sweep(): void {
    const now = performance.now();
    for (const connection of this.#open) connection.sweep(now);
  }
}
