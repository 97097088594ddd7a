import { join } from "node:path";
import type { RegistrySource } from "./registry-source.ts";
import { parseProxy, type UpstreamProxies, upstreamProxiesFrom } from "./upstream-proxy.ts";

const FOLDER = "/etc/apt";
const SETTING = /^\s*Acquire::(https?)::Proxy\s+"([^"]*)"\s*;/gim;

/**
 * The proxies that apt itself would use: those of `apt.conf` and `apt.conf.d`, where `DIRECT` means
 * none, else those of the environment. Only settings written on one line are seen.
 *
 * @throws SwornError `INPUT_INVALID` for a setting that is no URL of a proxy.
 */
export function aptProxies({ env, readFile, listFolder }: RegistrySource): UpstreamProxies {
  const parts = join(FOLDER, "apt.conf.d");
  const names = listFolder(parts).toSorted();
  const paths = [...names.map((name) => join(parts, name)), join(FOLDER, "apt.conf")];
  const found = new Map<string, string>();
  for (const text of paths.map((path) => readFile(path) ?? "")) {
    for (const [, scheme = "", url = ""] of text.matchAll(SETTING)) {
      found.set(scheme.toLowerCase(), url.toUpperCase() === "DIRECT" ? "" : url);
    }
  }
  const general = upstreamProxiesFrom(env);
  const [http, https] = [found.get("http"), found.get("https") ?? found.get("http")];
  return {
    http: http === undefined ? general.http : parseProxy("Acquire::http::Proxy", http),
    https: https === undefined ? general.https : parseProxy("Acquire::https::Proxy", https),
  };
}
