import type { AgentConfig } from "../schema/agent.ts";
import { acpDriver } from "./acp-driver.ts";
import { cliDriver, programOf } from "./cli-driver.ts";
import { commandDriver } from "./command.ts";
import type { ConfigOf, ProgramDriver, ProgramFound, ProgramMissing } from "./driver.ts";
import { findProgram, type ProgramSearch } from "./find-program.ts";
import { modelDriver } from "./model-driver.ts";

/** An agent that can be started here, and what it is. */
export interface OpenedDriver {
  readonly driver: ProgramDriver;
  readonly found: ProgramFound;
}

/** Finds an agent's program on this machine and what drives it, or says why it cannot be used. */
export async function openDriver(
  config: AgentConfig,
  search: ProgramSearch,
): Promise<OpenedDriver | ProgramMissing> {
  if (config.driver === "builtin") return { missing: "it is no program, and runs in no sandbox" };
  if (config.driver === "model") {
    const driver = modelDriver(config);
    const { execPath: path, versions } = process;
    return {
      driver,
      found: { path, argv: [path], version: versions.node, folders: driver.programFolders },
    };
  }
  const found = await findProgram(programNamed(config), search);
  if ("missing" in found) return found;
  if (config.driver === "command") return { driver: commandDriver(config, found), found };
  if (config.driver === "acp") return { driver: acpDriver(config, found), found };
  return { driver: cliDriver(config, found), found };
}

function programNamed(config: ConfigOf<"command" | "acp" | "cli">): string {
  return config.driver === "cli" ? programOf(config) : (config.argv[0] ?? "");
}
