import { basename, join } from "node:path";
import { type ModelService, PLACEHOLDER_KEY } from "../../agent/index.ts";
import { type Clock, SwornError } from "../../base/index.ts";
import {
  type EgressLogLine,
  EgressProxy,
  modelAccess,
  relayedCommand,
  upstreamProxiesFrom,
  userAuthorities,
  userSource,
} from "../../egress/index.ts";
import type { Mount } from "../../sandbox/index.ts";
import { findInUrl } from "../../scan/classify/index.ts";

/** Where the inside finds the socket. */
const INSIDE = "/run/sworn/model";
const PORT = 3_129;
/** Models answer at length; registries' budgets are for packages. */
const BUDGET = { bytesIn: 1 << 30, bytesOut: 1 << 30 };

/** An agent's way to its model, as a run adds it. */
export interface ModelPhase {
  readonly host: string;
  readonly mount: Mount;
  /** What the agent takes for its model's address. */
  readonly inside: string;
  readonly log: readonly EgressLogLine[];
  /** How long from now on the service asks to be left alone; undefined where its last answer does not. */
  leaveAloneMs(): number | undefined;
  command(argv: readonly string[]): string[];
  attach(): Promise<void>;
  close(): Promise<void>;
}

export interface ModelOptions {
  readonly service: ModelService;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly clock: Clock;
  /** A request to the model was answered. */
  readonly onRequest: () => void;
}

/**
 * Prepares a way to one model service and to nothing else; it is not attached yet. The credential is
 * read here and put in by the proxy: no sandbox ever holds it.
 *
 * @throws SwornError `INPUT_INVALID` when the credential is missing.
 */
export function prepareModel(folder: string, options: ModelOptions): ModelPhase {
  const { service, env, home, clock, onRequest } = options;
  const access = modelAccess(service.endpoint, PORT, credentialOf(service, env));
  const log: EgressLogLine[] = [];
  let notBefore: number | undefined;
  const proxy = EgressProxy.start({
    socketFolder: folder,
    rules: access.rules,
    front: access.front,
    budget: BUDGET,
    onAnswer: ({ leaveAloneMs: ms }) => {
      notBefore = ms === undefined ? undefined : clock() + ms;
    },
    onLog: (line) => {
      log.push(line);
      if (line.verdict === "allowed" && line.method === "POST") onRequest();
    },
    clock,
    upstreamProxies: upstreamProxiesFrom(env),
    extraAuthorities: userAuthorities(userSource(env, home)),
    findSecret: (url) => findInUrl(url).length > 0,
  });
  const socket = join(INSIDE, basename(proxy.socketPath));
  return {
    host: access.front.for.host,
    mount: { source: folder, target: INSIDE, isWritable: false },
    inside: access.inside,
    log,
    leaveAloneMs: () => (notBefore === undefined ? undefined : Math.max(0, notBefore - clock())),
    command: (argv) => relayedCommand(socket, PORT, argv),
    attach: () => proxy.attach(),
    close: () => proxy.close(),
  };
}

function credentialOf({ keyEnv, endpoint }: ModelService, env: ModelOptions["env"]) {
  if (keyEnv === undefined) return undefined;
  const secret = env[keyEnv];
  // A line break in it would be a header of its own.
  if (secret !== undefined && /^[\x21-\x7e]{1,8192}$/.test(secret)) {
    return { placeholder: PLACEHOLDER_KEY, secret };
  }
  const found = secret === undefined || secret === "" ? "is not set" : "holds no plain text";
  throw new SwornError(
    "INPUT_INVALID",
    `${keyEnv} ${found}; expected the credential for ${new URL(endpoint).host} in it`,
  );
}
