import { join } from "node:path";
import { aptProxies } from "./apt-proxies.ts";
import {
  parseRegistryUrl,
  type RegistryRefusal,
  type RegistryRules,
  type RegistrySource,
  registryRule,
} from "./registry-source.ts";

const FOLDER = "/etc/apt";
const FILES_MAX = 64;
const SETTING = "a source in /etc/apt/sources.list or /etc/apt/sources.list.d";

/** The rules for the machine's own package sources. Many are plain HTTP: their packages are signed. */
export function aptRules(source: RegistrySource): RegistryRules | RegistryRefusal {
  const { readFile, listFolder } = source;
  const folder = join(FOLDER, "sources.list.d");
  const names = listFolder(folder).toSorted().slice(0, FILES_MAX);
  const lists = names.filter((name) => name.endsWith(".list")).map((name) => join(folder, name));
  const stanzas = names.filter((name) => name.endsWith(".sources"));
  const found = [
    ...[join(FOLDER, "sources.list"), ...lists].flatMap((path) =>
      oneLineUrls(readFile(path) ?? ""),
    ),
    ...stanzas.flatMap((name) => stanzaUrls(readFile(join(folder, name)) ?? "")),
  ];
  const urls = [...new Set(found)].map(parseRegistryUrl).filter((url) => url !== undefined);
  if (urls.length === 0) {
    return { setting: SETTING, reason: "no package source with a host is configured" };
  }
  const proxies = aptProxies(source);
  const rules = urls.map((url) =>
    registryRule(
      "apt",
      url,
      [
        `${url.base}/dists/**`,
        `${url.base}/dists/**/by-hash/SHA256/#`,
        `${url.base}/dists/**/by-hash/SHA512/#`,
        `${url.base}/pool/**`,
      ],
      { isAlpnOptional: true, proxies },
    ),
  );
  return { rules, env: {}, files: {} };
}

/** `deb [options] url suite component`: the options may hold spaces, the URL may not. */
function oneLineUrls(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const url = /^\s*deb(?:-src)?\s+(?:\[[^\]]*\]\s+)?(\S+)\s/.exec(line)?.[1];
    return url === undefined ? [] : [url];
  });
}

function stanzaUrls(text: string): string[] {
  return text.split(/\r?\n\s*\r?\n/).flatMap((stanza) => {
    if (/^Enabled:\s*(?:no|false)\s*$/im.test(stanza)) return [];
    return (/^URIs:\s*(.*)$/im.exec(stanza)?.[1] ?? "").split(/\s+/).filter((url) => url !== "");
  });
}
