import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { runsOf } from "../../src/flow/agent/known-runs.ts";
import { Place } from "../../src/flow/place.ts";
import type { RunInfo } from "../../src/schema/run-info.ts";
import { type Ended, SWORN, sworn } from "../fake/child.ts";
import { GitFolder } from "../repo/git-folder.ts";

const LOOK_MS = 20;

/** A project whose runtime can be killed while it has an agent at work. */
export class KilledRuntime {
  readonly project = new GitFolder();
  readonly place: Place;

  /** @param settings what `sworn.yaml` says */
  constructor(settings: object, files: Readonly<Record<string, string>> = {}) {
    const { path, home } = this.project;
    this.place = new Place({ store: join(path, ".sworn"), state: join(home, "state") });
    this.project.commit({ "a.txt": "one\n", ...files, "sworn.yaml": JSON.stringify(settings) });
  }

  /** Every run, the oldest first. */
  runs(): RunInfo[] {
    return existsSync(this.place.store) ? runsOf(this.place).map(({ info }) => info) : [];
  }

  /** What a run printed so far. */
  printed(info: RunInfo | undefined): string {
    return info === undefined ? "" : readFileSync(info.stdout_path, "utf8");
  }

  /** Starts an agent and ends its runtime with a signal as soon as something is so. */
  async start(
    agent: string,
    isTime: () => boolean,
    signal: NodeJS.Signals = "SIGKILL",
  ): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    const child = spawn(process.execPath, [SWORN, "agents", "run", agent, "Fix it"], {
      cwd: this.project.path,
      env: this.#env(),
      stdio: "ignore",
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let isOver = false;
    const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
      child.once("exit", (code, by) => {
        isOver = true;
        resolve({ code, signal: by });
      }),
    );
    while (!isOver && !isTime()) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    child.kill(signal);
    return ended;
  }

  call(...args: string[]): Promise<Ended> {
    const { path: project } = this.project;
    return sworn({ project, state: this.place.state }, args, { env: this.#env() });
  }

  #env(): Record<string, string> {
    return { ...this.project.env, SWORN_STATE_DIR: this.place.state } as Record<string, string>;
  }
}
