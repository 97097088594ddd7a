import { cliDriver, type ProgramDriver } from "../../src/agent/index.ts";
import { AgentConfig, type AgentEvent, type Preset } from "../../src/schema/agent.ts";

/** A preset's driver for a program that nobody starts. */
export function driverOf(preset: Preset, settings: object = {}): ProgramDriver {
  const config = AgentConfig.parse({ driver: "cli", preset, ...settings });
  if (config.driver !== "cli") throw new Error("expected a command-line agent");
  const path = `/opt/${preset}`;
  return cliDriver(config, { path, argv: [path], version: "1.0.0", folders: ["/opt"] });
}

/** All events of a stream that comes in these chunks. */
export function readAll(preset: Preset, chunks: readonly Buffer[]): AgentEvent[] {
  const reader = driverOf(preset).reader();
  return [...chunks.flatMap((chunk) => reader.take(chunk)), ...reader.end()];
}
