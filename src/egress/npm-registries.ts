import { join } from "node:path";
import { type IniSetting, parseIni } from "./ini.ts";
import {
  parseRegistryUrl,
  type RegistryRefusal,
  type RegistryRules,
  type RegistrySource,
  type RegistryUrl,
  registryRule,
} from "./registry-source.ts";

/** One registry of npm's configuration: the default one, or that of a scope. */
export interface NpmRegistry {
  /** Empty for the default registry, else the scope with its at sign. */
  readonly scope: string;
  readonly url: RegistryUrl;
}

const SETTING = "registry in ~/.npmrc (npm config set registry <url>)";

/** The rules for npm's registries: what `npm install` and `npm ci` ask them for, and nothing else. */
export function npmRules(source: RegistrySource): RegistryRules | RegistryRefusal {
  const settings = readSettings(source);
  const written = npmRegistries(settings);
  const registries = written.some(({ scope }) => scope === "")
    ? written
    : [...written, ...npmDefault(source)];
  const main = registries.find(({ scope }) => scope === "");
  if (main === undefined) {
    return { setting: SETTING, reason: "no npm registry is configured, and none is built in" };
  }
  const env: Record<string, string> = { npm_config_registry: main.url.plain };
  // Lockfiles may name another registry. Below a path, older versions of npm would add that path twice.
  if (main.url.base === "") env["npm_config_replace_registry_host"] = "always";
  for (const { scope, url } of registries) {
    if (scope !== "") env[`npm_config_${scope}:registry`] = url.plain;
  }
  const rules = registries.map(({ scope, url }) => {
    const authorization = url.authorization ?? npmCredential(settings, url);
    const paths = ["*", "@*/*", "*/-/*.tgz", "@*/*/-/*.tgz"].map((path) => `${url.base}/${path}`);
    const name = scope === "" ? "npm" : `npm ${scope}`;
    // Behind a proxy npm shows no ALPN.
    return registryRule(name, { ...url, authorization }, paths, { isAlpnOptional: true });
  });
  return { rules, env, files: {} };
}

/** What the installed npm itself would use where nothing is written down. */
function npmDefault({ askTool }: RegistrySource): NpmRegistry[] {
  const url = parseRegistryUrl(askTool("npm", ["config", "get", "registry"]) ?? "");
  return url === undefined ? [] : [{ scope: "", url }];
}

/** All settings, the strongest last: the machine's, the user's, the environment's. */
function readSettings({ env, home, readFile }: RegistrySource): IniSetting[] {
  const lower = Object.fromEntries(
    Object.entries(env).map(([key, value]) => [key.toLowerCase(), value]),
  );
  const user = lower["npm_config_userconfig"] ?? join(home, ".npmrc");
  const fromUser = parseIni(readFile(user) ?? "");
  const prefix = lower["npm_config_prefix"] ?? lower["prefix"];
  const prefixes = [
    prefix,
    fromUser.find(({ key }) => key === "prefix")?.value,
    "/usr",
    "/usr/local",
  ];
  const machine = lower["npm_config_globalconfig"];
  const places = prefixes.flatMap((one) => (one === undefined ? [] : [join(one, "etc/npmrc")]));
  const found = [machine, ...places].flatMap((path) =>
    path === undefined ? [] : [readFile(path)],
  );
  const first = found.find((text) => text !== undefined) ?? "";
  const given = Object.entries(lower).flatMap(([name, value = ""]) =>
    name.startsWith("npm_config_")
      ? [{ section: "", key: name.slice("npm_config_".length), value }]
      : [],
  );
  const written = [...parseIni(first), ...fromUser].map((setting) => ({
    ...setting,
    value: expand(setting.value, env),
  }));
  return [...written, ...given];
}

/** `${NAME}` stands for a variable; the files it is read in are the user's own. */
function expand(value: string, env: RegistrySource["env"]): string {
  return value.replaceAll(/\$\{([^}?]+)\??\}/g, (all, name: string) => env[name] ?? all);
}

function npmRegistries(settings: readonly IniSetting[]): NpmRegistry[] {
  const found = new Map<string, RegistryUrl>();
  for (const { key, value } of settings) {
    const scope = key === "registry" ? "" : /^(@[^:/]+):registry$/.exec(key)?.[1];
    const url = scope === undefined ? undefined : parseRegistryUrl(value);
    if (scope !== undefined && url !== undefined) found.set(scope, url);
  }
  return [...found].map(([scope, url]) => ({ scope, url }));
}

/**
 * The credential for a registry: settings are written under `//host/path/`, and the longest such
 * path that the registry lies in counts.
 */
function npmCredential(settings: readonly IniSetting[], url: RegistryUrl): string | undefined {
  const isDefault = url.port === (url.scheme === "https" ? 443 : 80);
  const host = isDefault ? url.host : `${url.host}:${url.port}`;
  const settingOf = (key: string) => settings.findLast((setting) => setting.key === key)?.value;
  const parts = url.base.split("/");
  for (let count = parts.length; count > 0; count -= 1) {
    const place = `//${host}${parts.slice(0, count).join("/")}/`;
    const token = settingOf(`${place}:_authToken`) ?? settingOf(`${place}:_authtoken`);
    if (token !== undefined) return `Bearer ${token}`;
    const pair = settingOf(`${place}:_auth`);
    if (pair !== undefined) return `Basic ${pair}`;
    const [name, word] = [settingOf(`${place}:username`), settingOf(`${place}:_password`)];
    if (name !== undefined && word !== undefined) {
      const text = `${name}:${Buffer.from(word, "base64").toString()}`;
      return `Basic ${Buffer.from(text).toString("base64")}`;
    }
  }
  return undefined;
}
