import { later } from "../../base/index.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import { WORKER_SAID } from "../../view/index.ts";
import type { AgentRunner } from "../agent/agent-runner.ts";
import type { ChosenAgent } from "../agent/choose-agent.ts";
import { whyFailed } from "../agent/complaint.ts";
import { runsOf } from "../agent/known-runs.ts";
import { promptFor } from "../agent/prompt-for.ts";
import { runUntilDone } from "../agent/restart-loop.ts";
import type { AgentOutcome } from "../agent/run-agent.ts";
import { cut } from "../record/entry-text.ts";
import { wordsOf } from "./ask-agent.ts";
import type { Worker, WorkLeft, WorkOrder } from "./work-parts.ts";

const extracting = later(() => import("./files-from-prose.ts"));

const SAID_CHARS_MAX = 500;
const STALLED = "ended by stuck_seconds";

/** Any agent as a worker: each try is a run of its own, in a tree of its own, sealed off. */
export class AgentWorker implements Worker {
  readonly #runner: AgentRunner;
  readonly #chosen: ChosenAgent;

  constructor(runner: AgentRunner, chosen: ChosenAgent) {
    this.#runner = runner;
    this.#chosen = chosen;
  }

  async work(order: WorkOrder): Promise<WorkLeft> {
    const { name: agent, driver, service, config } = this.#chosen;
    const { limits } = config;
    const { task, at, staging: keeps, signal, onStep } = order;
    const request = {
      ...{ agent, driver, service, limits, task, at, keeps, signal, onStep },
      prompt: promptFor(order.prompt, { limits, isRoot: false, hasTooling: true }),
      onStarted: ({ run_id: id }: RunInfo) => onStep(`${agent} works as run ${id}`),
      onEvent: () => {},
    };
    // One round: that a model is busy says nothing about the subtask, and must not use up its tries.
    const { last } = await runUntilDone(this.#runner, request, { roundsMax: 1 });
    return this.#orProse(this.#leftBy(last, at), order);
  }

  /** Who changed nothing may have answered with whole files. */
  async #orProse(
    left: WorkLeft,
    { at, onStep }: Pick<WorkOrder, "at" | "onStep">,
  ): Promise<WorkLeft> {
    if (left.status !== "completed" || left.commit !== at) return left;
    const { filesFromProse } = await extracting();
    const commit = await filesFromProse(left.words, { run: left.run, at }, this.#runner.scene);
    if (commit === undefined) return left;
    onStep("its files were taken out of its answer");
    return { ...left, commit };
  }

  /** A run can have ended well just before its runtime was killed; then its work is there. */
  async recover(task: string, known: ReadonlySet<string>): Promise<WorkLeft | undefined> {
    const { place, repository } = this.#runner.scene;
    const info = runsOf(place)
      .map((run) => run.info)
      .findLast(({ task_id, status, run_id }) => {
        return task_id === task && status === "completed" && !known.has(run_id);
      });
    // Who changed nothing may have answered in prose; then the answer is what it left.
    const name = info?.ref ?? info?.base;
    if (info === undefined || name === undefined) return undefined;
    const commit = await repository.resolveCommit(name);
    const refuted = refutedIn(info.said ?? []);
    const left = { ...this.#common(info), status: "completed", refuted, commit } as const;
    return this.#orProse(left, { at: info.base ?? commit, onStep: () => {} });
  }

  #leftBy({ info, saved, said, refused, troubles }: AgentOutcome, at: string): WorkLeft {
    if (info === undefined) {
      const why =
        refused === undefined ? "it was not started" : `${refused.rule}: ${refused.reason}`;
      return { run: "none", status: "refused", why, commit: at, words: "", isAsked: false };
    }
    const status = info.status === "running" ? "failed" : info.status;
    const error = whyFailed(info) ?? troubles[0]?.message;
    const why = error === STALLED ? `it stalled, and was ${error}` : error;
    const refuted = refutedIn(said.map((one) => ({ ...one, text: one.claim.text })));
    return { ...this.#common(info), status, why, refuted, commit: saved?.commit ?? at };
  }

  #common(info: RunInfo): Pick<WorkLeft, "run" | "words" | "isAsked"> {
    const isAsked = this.#chosen.config.driver !== "command";
    return { run: info.run_id, words: wordsOf(info), isAsked };
  }
}

/** What it said and was seen to be otherwise, in words. */
function refutedIn(
  said: readonly { readonly text: string; readonly verdict: string; readonly reason: string }[],
): string[] {
  return said
    .filter(({ verdict }) => verdict === "HALLUCINATED")
    .map(({ text, reason }) => `${WORKER_SAID}"${cut(text, SAID_CHARS_MAX)}": ${reason}`);
}
