import type { PULL_KINDS } from "../schema/execution.ts";
import type { EgressRule } from "./rule.ts";
import { basicCredentials } from "./upstream-proxy.ts";

/** Git has no registry: its repositories are named one by one, by whoever knows them. */
export type PullKind = (typeof PULL_KINDS)[number] | "git";

/** Where the user's own configuration is. The project's files are not part of it: a repository does not decide what it may reach. */
export interface RegistrySource {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home. */
  readonly home: string;
  /** Reads a file; undefined when there is none. Tests pass their own. */
  readonly readFile: (path: string) => string | undefined;
  /** The names in a folder; empty when there is none. */
  readonly listFolder: (path: string) => readonly string[];
  /** Asks an installed tool for the default it came with; undefined when it is not there. */
  readonly askTool: (program: string, args: readonly string[]) => string | undefined;
  /** URLs that the user named for this run, beyond what is configured; for git the only ones. */
  readonly also?: readonly string[];
}

/** What a kind of registry needs: rules for the proxy, and where to look for the client inside. */
export interface RegistryRules {
  readonly rules: readonly EgressRule[];
  /** Variables that point the client inside to the registry; no credential is among them. */
  readonly env: Readonly<Record<string, string>>;
  /** Files that the client inside needs, by their path below the task's home. */
  readonly files: Readonly<Record<string, string>>;
}

/** Nothing is configured, or nothing usable: said in words that name the setting. */
export interface RegistryRefusal {
  readonly setting: string;
  readonly reason: string;
}

/** A registry's place from the user's configuration, taken apart. */
export interface RegistryUrl {
  readonly scheme: "https" | "http";
  readonly host: string;
  readonly port: number;
  /** The path without a slash at its end; empty for the root. */
  readonly base: string;
  /** Without user name and password. */
  readonly plain: string;
  /** The value of `Authorization`, where the URL had a user name. */
  readonly authorization: string | undefined;
}

/** Reads a registry's URL; undefined when it is none, or its path could be read in more than one way. */
export function parseRegistryUrl(text: string): RegistryUrl | undefined {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return undefined;
  const url = new URL(trimmed);
  const scheme = url.protocol.slice(0, -1);
  if ((scheme !== "https" && scheme !== "http") || url.search !== "" || url.hash !== "") {
    return undefined;
  }
  const authorization = url.username === "" ? undefined : basicCredentials(url);
  url.username = "";
  url.password = "";
  const base = url.pathname.replace(/\/+$/, "");
  if (/[*#%]|\/\//.test(base)) return undefined;
  const port = Number(url.port) || (scheme === "https" ? 443 : 80);
  return { scheme, host: url.hostname, port, base, plain: url.href, authorization };
}

/** A rule for a registry of the user's own configuration, which may therefore be on a private network. */
export function registryRule(
  name: string,
  { scheme, host, port, base, authorization }: RegistryUrl,
  paths: readonly string[],
  more: Partial<EgressRule> = {},
): EgressRule {
  return {
    name,
    scheme,
    host,
    port,
    base,
    methods: ["GET", "HEAD"],
    paths,
    allowPrivate: true,
    ...(authorization === undefined ? {} : { setHeaders: { authorization } }),
    ...more,
  };
}
