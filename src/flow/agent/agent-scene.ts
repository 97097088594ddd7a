import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentCommand, AgentPlaces, ProgramDriver } from "../../agent/index.ts";
import { giveAway } from "../../base/index.ts";
import { AGENT_TREE, type RunFolder } from "../../run/index.ts";
import type { Engine, HostOwner, Mount } from "../../sandbox/index.ts";
import type { MountKind } from "../../schema/admission.ts";
import { WORKSPACE } from "../../schema/execution.ts";

/** Where an agent finds its things. */
export const INSIDE = {
  tree: AGENT_TREE,
  home: `${WORKSPACE.data}/home`,
  promptFile: `${WORKSPACE.input}/prompt.md`,
} as const;

/** Who is to do what, and where its model answers. */
export interface AskedAgent {
  readonly driver: ProgramDriver;
  readonly prompt: string;
  readonly endpoint: string | undefined;
}

/** What an agent sees of the host, and how it is started. */
export interface AgentScene {
  readonly command: AgentCommand;
  readonly mounts: readonly (Mount & { readonly kind: MountKind })[];
  readonly cwd: string;
  readonly home: string;
}

/**
 * Lays out what an agent gets: its tree and a fresh home, which it may change, its prompt and its
 * program, which it may not. Nothing else of the host is there.
 */
export function setScene(
  { driver, prompt, endpoint }: AskedAgent,
  folder: RunFolder,
  { owner }: Pick<Engine, "owner">,
  tree: string,
): AgentScene {
  const places: AgentPlaces = { ...INSIDE, endpoint };
  const command = driver.command(prompt, places);
  const input = folder.shared("input");
  const home = folder.shared("home");
  put(input, { "prompt.md": prompt }, owner);
  put(home, command.home, owner);
  return {
    command,
    cwd: INSIDE.tree,
    home: INSIDE.home,
    mounts: [
      { source: tree, target: INSIDE.tree, isWritable: true, kind: "data" },
      { source: home, target: INSIDE.home, isWritable: true, kind: "data" },
      { source: input, target: WORKSPACE.input, isWritable: false, kind: "input" },
      ...driver.programFolders.map((source) => ({
        source,
        target: source,
        isWritable: false,
        kind: "system" as const,
      })),
    ],
  };
}

function put(
  folder: string,
  files: Readonly<Record<string, string>>,
  owner: HostOwner | undefined,
): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, 0o644);
  }
  giveAway(folder, owner);
}
