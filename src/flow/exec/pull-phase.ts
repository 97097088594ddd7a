import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Clock, readPlainFile, SwornError } from "../../base/index.ts";
import {
  createRunAuthority,
  type EgressLogLine,
  EgressProxy,
  type EgressRule,
  isRegistryRefusal,
  lockfileRules,
  type PullKind,
  registryRules,
  trustEnvironment,
  upstreamProxiesFrom,
  userSource,
} from "../../egress/index.ts";
import type { Mount } from "../../sandbox/index.ts";
import { relayedCommand } from "./relayed-command.ts";

/** Where the inside finds the socket and the authority's certificate. */
const INSIDE = "/run/pull";
const PORT = 3_128;
/** Longer than any job. */
const SPARE_MS = 60_000;
const NPM_MS_MAX = 30_000;
const CERTIFICATES_BYTES_MAX = 8 * (1 << 20);

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
    extraAuthorities: userAuthorities(options.env),
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

/** Certificates that this user's own programs trust beyond the well-known ones. */
function userAuthorities(env: PullOptions["env"]): string[] {
  const paths = [env["NODE_EXTRA_CA_CERTS"], env["SSL_CERT_FILE"], env["npm_config_cafile"]];
  return [...new Set(paths)].flatMap((path) => {
    if (path === undefined || path === "") return [];
    return [readPlainFile(path, CERTIFICATES_BYTES_MAX).toString("latin1")];
  });
}

/** Where no file says it, npm itself knows its registry; asked in the home, where no project has a say. */
function withNpmRegistry(
  env: PullOptions["env"],
  home: string,
): Readonly<Record<string, string | undefined>> {
  const { status, stdout } = spawnSync("npm", ["config", "get", "registry"], {
    cwd: home,
    env: { ...env },
    encoding: "utf8",
    timeout: NPM_MS_MAX,
  });
  const registry = status === 0 ? stdout.trim() : "";
  return URL.canParse(registry) ? { ...env, npm_config_registry: registry } : env;
}

function configured(kind: PullKind, env: PullOptions["env"], home: string) {
  const found = registryRules(kind, userSource(env, home));
  if (kind !== "npm" || !isRegistryRefusal(found)) return found;
  return registryRules(kind, userSource(withNpmRegistry(env, home), home));
}

function rulesFor({ kinds, lockfile, env, home }: PullOptions) {
  const rules: EgressRule[] = [];
  const variables: Record<string, string> = {};
  for (const kind of kinds) {
    const found = configured(kind, env, home);
    if (isRegistryRefusal(found)) {
      throw new SwornError("INPUT_INVALID", `--pull ${kind}: ${found.reason} (${found.setting})`);
    }
    const isPinned = kind === "npm" && lockfile !== undefined;
    rules.push(...(isPinned ? lockfileRules(lockfile, found).rules : found.rules));
    Object.assign(variables, found.env);
  }
  return { rules, env: variables };
}
