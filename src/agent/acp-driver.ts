import { TOOLING } from "../schema/execution.ts";
import { modelEnv } from "./command.ts";
import type { ConfigOf, ProgramDriver, ProgramFound } from "./driver.ts";
import type { AcpSettings } from "./inside/run-acp.ts";
import { insideArgv, insideFolders } from "./inside-program.ts";
import { InsideSense } from "./inside-stream.ts";
import { JsonLines } from "./json-lines.ts";

const GREETING_MS = 60_000;
/** Below the half minute that a run has to end by itself. */
const CANCEL_MS = 10_000;
const GRACE_MS = 1_000;

/**
 * Any agent that speaks the Agent Client Protocol, version 1: a small program of ours runs inside and
 * has the agent as its child.
 */
export function acpDriver(config: ConfigOf<"acp">, found: ProgramFound): ProgramDriver {
  return {
    programFolders: [...new Set([...insideFolders(), ...found.folders])],
    command: (_prompt, { tree, promptFile, endpoint }) => {
      const settings: AcpSettings = {
        argv: [...found.argv, ...config.argv.slice(1)],
        tree,
        promptFile,
        greetingMs: GREETING_MS,
        cancelMs: CANCEL_MS,
        graceMs: GRACE_MS,
        tooling: `${TOOLING.folder}/bin/sworn`,
      };
      return {
        argv: insideArgv("acp-program", settings),
        stdin: undefined,
        env: { ...modelEnv(config, endpoint), ...ownEnv(config, endpoint) },
        home: {},
      };
    },
    reader: () => new JsonLines(new InsideSense()),
  };
}

/** The user's own settings for it, with the address in place that is only known inside. */
function ownEnv({ env }: ConfigOf<"acp">, endpoint: string | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      value.replaceAll("{endpoint}", () => endpoint ?? ""),
    ]),
  );
}
