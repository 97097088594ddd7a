import { assert, SwornError } from "../../base/index.ts";
import { dataBlock } from "../../plan/index.ts";
import type { RunInfo, RunRole } from "../../schema/run-info.ts";
import type { Refusal } from "../../view/index.ts";
import type { BeatVoice } from "../beat/beat-voice.ts";
import { busVoice } from "../beat/bus-voice.ts";
import type { Place } from "../place.ts";
import { askAboutOverrides } from "../talk/ask-about-overrides.ts";
import { Bus, isRefused, RUNTIME, type Said } from "../talk/bus.ts";
import { endRun, startRun } from "../talk/join.ts";
import { post } from "../talk/post.ts";

const OUTPUT_CHARS_MAX = 200_000;

/** What agents are on their tasks' buses: they do the work, unless they were started to judge it. */
export function roleOf({ role }: Pick<RunInfo, "role">): "executor" | RunRole {
  return role ?? "executor";
}

/** What was said and is not known to be so, each in one line: nobody who reads it need believe the rest. */
function foundLines({ said = [] }: RunInfo): string[] {
  return said
    .filter(({ verdict }) => verdict !== "CONFIRMED")
    .map(
      ({ text, verdict, reason }) => `- ${verdict}: ${JSON.stringify(text)}: ${oneLine(reason)}`,
    );
}

const oneLine = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ").trim();

/** The buses of the tasks that a runtime works on, each opened once; and what the runner says on them. */
export class TaskBuses {
  readonly #place: Place;
  readonly #open = new Map<string, Promise<Bus>>();
  readonly #notes = new Map<string, string>();

  constructor(place: Place) {
    this.#place = place;
  }

  /** Says that a run begins. Nobody else can. */
  async started(info: RunInfo): Promise<void> {
    const said = await this.#begin(info);
    assert(!isRefused(said), `the bus refuses a run: ${isRefused(said) ? said.reason : ""}`);
  }

  async #begin(info: RunInfo): Promise<Said | Refusal> {
    return startRun(await this.#busOf(info.task_id), {
      run_id: info.run_id,
      agent: info.agent,
      role: roleOf(info),
      depth: info.depth,
      ...(info.parent_run_id === null ? {} : { parent_run_id: info.parent_run_id }),
      ...(info.previous_run_id === null ? {} : { previous_run_id: info.previous_run_id }),
      ...(info.trace === undefined ? {} : { trace: info.trace }),
      ...(info.base === undefined ? {} : { base: info.base }),
    });
  }

  /**
   * Whoever worked on a task does not judge it, and the other way round.
   *
   * @throws SwornError `INPUT_INVALID` when the agent takes part in the task as something else.
   */
  async assertRole(task: string, agent: string, role: RunRole | undefined): Promise<void> {
    const roles = (await this.#knownBus(task))?.rolesByNow(agent) ?? [];
    const wanted = roleOf({ role });
    if (roles.length === 0 || roles.includes(wanted)) return;
    const next = "have another agent do it, or name another task";
    throw new SwornError(
      "INPUT_INVALID",
      `${agent} takes part in ${task} as ${roles.join(", ")}, not as ${wanted}; ${next}`,
    );
  }

  /** Says how it ended; a text that the runner had to write itself makes it a partial one. */
  async ended(info: RunInfo, summary: string): Promise<void> {
    const bus = await this.#busOf(info.task_id);
    const isPartial = info.status === "completed" && info.output_origin === "runner";
    assert(info.status !== "running", "a run that goes on has not ended");
    const said = await endRun(bus, {
      run_id: info.run_id,
      status: isPartial ? "partial" : info.status,
      ...(info.exit_code < 0 ? {} : { exit_code: info.exit_code }),
      ...(info.ref === undefined ? {} : { ref: info.ref }),
      summary,
    });
    assert(!isRefused(said), `the bus refuses a run's end: ${isRefused(said) ? said.reason : ""}`);
  }

  /** The same for a run that may never have been said to begin, or was said to have ended. */
  async settled(info: RunInfo, summary: string): Promise<void> {
    const bus = await this.#busOf(info.task_id);
    // Whoever goes on from it must find it there; where the bus wants nothing of it, there is nothing to end.
    if (bus.runStatus(info.run_id) === undefined) await this.#begin(info);
    if (bus.runStatus(info.run_id) === "running") await this.ended(info, summary);
  }

  /** Tells a parent, and everybody else, what a child's run came to. */
  async tellResult(info: RunInfo, output: string): Promise<void> {
    const bus = await this.#busOf(info.task_id);
    const cut = output.slice(0, OUTPUT_CHARS_MAX).toWellFormed();
    const head = `Run ${info.run_id} of ${info.agent} ${info.status}${info.ref ? `; its work is on ${info.ref}` : ""}. It says:`;
    const found = foundLines(info);
    const seen =
      found.length === 0 ? "" : `\n\nWhat the runtime found of that:\n\n${found.join("\n")}`;
    await post(bus, RUNTIME, {
      kind: "RUN_STOP",
      text: `${head}\n\n${dataBlock(`output of ${info.agent}`, cut)}${seen}`,
      meta: { run_id: info.run_id, parent_run_id: info.parent_run_id ?? "" },
      idem: `result-${info.run_id}`,
    });
  }

  /** Asks people about words in outside text that are meant for whoever reads it as a prompt. */
  async askAboutOverrides(task: string, source: string, text: string): Promise<void> {
    await askAboutOverrides(await this.#busOf(task), source, text);
  }

  /** The bus of a task as something in which beats are opened. */
  async voiceOf(task: string): Promise<BeatVoice> {
    return busVoice(await this.#busOf(task));
  }

  /** Keeps what an agent wants said with its next status. It changes nothing else of that. */
  note(run: string, text: string): void {
    this.#notes.set(run, text);
  }

  noteOf(run: string): string | undefined {
    return this.#notes.get(run);
  }

  async close(): Promise<void> {
    for (const opened of await Promise.allSettled(this.#open.values())) {
      if (opened.status === "fulfilled") opened.value.close();
    }
    this.#open.clear();
  }

  /** The bus of a task that somebody has spoken about; nothing is begun. */
  async #knownBus(task: string): Promise<Bus | undefined> {
    const known = this.#open.get(task);
    if (known !== undefined) return known;
    const found = Bus.find({ place: this.#place, task });
    if (found !== undefined) this.#open.set(task, Promise.resolve(found));
    return found;
  }

  #busOf(task: string): Promise<Bus> {
    const known = this.#open.get(task);
    if (known !== undefined) return known;
    const opening = Bus.begin({ place: this.#place, task });
    this.#open.set(task, opening);
    // One that could not be opened is tried again by whoever comes next.
    opening.catch(() => this.#open.delete(task));
    return opening;
  }
}
