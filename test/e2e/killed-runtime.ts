import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runsOf } from "../../src/flow/agent/known-runs.ts";
import { Place } from "../../src/flow/place.ts";
import type { RunInfo } from "../../src/schema/run-info.ts";
import { type Ended, type Running, SWORN, start, sworn } from "../fake/child.ts";
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
    const { process: child, ended } = this.spawn("agents", "run", agent, "Fix it");
    await this.until(isTime, ended);
    child.kill(signal);
    const { code, signal: by } = await ended;
    return { code, signal: by };
  }

  spawn(...args: string[]): Running {
    return this.spawnBy([], ...args);
  }

  /** The same as the last words of another program. */
  spawnBy([program = process.execPath, ...before]: readonly string[], ...args: string[]): Running {
    const own = before.length === 0 ? [] : [...before, process.execPath];
    return start(program, [...own, SWORN, ...args], {
      cwd: this.project.path,
      env: this.#env(),
    });
  }

  /** Waits for something to be so, or for a process to be over. */
  async until(isSo: () => boolean, ended: Promise<unknown>): Promise<void> {
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    while (!isOver && !isSo()) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }

  call(...args: string[]): Promise<Ended> {
    const { path: project } = this.project;
    return sworn({ project, state: this.place.state }, args, { env: this.#env() });
  }

  #env(): Record<string, string> {
    return { ...this.project.env, SWORN_STATE_DIR: this.place.state } as Record<string, string>;
  }
}
