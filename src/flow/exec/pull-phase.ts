import { chmodSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Clock, SwornError } from "../../base/index.ts";
import {
  createRunAuthority,
  type EgressLogLine,
  EgressProxy,
  type EgressRule,
  isRegistryRefusal,
  lockfileRules,
  type PullKind,
  registryRules,
  relayedCommand,
  trustEnvironment,
  upstreamProxiesFrom,
  userAuthorities,
  userSource,
} from "../../egress/index.ts";
import type { Mount } from "../../sandbox/index.ts";
import { findInUrl } from "../../scan/classify/index.ts";

/** Where the inside finds the socket and the authority's certificate. */
const INSIDE = "/run/sworn/egress";
const PORT = 3_128;
/** Longer than any job. */
const SPARE_MS = 60_000;

/** What a pull phase adds to a task. */
export interface PullPhase {
  readonly hosts: readonly string[];
  readonly mount: Mount;
  readonly env: Readonly<Record<string, string>>;
  /** The command with the relay before it that lets programs use the socket as a proxy. */
  wrap(argv: readonly string[]): string[];
  readonly log: readonly EgressLogLine[];
  attach(): Promise<void>;
  close(): Promise<void>;
}

export interface PullOptions {
  readonly kinds: readonly PullKind[];
  /** A lockfile's text: then nothing can be pulled but what it pins. */
  readonly lockfile?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly jobSeconds: number;
  readonly clock: Clock;
}

/**
 * Prepares a way to the registries that the user's own package managers are set up for, and to
 * nothing else. It is not attached yet.
 *
 * @throws SwornError `INPUT_INVALID` when a registry is not configured.
 */
export async function preparePull(folder: string, options: PullOptions): Promise<PullPhase> {
  const { rules, env } = rulesFor(options);
  const hosts = [...new Set(rules.map(({ host }) => host))];
  const validForMs = options.jobSeconds * 1_000 + SPARE_MS;
  const ca = await createRunAuthority({ validForMs, hosts, clock: options.clock });
  const caPath = `${INSIDE}/ca.pem`;
  const trust = trustEnvironment(caPath, PORT);
  const files = { ...trust.files, [caPath]: ca.certificatePem };
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, path.slice(INSIDE.length + 1));
    writeFileSync(target, text);
    chmodSync(target, 0o444);
  }
  const log: EgressLogLine[] = [];
  const proxy = EgressProxy.start({
    socketFolder: folder,
    rules,
    ca,
    onLog: (line) => log.push(line),
    clock: options.clock,
    upstreamProxies: upstreamProxiesFrom(options.env),
    extraAuthorities: userAuthorities(userSource(options.env, options.home)),
    findSecret: (url) => findInUrl(url).length > 0,
  });
  const socket = join(INSIDE, basename(proxy.socketPath));
  return {
    hosts,
    mount: { source: folder, target: INSIDE, isWritable: false },
    env: { ...env, ...trust.env },
    wrap: (argv) => relayedCommand(socket, PORT, argv),
    log,
    attach: () => proxy.attach(),
    close: () => proxy.close(),
  };
}

function rulesFor({ kinds, lockfile, env, home }: PullOptions) {
  const rules: EgressRule[] = [];
  const variables: Record<string, string> = {};
  for (const kind of kinds) {
    const found = registryRules(kind, userSource(env, home));
    if (isRegistryRefusal(found)) {
      throw new SwornError("INPUT_INVALID", `--pull ${kind}: ${found.reason} (${found.setting})`);
    }
    const isPinned = kind === "npm" && lockfile !== undefined;
    rules.push(...(isPinned ? lockfileRules(lockfile, found).rules : found.rules));
    Object.assign(variables, found.env);
  }
  return { rules, env: variables };
}
