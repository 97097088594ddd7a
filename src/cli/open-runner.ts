import { AgentRunner } from "../flow/agent/agent-runner.ts";
import { packageVersion } from "../flow/package-version.ts";
import { McpPeer, verbOffer } from "../mcp/index.ts";
import { openPlace } from "./config.ts";
import type { CommandIo } from "./io.ts";

/** What runs agents on the repository that somebody works in; they can speak to it while they work. */
export function openRunner(io: CommandIo): Promise<AgentRunner> {
  const { env, home, cwd } = io;
  return AgentRunner.open({
    folder: cwd,
    env,
    home,
    placeFor: (root) => openPlace({ ...io, cwd: root }, "here"),
    tooling: {
      openMcp: (ask) => {
        const peer = new McpPeer(verbOffer(ask, packageVersion(), { hasTask: true }));
        return async (message) => (await peer.take(message)).message;
      },
    },
  });
}
