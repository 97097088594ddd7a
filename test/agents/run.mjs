import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { AGENTS, CACHE, install, MCP_PARTNERS, programOf } from "./install.mjs";

const ROOT = resolve(import.meta.dirname, "../..");
const variableOf = ({ name }) => `SWORN_AGENT_${name.toUpperCase().replaceAll("-", "_")}`;

for (const agent of [...AGENTS, ...MCP_PARTNERS]) {
  try {
    install(agent);
  } catch (error) {
    console.error(
      `${agent.package} cannot be had, and nothing is tested without it: ${error.message}`,
    );
    process.exit(1);
  }
}

// An address that nobody has: a name that is looked up shows as a packet without a route.
const resolver = join(CACHE, "resolv.conf");
mkdirSync(CACHE, { recursive: true });
writeFileSync(resolver, "nameserver 192.0.2.53\noptions timeout:1 attempts:1\n");

// No network but loopback, so that a stray connection fails; processes of its own, so that whatever
// a failing test leaves behind ends with it.
const sealed = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
const asRoot = process.getuid?.() === 0 ? [] : ["--map-root-user"];
const inside = 'ip link set lo up && mount --bind "$0" /etc/resolv.conf && exec "$@"';
const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
const { status, error } = spawnSync(
  "unshare",
  [
    ...asRoot,
    ...sealed,
    "sh",
    "-c",
    inside,
    resolver,
    process.execPath,
    vitest,
    "run",
    ...(process.argv.length > 2 ? process.argv.slice(2) : ["test/agents"]),
  ],
  {
    cwd: ROOT,
    stdio: "inherit",
    env: {
      ...process.env,
      SWORN_AGENTS: "1",
      SWORN_AGENTS_CACHE: CACHE,
      ...Object.fromEntries(
        [...AGENTS, ...MCP_PARTNERS].map((agent) => [variableOf(agent), programOf(agent)]),
      ),
    },
  },
);
if (error) throw error;
process.exitCode = status ?? 1;
