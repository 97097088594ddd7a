import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { aptRules } from "./apt-registries.ts";
import { cargoRules } from "./cargo-registries.ts";
import { gitRules } from "./git-repositories.ts";
import { goRules } from "./go-registries.ts";
import { parseHostName } from "./host-name.ts";
import { npmRules } from "./npm-registries.ts";
import { pipRules } from "./pip-registries.ts";
import { isRefusal } from "./refusal.ts";
import type {
  PullKind,
  RegistryRefusal,
  RegistryRules,
  RegistrySource,
} from "./registry-source.ts";

const READERS: Record<PullKind, (source: RegistrySource) => RegistryRules | RegistryRefusal> = {
  npm: npmRules,
  pip: pipRules,
  cargo: cargoRules,
  go: goRules,
  apt: aptRules,
  git: gitRules,
};

const FILE_BYTES_MAX = 1_048_576;
const TOOL_MS = 20_000;
const TOOL_BYTES_MAX = 65_536;

/**
 * The rules for a kind of registry, from the user's own configuration. No host is built in: where
 * nothing is configured the answer is a refusal that names the setting.
 */
export function registryRules(
  kind: PullKind,
  source: RegistrySource,
): RegistryRules | RegistryRefusal {
  const found = READERS[kind](source);
  if (isRegistryRefusal(found)) return found;
  const hosts = new Set(found.rules.map(({ host }) => host));
  for (const host of hosts) {
    const name = parseHostName(host, hosts);
    if (isRefusal(name)) {
      return {
        setting: `the ${kind} registry's URL`,
        reason: `${name.reason}; give the registry a name, for example in the machine's hosts file`,
      };
    }
  }
  return found;
}

/** Tells a refusal from rules. */
export function isRegistryRefusal(
  value: RegistryRules | RegistryRefusal,
): value is RegistryRefusal {
  return "reason" in value;
}

/** The configuration of this machine's user. Files are read, never run; installed tools are asked for their defaults. */
export function userSource(
  env: RegistrySource["env"],
  home: string,
  also: readonly string[] = [],
): RegistrySource {
  const askTool = (program: string, args: readonly string[]) => runTool(program, args, env);
  return { env, home, also, readFile: readSmallFile, listFolder: listNames, askTool };
}

/** Runs in the root folder, where no project's configuration can be found and obeyed. */
function runTool(
  program: string,
  args: readonly string[],
  env: RegistrySource["env"],
): string | undefined {
  try {
    const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
    const options = { cwd: "/", env, stdio, timeout: TOOL_MS, maxBuffer: TOOL_BYTES_MAX };
    return execFileSync(program, args, options).toString("utf8").trim();
  } catch {
    // Not installed, or of no help: then it configures nothing.
    return undefined;
  }
}

function readSmallFile(path: string): string | undefined {
  try {
    const { size } = statSync(path);
    return size > FILE_BYTES_MAX ? undefined : readFileSync(path, "utf8");
  } catch {
    // Not there, or not ours to read: then it configures nothing.
    return undefined;
  }
}

function listNames(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    // Not there: then it configures nothing.
    return [];
  }
}
