import type { Command } from "./command.ts";

/** The commands that let others talk to us. */
export const SERVING_COMMANDS: readonly Command[] = [
  {
    path: ["mcp"],
    summary: "serve an MCP client: messages, questions, facts, checks and reports as tools",
    example: "sworn mcp --task parser",
    options: { task: { type: "string" }, http: { type: "boolean" }, port: { type: "string" } },
    notes: {
      task: "the task that is talked about (none: the project's bus and facts alone)",
      http: "over HTTP on this machine's loopback, instead of standard input and output",
      port: "which port (any that is free)",
    },
    more: [
      "A client's configuration, as most of them read it:",
      '  { "mcpServers": { "sworn": { "command": "sworn", "args": ["mcp", "--task", "parser"] } } }',
      "Over HTTP each request needs the token whose file is printed, as the header Authorization: Bearer <token>.",
      "The token is made anew with every start, and its file is gone with the server. What a client does is recorded as",
      "the operator's; inside an agent's run the same command speaks as that run, and cannot speak as anybody else.",
    ],
    exits: {
      0: "the client ended it",
      2: "wrong usage, or the port cannot be had",
    },
    load: () => import("./commands/mcp.ts"),
  },
];
