import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The agents that the tests drive, each with the one version that its expectations were written for. */
export const AGENTS = [
  { name: "goose", package: "@aaif/goose@0.20.1" },
  { name: "codex", package: "@openai/codex@0.166.0" },
  { name: "pi", package: "@earendil-works/pi-coding-agent@0.74.2" },
  { name: "gemini", package: "@google/gemini-cli@0.61.0" },
  { name: "qwen", package: "@qwen-code/qwen-code@0.15.10" },
  {
    name: "opencode",
    // The program itself: the package around it copies it into place by a script of its own.
    package: `opencode-linux-${process.arch}@1.18.33`,
    file: `opencode-linux-${process.arch}/bin/opencode`,
  },
];

/**
 * What the MCP server is tried with: the protocol's own conformance suite, another client, and the
 * newer Node.js that both of them need.
 */
export const MCP_PARTNERS = [
  { name: "node", package: `node-linux-${process.arch}@22.23.3` },
  { name: "conformance", package: "@modelcontextprotocol/conformance@0.2.0-alpha.12" },
  { name: "mcp-inspector", package: "@modelcontextprotocol/inspector@2.12.0" },
];

/**
 * Outside the repository: they are large, and no part of this project. Not in root's home: root's
 * sandboxes are somebody else's, who cannot look into it.
 */
const CACHES =
  process.getuid?.() === 0
    ? "/var/cache"
    : (process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"));
export const CACHE = resolve(process.env.SWORN_AGENTS_CACHE ?? join(CACHES, "sworn-agents"));

const folderOf = (agent) => join(CACHE, agent.package.replaceAll("/", "+"));

const fileOf = ({ name, file = join(".bin", name) }) => join("node_modules", file);

export const programOf = (agent) => join(folderOf(agent), fileOf(agent));

/**
 * Puts an agent there unless it is. It is made aside and moved, so that a broken attempt is never
 * taken for an agent. Throws when it cannot be had: a test that is left out looks like one that passed.
 */
export function install(agent) {
  const folder = folderOf(agent);
  if (existsSync(folder)) return;
  mkdirSync(CACHE, { recursive: true });
  const aside = mkdtempSync(join(CACHE, "making-"));
  try {
    console.log(`installing ${agent.package}`);
    execFileSync(
      "npm",
      ["install", "--prefix", aside, "--ignore-scripts", "--no-audit", "--no-fund", agent.package],
      { stdio: ["ignore", "ignore", "inherit"], cwd: aside },
    );
    if (!existsSync(join(aside, fileOf(agent)))) {
      throw new Error(`${agent.package} brought no program called ${agent.name}`);
    }
    // Made for its owner alone; sandboxes may be somebody else's.
    chmodSync(aside, 0o755);
    renameSync(aside, folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}
