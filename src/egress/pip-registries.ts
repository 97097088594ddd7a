import { join } from "node:path";
import { parseIni } from "./ini.ts";
import {
  parseRegistryUrl,
  type RegistryRefusal,
  type RegistryRules,
  type RegistrySource,
  type RegistryUrl,
  registryRule,
} from "./registry-source.ts";

const SECTIONS = new Set(["global", "install", "download"]);
const KEYS = ["index-url", "extra-index-url", "find-links"] as const;
const SETTING = "index-url in pip.conf (pip config set global.index-url <url>)";

/** The rules for pip's indexes: their pages, and files at the places where indexes keep them. */
export function pipRules(source: RegistrySource): RegistryRules | RegistryRefusal {
  const settings = readSettings(source);
  const urlsOf = (key: (typeof KEYS)[number]) =>
    (settings.get(key) ?? "")
      .split(/\s+/)
      .map(parseRegistryUrl)
      .filter((url) => url !== undefined);
  const [index] = urlsOf("index-url");
  if (index === undefined) {
    return { setting: SETTING, reason: "no Python index is configured, and none is built in" };
  }
  const extra = urlsOf("extra-index-url");
  const links = [...urlsOf("find-links"), ...alsoOf(source)];
  const rules = [
    ...[index, ...extra].map((url) => registryRule("pip", url, indexPaths(url))),
    ...links.map((url) => registryRule("pip files", url, filePaths(url.base))),
  ];
  const env: Record<string, string> = { PIP_INDEX_URL: index.plain };
  if (extra.length > 0) env["PIP_EXTRA_INDEX_URL"] = extra.map(({ plain }) => plain).join(" ");
  return { rules, env, files: {} };
}

function alsoOf({ also = [] }: RegistrySource): RegistryUrl[] {
  return also.map(parseRegistryUrl).filter((url) => url !== undefined);
}

function indexPaths({ base }: RegistryUrl): string[] {
  const above = base.replace(/\/[^/]*$/, "");
  const places = [...new Set([`${above}/packages`, `${above}/packages/packages`, "/packages"])];
  return [
    `${base}/*`,
    `${base}/*/*`,
    ...places.map((place) => `${place}/#/#/#/*`),
    `${above}/+f/#/#/*`,
  ];
}

function filePaths(base: string): string[] {
  return [`${base}/*`, `${base}/#/#/#/*`, `${base}/packages/#/#/#/*`];
}

/** The last setting counts: machine, user, virtual environment, named file, environment. */
function readSettings({ env, home, readFile }: RegistrySource): Map<string, string> {
  const config = env["XDG_CONFIG_HOME"] ?? join(home, ".config");
  const places = [
    "/etc/pip.conf",
    join(home, ".pip/pip.conf"),
    join(config, "pip/pip.conf"),
    ...(env["VIRTUAL_ENV"] === undefined ? [] : [join(env["VIRTUAL_ENV"], "pip.conf")]),
    ...(env["PIP_CONFIG_FILE"] === undefined ? [] : [env["PIP_CONFIG_FILE"]]),
  ];
  const settings = new Map<string, string>();
  for (const { section, key, value } of places.flatMap((path) => parseIni(readFile(path) ?? ""))) {
    if (SECTIONS.has(section)) settings.set(key.replaceAll("_", "-"), value);
  }
  for (const key of KEYS) {
    const value = env[`PIP_${key.toUpperCase().replaceAll("-", "_")}`];
    if (value !== undefined && value !== "") settings.set(key, value);
  }
  return settings;
}
