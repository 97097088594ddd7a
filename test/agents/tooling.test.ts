import { describe, expect, test } from "vitest";
import { Bus } from "../../src/flow/talk/bus.ts";
import { readBus } from "../../src/flow/talk/read-bus.ts";
import { McpPeer, verbOffer } from "../../src/mcp/index.ts";
import type { Step } from "./scripted-model.ts";
import { runSealed, type Sealed } from "./sealed.ts";
import type { RealAgent } from "./start-agent.ts";

const tooling = {
  openMcp: (ask: Parameters<typeof verbOffer>[0]) => {
    const peer = new McpPeer(verbOffer(ask, "1.0.0", { hasTask: true }));
    return async (message: Parameters<McpPeer["take"]>[0]) => (await peer.take(message)).message;
  },
};

/** What agents said on the task's bus. */
function saidIn({ project }: Sealed) {
  const bus = Bus.open({ place: project.place, task: "sealed" });
  try {
    return readBus(bus).filter(({ role }) => role !== "runtime");
  } finally {
    bus.close();
  }
}

/** How an agent is told of our server, and how its model calls one of our tools or a shell. */
interface Known {
  readonly args: readonly string[];
  readonly tool: (name: string, input: Readonly<Record<string, unknown>>) => Step;
  readonly shell: (command: string) => Step;
}

const AGENTS: readonly (readonly [RealAgent, Known])[] = [
  [
    "goose",
    {
      args: ["--with-extension", "sworn mcp"],
      tool: (name, input) => ({ call: `sworn__${name}`, input }),
      shell: (command) => ({ call: "shell", input: { command } }),
    },
  ],
  [
    "codex",
    {
      args: [
        ...["-c", 'mcp_servers.sworn.command="sworn"'],
        ...["-c", 'mcp_servers.sworn.args=["mcp"]'],
      ],
      tool: (name, input) => ({ call: name, namespace: "mcp__sworn", input }),
      shell: (command) => ({ call: "exec_command", input: { cmd: command } }),
    },
  ],
];

describe.each(AGENTS)("%s", (agent, { args, tool, shell }) => {
  test("speaks over MCP and the command line as its run, and as nobody else", async () => {
    const steps = [
      tool("bus_post", { text: "by a tool", kind: "PROGRESS" }),
      tool("bus_post", { text: "as the runner", kind: "STOP" }),
      tool("bus_post", { text: "as the lead", agent: "lead" }),
      shell(
        "sworn bus post 'by the command line'; sworn answer q1 yes; sworn board; sworn bus post --kind USER x",
      ),
      { say: "Done." },
    ];
    const sealed = await runSealed(agent, steps, { args, tooling });
    expect(sealed.outcome.info?.status).toBe("completed");
    expect(saidIn(sealed)).toMatchObject([
      { agent, role: "executor", kind: "PROGRESS", text: "by a tool" },
      { agent, role: "executor", kind: "INFO", text: "by the command line" },
    ]);
    const heard = sealed.model.asked.map(({ body }) => body).join();
    expect(heard).toContain("STOP is the runner's to say");
    expect(heard).toContain("cannot be said");
    expect(heard).toContain("was asked here");
    expect(heard).toContain("inside a run there is no");
    expect(sealed.verified).toMatch(/^pass/);
    expect(sealed.survivors).toEqual([]);
  });
});
