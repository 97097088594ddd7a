import { join } from "node:path";
import type { RegistrySource } from "./registry-source.ts";
import { parseProxy, type UpstreamProxies } from "./upstream-proxy.ts";

const FOLDER = "/etc/apt";
const SETTING = /^\s*Acquire::(https?)::Proxy\s+"([^"]*)"\s*;/gim;

/**
 * The proxies that apt itself is set up with, in `apt.conf` and `apt.conf.d`. Only settings written
 * on one line are seen; `DIRECT` means none.
 *
 * @throws SwornError `INPUT_INVALID` for a setting that is no URL of a proxy.
 */
export function aptProxies({ readFile, listFolder }: RegistrySource): UpstreamProxies {
  const parts = join(FOLDER, "apt.conf.d");
  const names = listFolder(parts).toSorted();
  const paths = [...names.map((name) => join(parts, name)), join(FOLDER, "apt.conf")];
  const found = new Map<string, string>();
  for (const text of paths.map((path) => readFile(path) ?? "")) {
    for (const [, scheme = "", url = ""] of text.matchAll(SETTING)) {
      found.set(scheme.toLowerCase(), url.toUpperCase() === "DIRECT" ? "" : url);
    }
  }
  const http = parseProxy("Acquire::http::Proxy", found.get("http"));
  return { http, https: parseProxy("Acquire::https::Proxy", found.get("https")) ?? http };
}
