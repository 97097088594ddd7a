import { join } from "node:path";
import {
  parseRegistryUrl,
  type RegistryRefusal,
  type RegistryRules,
  type RegistrySource,
  registryRule,
} from "./registry-source.ts";

const SETTING = "GOPROXY (go env -w GOPROXY=<url>)";

/** The rules for the module proxies of GOPROXY. `direct` would go to any host, so it is left out. */
export function goRules({
  env,
  home,
  readFile,
  askTool,
}: RegistrySource): RegistryRules | RegistryRefusal {
  const config = env["XDG_CONFIG_HOME"] ?? join(home, ".config");
  const written = readFile(env["GOENV"] ?? join(config, "go/env")) ?? "";
  const named = (name: string) => env[name] ?? new RegExp(`^${name}=(.*)$`, "m").exec(written)?.[1];
  const setting = named("GOPROXY") ?? askTool("go", ["env", "GOPROXY"]) ?? "";
  const proxies = setting
    .split(/[,|]/)
    .map(parseRegistryUrl)
    .filter((url) => url !== undefined);
  if (proxies.length === 0) {
    return { setting: SETTING, reason: "no Go module proxy is configured, and none is built in" };
  }
  const rules = proxies.map((url) => registryRule("go", url, pathsOf(url.base)));
  const list = proxies.map(({ plain }) => plain.replace(/\/$/, "")).join(",");
  // Whose checksums are asked for, and of what, is the user's decision inside as well.
  const checked = ["GOSUMDB", "GONOSUMDB"].flatMap((name) => {
    const value = named(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    rules,
    env: { GOPROXY: list, GOVCS: "*:off", ...Object.fromEntries(checked) },
    files: {},
  };
}

function pathsOf(base: string): string[] {
  const versions = ["list", "*.info", "*.mod", "*.zip"].map((name) => `${base}/**/@v/${name}`);
  const sums = ["supported", "latest", "lookup/**", "tile/**"];
  return [...versions, `${base}/**/@latest`, ...sums.map((path) => `${base}/sumdb/*/${path}`)];
}
