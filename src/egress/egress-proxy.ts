import { chmodSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { assert, type Clock, SwornError, systemClock } from "../base/index.ts";
import { type Resolve, systemResolve } from "./address-book.ts";
import { ByteBudget, DEFAULT_BUDGET, type EgressBudget } from "./budget.ts";
import type { Front } from "./client-connection.ts";
import { ConnectionTable } from "./connection-table.ts";
import type { HeardAnswer } from "./exchange.ts";
import { DEFAULT_LIMITS, type EgressLimits } from "./limits.ts";
import { EgressLog, type EgressLogLine } from "./log.ts";
import { type EgressRule, RuleSet } from "./rule.ts";
import type { RunAuthority } from "./run-authority.ts";
import { openSocketFolder, removeStaleSocket, type SocketFolder } from "./socket-folder.ts";
import { Turnstile } from "./turnstile.ts";
import { Upstream } from "./upstream.ts";
import type { UpstreamProxies } from "./upstream-proxy.ts";

/** What a proxy is started with. */
export interface EgressOptions {
  /** Mounted into the sandbox; the socket comes and goes in it. */
  readonly socketFolder: string;
  readonly rules: readonly EgressRule[];
  /** Whom the inside believes; without it nothing goes through CONNECT. */
  readonly ca?: RunAuthority | undefined;
  readonly onLog: (line: EgressLogLine) => void;
  /** Told of every answer before it is passed on. */
  readonly onAnswer?: (answer: HeardAnswer) => void;
  readonly budget?: EgressBudget;
  readonly limits?: Partial<EgressLimits>;
  /** Asked about every URL before it is used; the secret scanner, where there is one. */
  readonly findSecret?: (url: string) => boolean;
  readonly resolve?: Resolve;
  readonly clock?: Clock;
  /** PEM of authorities that the user's own configuration adds, beyond the well-known ones. */
  readonly extraAuthorities?: readonly string[];
  /** The user's own proxies, where the network asks for them. */
  readonly upstreamProxies?: UpstreamProxies;
  /** The service that the proxy itself stands for, where there is one. */
  readonly front?: Front | undefined;
}

/** All that wait are taken in one go: they must not be so many that they push one another out unread. */
const WAITING_SHARE = 0.5;

/**
 * The one way out of a sandbox, for one run: it reaches what rules list and nothing else. The inside
 * can only use it while it is attached; a sandbox has no network either way.
 */
export class EgressProxy {
  readonly #folder: SocketFolder;
  readonly #table: ConnectionTable;
  readonly #upstream: Upstream;
  readonly #waitingMax: number;
  #server: Server | undefined;

  /**
   * Prepares a proxy; it is not attached yet.
   *
   * @throws SwornError for a folder that is missing or open to others, or a rule without a usable host.
   */
  static start(options: EgressOptions): EgressProxy {
    return new EgressProxy(options);
  }

  private constructor(options: EgressOptions) {
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    const rules = new RuleSet(options.rules);
    this.#waitingMax = Math.ceil(limits.connectionsMax * WAITING_SHARE);
    this.#folder = openSocketFolder(options.socketFolder);
    this.#upstream = new Upstream({
      resolve: options.resolve ?? systemResolve,
      extraAuthorities: options.extraAuthorities ?? [],
      proxies: options.upstreamProxies ?? {},
      timeoutMs: Math.min(limits.stallMs, 30_000),
    });
    this.#table = new ConnectionTable({
      rules,
      limits,
      upstream: this.#upstream,
      budget: new ByteBudget(options.budget ?? DEFAULT_BUDGET),
      authority: options.ca,
      turnstile: new Turnstile(limits.exchangesMax),
      log: new EgressLog(options.onLog, limits.logLinesMax),
      clock: options.clock ?? systemClock,
      findSecret: options.findSecret ?? (() => false),
      front: options.front,
      onAnswer: options.onAnswer,
    });
  }

  /** Where the socket is while the proxy is attached. */
  get socketPath(): string {
    return this.#folder.socketPath;
  }

  get isAttached(): boolean {
    return this.#server !== undefined;
  }

  /** How many connections from the inside are open. */
  get connectionCount(): number {
    return this.#table.size;
  }

  /**
   * Creates the socket: from now on the inside can ask.
   *
   * @throws SwornError when the socket cannot be made.
   */
  async attach(): Promise<void> {
    assert(this.#server === undefined, "a proxy is attached once at a time");
    removeStaleSocket(this.#folder.bindPath);
    const server = createServer({ pauseOnConnect: false }, (socket) => this.#table.add(socket));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once("error", (cause) => {
        this.#server = undefined;
        reject(
          new SwornError("STORE_UNREADABLE", `${this.socketPath}: no socket could be made here`, {
            cause,
          }),
        );
      });
      server.listen({ path: this.#folder.bindPath, backlog: this.#waitingMax }, resolve);
    });
    // The folder keeps other users out; the sandbox's own user must get through.
    chmodSync(this.#folder.bindPath, 0o666);
  }

  /** Removes the socket and cuts what is open; a later attach starts over with what is left of the budget. */
  async detach(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    this.#table.cutAll();
    this.#upstream.close();
    await closed;
    removeStaleSocket(this.#folder.bindPath);
  }

  /** Detaches for good. */
  async close(): Promise<void> {
    await this.detach();
    this.#table.close();
    this.#folder.close();
  }
}
