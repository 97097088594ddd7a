import { cpSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { AgentRunner } from "../../../src/flow/agent/agent-runner.ts";
import { Place } from "../../../src/flow/place.ts";
import { gateWord } from "../../../src/flow/work/gate-plan.ts";
import { openWork } from "../../../src/flow/work/open-work.ts";
import { startWork, type WorkSetup } from "../../../src/flow/work/work.ts";
import type { WorkEvent } from "../../../src/flow/work/work-scene.ts";
import { checkPlan } from "../../../src/plan/index.ts";
import { GitFolder } from "../../repo/git-folder.ts";

const EXAMPLE = resolve(import.meta.dirname, "../../../examples/work");

/** How a plan of the example is worked on, where nothing else is said. */
interface ExampleOptions extends Partial<WorkSetup> {
  readonly agent?: string;
  readonly review?: WorkSetup["gates"]["review"];
}

/** The example's project as a repository, and what runs agents on it. */
export class ExampleWork {
  readonly project: GitFolder;
  readonly place: Place;
  readonly runner: AgentRunner;
  readonly start: string;
  readonly events: WorkEvent[] = [];

  private constructor(project: GitFolder, place: Place, runner: AgentRunner, start: string) {
    this.project = project;
    this.place = place;
    this.runner = runner;
    this.start = start;
  }

  static async open(): Promise<ExampleWork> {
    const project = new GitFolder();
    cpSync(join(EXAMPLE, "project"), project.path, { recursive: true });
    const start = project.commit();
    const { path, home, env } = project;
    const place = new Place({ store: join(path, ".sworn"), state: join(home, "state") });
    const placeFor = () => place;
    const runner = await AgentRunner.open({ folder: path, env, home, placeFor, tooling: {} });
    onTestFinished(() => runner.close());
    return new ExampleWork(project, place, runner, start);
  }

  /** Works on one of its plans as `sworn work` does. */
  async work(plan: string, { agent, profile = "solo", review, ...more }: ExampleOptions) {
    const value: unknown = JSON.parse(readFileSync(join(EXAMPLE, plan), "utf8"));
    const word = gateWord(checkPlan(value), profile);
    if (word.kind !== "open") throw new Error(JSON.stringify(word.report.violations));
    const { signal } = new AbortController();
    const onEvent = (event: WorkEvent) => void this.events.push(event);
    const opened = await openWork(this.runner, { agent, profile, parallel: 2, signal, onEvent });
    try {
      const { setup } = opened;
      const gates = review === undefined ? setup.gates : { ...setup.gates, review };
      const { start } = this;
      return await startWork({ ...setup, gates, ...more }, word.gated, { start });
    } finally {
      await opened.close();
    }
  }
}
