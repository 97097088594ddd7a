import * as z from "zod";
import { parseJson, SwornError } from "../base/index.ts";
import { parseRegistryUrl, type RegistryRules } from "./registry-source.ts";
import type { EgressRule } from "./rule.ts";

const LOCKFILE_BYTES_MAX = 64 * 2 ** 20;
const PACKAGES_MAX = 100_000;
const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[A-Za-z0-9~-][A-Za-z0-9._~-]*$/;
const VERSION = /^[0-9][0-9A-Za-z.+-]{0,127}$/;

const Lockfile = z.object({
  lockfileVersion: z.union([z.literal(2), z.literal(3)]),
  packages: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      version: z.string().optional(),
      resolved: z.string().optional(),
      link: z.boolean().optional(),
      inBundle: z.boolean().optional(),
    }),
  ),
});
type Locked = z.infer<typeof Lockfile>["packages"][string];

/** What a lockfile allows to be pulled. */
export interface LockfileRules {
  /** The registry's rules with exact paths instead of patterns. */
  readonly rules: readonly EgressRule[];
  /** Packages that no configured registry serves, such as those from a git host: an install will miss them. */
  readonly unserved: readonly string[];
}

/**
 * Narrows npm's rules to what a `package-lock.json` pins. The file comes from the repository, so it
 * chooses paths on the configured registries only, and never a host.
 *
 * @throws SwornError `INPUT_INVALID` or `LIMIT_EXCEEDED` for a file that is no such lockfile.
 */
export function lockfileRules(text: string, registry: RegistryRules): LockfileRules {
  const allowed = new Map(registry.rules.map((rule) => [rule, new Set<string>()]));
  const unserved: string[] = [];
  for (const [place, locked] of parseLockfile(text)) {
    if (isLocal(place, locked)) continue;
    const name = locked.name ?? place.slice(place.lastIndexOf("node_modules/") + 13);
    const rule = ruleFor(name, registry.rules);
    const paths = pathsOf(name, locked, rule);
    if (paths.length === 0) unserved.push(name.slice(0, 214));
    for (const path of paths) if (rule !== undefined) allowed.get(rule)?.add(path);
  }
  const rules = [...allowed].map(([rule, exactPaths]) => ({ ...rule, paths: [], exactPaths }));
  return { rules, unserved };
}

function parseLockfile(text: string): [string, Locked][] {
  const parsed = Lockfile.safeParse(parseJson(text, LOCKFILE_BYTES_MAX));
  if (!parsed.success) {
    throw new SwornError(
      "INPUT_INVALID",
      "package-lock.json: expected lockfileVersion 2 or 3 with packages; make it anew with npm 7 or later",
    );
  }
  const packages = Object.entries(parsed.data.packages);
  if (packages.length > PACKAGES_MAX) {
    throw new SwornError("LIMIT_EXCEEDED", `package-lock.json: more than ${PACKAGES_MAX} packages`);
  }
  return packages;
}

/** The project itself, its workspaces, links to them, and what travels inside another package. */
function isLocal(place: string, locked: Locked): boolean {
  if (!place.includes("node_modules/") || locked.link === true) return true;
  return locked.inBundle === true || locked.resolved?.startsWith("file:") === true;
}

function ruleFor(name: string, rules: readonly EgressRule[]): EgressRule | undefined {
  const scope = /^(@[^/]+)\//.exec(name)?.[1];
  return (
    rules.find((rule) => rule.name === `npm ${scope}`) ?? rules.find((rule) => rule.name === "npm")
  );
}

function pathsOf(name: string, { version, resolved }: Locked, rule?: EgressRule): string[] {
  if (rule === undefined || !NAME.test(name) || name.length > 214 || !VERSION.test(version ?? ""))
    return [];
  const base = rule.base ?? "";
  const file = name.slice(name.indexOf("/") + 1);
  const tarball = `${base}/${name}/-/${file}-${version}.tgz`;
  // Without an address npm asks for the package's description first, in either spelling of a scope.
  if (resolved === undefined) {
    return [`${base}/${name}`, `${base}/${name.replace("/", "%2f")}`, tarball];
  }
  const url = parseRegistryUrl(resolved);
  if (url === undefined) return [];
  const isSame = url.host === rule.host && url.port === rule.port && url.scheme === rule.scheme;
  // The file comes from the repository: of the registry it may choose this package's archives alone.
  const own = `${base}/${name}/-/`;
  if (isSame) {
    const isArchive = url.base.startsWith(own) && /^[^/]+\.tgz$/.test(url.base.slice(own.length));
    return isArchive ? [url.base] : [];
  }
  // Another registry's address: npm is told to ask the configured one for the same file.
  return url.base.endsWith(`/${name}/-/${file}-${version}.tgz`) ? [tarball] : [];
}
