import type { AgentConfig } from "../schema/agent.ts";
import { cliDriver, programOf } from "./cli-driver.ts";
import { commandDriver } from "./command.ts";
import type { ProgramDriver, ProgramFound, ProgramMissing } from "./driver.ts";
import { findProgram, type ProgramSearch } from "./find-program.ts";

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
  if (config.driver === "command") {
    const found = await findProgram(config.argv[0] ?? "", search);
    return "missing" in found ? found : { driver: commandDriver(config, found), found };
  }
  if (config.driver === "cli") {
    const found = await findProgram(programOf(config), search);
    return "missing" in found ? found : { driver: cliDriver(config, found), found };
  }
  return { missing: `${config.driver} agents cannot be run as programs` };
}
