import type { AgentCommand, AgentPlaces, ConfigOf } from "../driver.ts";
import type { LineSense } from "../json-lines.ts";

/** How one command-line agent is started without a person, and how its stream is read. */
export interface CliPreset {
  /** The program's name on the PATH. */
  readonly program: string;
  /** Without the program itself; the arguments of the user's own stand where they can overrule. */
  command(config: ConfigOf<"cli">, prompt: string, places: AgentPlaces): PresetCommand;
  sense(): LineSense;
}

export interface PresetCommand extends Omit<AgentCommand, "argv"> {
  readonly args: readonly string[];
}
