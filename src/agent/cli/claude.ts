import { anthropicBase, modelChoice, PLACEHOLDER_KEY } from "../model-endpoint.ts";
import { MessageSense } from "./message-stream.ts";
import type { CliPreset } from "./preset.ts";

/** What it may use without asking; bypassing all questions is refused to it as root. */
const TOOLS = "Bash,Edit,MultiEdit,NotebookEdit,Write,Read,Glob,Grep,LS,TodoWrite,Task";

/** Claude Code. Tried by hand with version 2.1.326; it is not free to install, so no test runs it. */
export const claude: CliPreset = {
  program: "claude",
  command: (config, prompt, places) => ({
    args: [
      "--print",
      "--output-format",
      "stream-json",
      "--verbose",
      "--permission-mode",
      "acceptEdits",
      "--allowedTools",
      TOOLS,
      // Settings and servers that come with the work tree can start programs.
      "--setting-sources",
      "user",
      "--strict-mcp-config",
      ...(config.model === undefined ? [] : ["--model", modelChoice(config.model).name]),
      ...config.args,
    ],
    stdin: prompt,
    env: {
      ANTHROPIC_API_KEY: PLACEHOLDER_KEY,
      ...(places.endpoint === undefined
        ? {}
        : { ANTHROPIC_BASE_URL: anthropicBase(places.endpoint) }),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
    },
    home: {},
  }),
  sense: () => new MessageSense(),
};
