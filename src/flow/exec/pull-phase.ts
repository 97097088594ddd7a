import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
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
import { type ExecuteOptions, StepGate } from "../../run/index.ts";
import type { Mount, Task } from "../../sandbox/index.ts";
import { findInUrl } from "../../scan/classify/index.ts";
import { inTree } from "./work-copy.ts";

/** Where the inside finds the socket and the authority's certificate. */
const INSIDE = "/run/sworn/egress";
const PORT = 3_128;
/** What installs what the lockfile pins. */
const INSTALL = ["npm", "ci", "--no-audit", "--no-fund", "--no-update-notifier"];
/**
 * Before the relay too: a package's script could read what is meant for the command, and print as if
 * it were the command, through the descriptors of any process that has them.
 */
const APART = ["sh", "-c", 'exec "$@" </dev/null >&2', "sh"];
/** What belongs into the task's home before it begins. */
const HOME_FILES = `${INSIDE}/home`;
/** Longer than any job. */
const SPARE_MS = 60_000;

/** What a pull phase adds to a task. */
export interface PullPhase {
  readonly hosts: readonly string[];
  readonly mount: Mount;
  readonly env: Readonly<Record<string, string>>;
  /** What installs before the task, where that was asked for. */
  readonly install: readonly string[] | undefined;
  /** What is run: whatever may pull has a relay before it, through which programs find the proxy. */
  command(argv: readonly string[], folder: string): Pick<Task, "argv" | "before">;
  /** Takes the way out away between the installation and the task. */
  readonly between: ExecuteOptions["between"];
  readonly log: readonly EgressLogLine[];
  attach(): Promise<void>;
  close(): Promise<void>;
}

export interface PullOptions {
  readonly kinds: readonly PullKind[];
  /** A lockfile's text: then nothing can be pulled but what it pins. */
  readonly lockfile?: string | undefined;
  /** Whether only an installation from it may pull, and the task nothing. */
  readonly installs: boolean;
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
  const { rules, env, homeFiles } = rulesFor(options);
  const hosts = [...new Set(rules.map(({ host }) => host))];
  const validForMs = options.jobSeconds * 1_000 + SPARE_MS;
  const ca = await createRunAuthority({ validForMs, hosts, clock: options.clock });
  const caPath = `${INSIDE}/ca.pem`;
  const trust = trustEnvironment(caPath, PORT);
  const files = { ...trust.files, ...homeFiles, [caPath]: ca.certificatePem };
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, path.slice(INSIDE.length + 1));
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
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
  const hasHomeFiles = Object.keys(homeFiles).length > 0;
  const socket = join(INSIDE, basename(proxy.socketPath));
  const gate = options.installs ? await StepGate.open(folder) : undefined;
  const close = async () => {
    gate?.close();
    await proxy.close();
  };
  const wrap = (argv: readonly string[]) =>
    relayedCommand(socket, PORT, argv, hasHomeFiles ? HOME_FILES : undefined);
  return {
    hosts,
    mount: { source: folder, target: INSIDE, isWritable: false },
    env: { ...env, ...trust.env },
    install: gate && INSTALL,
    command: (argv, folder) =>
      gate
        ? {
            argv: inTree(argv, { folder, isThere: true }),
            before: { argv: [...APART, ...wrap(inTree(INSTALL))], gate: StepGate.within(INSIDE) },
          }
        : { argv: wrap(inTree(argv, { folder })) },
    between: gate && { gate, change: () => proxy.detach() },
    log,
    attach: () => proxy.attach(),
    close,
  };
}

function rulesFor({ kinds, lockfile, env, home }: PullOptions) {
  const rules: EgressRule[] = [];
  const variables: Record<string, string> = {};
  const homeFiles: Record<string, string> = {};
  for (const kind of kinds) {
    const found = registryRules(kind, userSource(env, home));
    if (isRegistryRefusal(found)) {
      throw new SwornError("INPUT_INVALID", `--pull ${kind}: ${found.reason} (${found.setting})`);
    }
    const isPinned = kind === "npm" && lockfile !== undefined;
    rules.push(...(isPinned ? lockfileRules(lockfile, found).rules : found.rules));
    Object.assign(variables, found.env);
    for (const [path, text] of Object.entries(found.files))
      homeFiles[`${HOME_FILES}/${path}`] = text;
  }
  return { rules, env: variables, homeFiles };
}
