import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { commandDriver, type ProgramDriver } from "../../../src/agent/index.ts";
import { AgentRunner } from "../../../src/flow/agent/agent-runner.ts";
import type { AgentOutcome, AgentRequest } from "../../../src/flow/agent/run-agent.ts";
import { Place } from "../../../src/flow/place.ts";
import { AgentConfig, AgentLimits } from "../../../src/schema/agent.ts";
import { GitFolder } from "../../repo/git-folder.ts";

/** An agent that is a shell script. */
export function shellAgent(script: string): ProgramDriver {
  const config = AgentConfig.parse({
    driver: "command",
    argv: ["sh", "-c", script],
    prompt: "stdin",
  });
  if (config.driver !== "command") throw new Error("not a command");
  const sh = { path: "/bin/sh", argv: ["/bin/sh"] as [string], version: undefined, folders: [] };
  return commandDriver(config, sh);
}

/** A repository of two files, and what runs agents on it. */
export class AgentWorld {
  readonly project: GitFolder;
  readonly place: Place;
  readonly runner: AgentRunner;

  private constructor(project: GitFolder, place: Place, runner: AgentRunner) {
    this.project = project;
    this.place = place;
    this.runner = runner;
  }

  /** @param settings what `sworn.yaml` says, where agents can speak and start one another */
  static async open(
    env: Record<string, string> = {},
    settings?: Readonly<Record<string, unknown>>,
  ): Promise<AgentWorld> {
    const project = new GitFolder();
    if (settings) project.write("sworn.yaml", JSON.stringify(settings));
    project.commit({ "a.txt": "one\n", "src/b.ts": "export const b = 1;\n" });
    const { path, home } = project;
    const place = new Place({ store: join(path, ".sworn"), state: join(home, "state") });
    const runner = await AgentRunner.open({
      folder: path,
      env: { ...project.env, ...env },
      home,
      placeFor: () => place,
      ...(settings === undefined ? {} : { tooling: {} }),
    });
    onTestFinished(() => runner.close());
    return new AgentWorld(project, place, runner);
  }

  /** What a run is asked for, where nothing else is said. */
  request(script: string, more: Partial<AgentRequest> = {}): AgentRequest {
    return {
      agent: "coder",
      driver: shellAgent(script),
      limits: AgentLimits.parse({}),
      prompt: "Fix it.",
      task: "task-1",
      signal: new AbortController().signal,
      onEvent: () => {},
      onStep: () => {},
      ...more,
    };
  }

  /** One run, which the policies must allow. */
  async run(script: string, more: Partial<AgentRequest> = {}): Promise<AgentOutcome> {
    const outcome = await this.runner.run(this.request(script, more));
    expect(outcome.refused).toBe(undefined);
    return outcome;
  }
}
