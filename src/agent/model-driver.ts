import { SwornError } from "../base/index.ts";
import type { ConfigOf, ProgramDriver } from "./driver.ts";
import type { ModelSettings } from "./inside/model-loop.ts";
import { insideArgv, insideFolders } from "./inside-program.ts";
import { InsideSense } from "./inside-stream.ts";
import { JsonLines } from "./json-lines.ts";

const TURNS_MAX = 100;
/** About four characters a token, with room for the answer. */
const CONTEXT_CHARS_MAX = 400_000;
const OLLAMA_CONTEXT_CHARS_MAX = 96_000;
/** An answer comes whole: its first byte comes when it is finished. As long as the proxy waits. */
const STALL_MS = 600_000;
const FIRST_WAIT_MS = 1_000;

/**
 * A model without an agent around it: a small program of ours runs inside, with four tools. It sees a
 * placeholder in place of the credential, and talks to the proxy alone.
 */
export function modelDriver(config: ConfigOf<"model">): ProgramDriver {
  return {
    programFolders: insideFolders(),
    command: (_prompt, { tree, promptFile, endpoint }) => {
      if (endpoint === undefined) {
        throw new SwornError(
          "INPUT_INVALID",
          `the model ${config.model} has no address: expected "endpoint" in its settings`,
        );
      }
      const settings: ModelSettings = {
        provider: config.provider,
        model: config.model,
        endpoint,
        tree,
        promptFile,
        turnsMax: config.limits.turns ?? TURNS_MAX,
        contextCharsMax:
          config.provider === "ollama" ? OLLAMA_CONTEXT_CHARS_MAX : CONTEXT_CHARS_MAX,
        stallMs: STALL_MS,
        firstWaitMs: FIRST_WAIT_MS,
      };
      return {
        argv: insideArgv("model-program", settings),
        stdin: undefined,
        env: {},
        home: {},
      };
    },
    reader: () => new JsonLines(new InsideSense()),
  };
}
