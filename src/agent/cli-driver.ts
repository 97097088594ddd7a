import type { Preset } from "../schema/agent.ts";
import { claude } from "./cli/claude.ts";
import { codex } from "./cli/codex.ts";
import { gemini } from "./cli/gemini.ts";
import { goose } from "./cli/goose.ts";
import { opencode } from "./cli/opencode.ts";
import { pi } from "./cli/pi.ts";
import type { CliPreset } from "./cli/preset.ts";
import { qwen } from "./cli/qwen.ts";
import type { ConfigOf, ProgramDriver, ProgramFound } from "./driver.ts";
import { JsonLines } from "./json-lines.ts";

const CLI_PRESETS: Readonly<Record<Preset, CliPreset>> = {
  claude,
  codex,
  gemini,
  goose,
  opencode,
  pi,
  qwen,
};

/** What to look for on this machine: the user's own path, or the preset's name. */
export function programOf(config: ConfigOf<"cli">): string {
  return config.program ?? CLI_PRESETS[config.preset].program;
}

/**
 * A command-line agent that is known by name. They are told to ask nobody and to confine nothing
 * themselves: they run sealed off, and a sandbox inside a sandbox mostly fails without a word.
 */
export function cliDriver(config: ConfigOf<"cli">, found: ProgramFound): ProgramDriver {
  const preset = CLI_PRESETS[config.preset];
  return {
    programFolders: found.folders,
    command: (prompt, places) => {
      const { args, ...rest } = preset.command(config, prompt, places);
      return { argv: [...found.argv, ...args], ...rest };
    },
    reader: () => new JsonLines(preset.sense()),
  };
}
