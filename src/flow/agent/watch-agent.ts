import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { StreamReader } from "../../agent/index.ts";
import { readMeanwhile } from "../../base/index.ts";
import type { RunTree } from "../../repo/index.ts";
import { RunFiles } from "../../run/files/index.ts";
import { type Executed, execute, RunWatch } from "../../run/index.ts";
import { ownerOf, type Prepared } from "../../sandbox/index.ts";
import type { AgentEvent } from "../../schema/agent.ts";
import type { Limits } from "../../schema/execution.ts";
import type { Place } from "../place.ts";
import { isCancelled } from "./cancel-run.ts";
import type { AgentUse, Ceiling } from "./ceiling.ts";
import type { AgentRequest } from "./run-agent.ts";

const LOOK_MS = 100;
/** How long an agent that is called off may take to end by itself. */
export const GRACE_MS = 30_000;
const TROUBLES_MAX = 20;
const ANSWER_CHARS_MAX = 256 << 10;
const UNREAD_SHOWN_CHARS = 200;

/** What was heard of an agent and seen of its sandbox. */
export interface Heard {
  readonly ran: Executed;
  /** Its last words. */
  readonly answer: string;
  readonly watch: Pick<RunWatch, "cpuMs" | "peakBytes" | "processes">;
  readonly use: AgentUse;
  /** What it says went wrong with its model, the last first; empty when it answered all the same. */
  readonly troubles: readonly Trouble[];
}

type Trouble = Extract<AgentEvent, { kind: "error" }>;

/** The folder of the run, with everything that is known when it begins. */
export function openRunFiles(
  { agent, task, role, parent, previous, prompt }: AgentRequest,
  { store, clock }: Place,
  { trace, tree, argv }: { trace: string; tree: RunTree; argv: readonly string[] },
): RunFiles {
  const start = {
    project_id: store,
    task_id: task,
    parent_run_id: parent?.run_id ?? null,
    previous_run_id: previous?.run_id ?? null,
    depth: parent === undefined ? 0 : parent.depth + 1,
    agent,
    ...(role === undefined ? {} : { role }),
    cwd: tree.folder,
    commandline: [...argv],
    runner: ownerOf(),
    trace,
    base: tree.base,
  };
  return RunFiles.create(join(store, "tasks", task, "runs"), start, prompt, clock());
}

/** Lets an agent work, keeps what it prints, and stops it when it has done nothing for too long. */
export async function watchAgent(
  request: AgentRequest,
  scene: { place: Place; prepared: Prepared; files: RunFiles; limits: Limits; ceiling: Ceiling },
): Promise<Heard> {
  const { prepared, files, limits, ceiling } = scene;
  const { clock } = scene.place;
  const reader = request.driver.reader();
  const words = new Words();
  const hear = (events: readonly AgentEvent[]) => {
    for (const event of events) {
      words.take(event);
      ceiling.hear(event);
      request.onEvent(event);
    }
  };
  const stopAtCeiling = () => {
    if (ceiling.passed !== undefined) prepared.stop(ceiling.passed);
  };
  if (!reader.tellsTools) ceiling.countBy(prepared.trace === undefined ? "nothing" : "seen");
  const { idle_seconds, stuck_seconds } = request.limits;
  const { graceMs = GRACE_MS } = request;
  const patience = { idleMs: idle_seconds * 1_000, stuckMs: stuck_seconds * 1_000 };
  const watch = new RunWatch(() => prepared.usage(), patience, clock());
  // Before it begins: one that is quick is gone when somebody looks for the first time.
  nameProcess(files, prepared.usage()?.processes ?? []);
  let wasIdle = false;
  const looks = setInterval(() => {
    const state = watch.look(clock());
    nameProcess(files, watch.processes);
    if (isCancelled(files)) prepared.stop("cancelled", graceMs);
    if (state === "idle" && !wasIdle)
      request.onStep(`${request.agent} has done nothing for a while`);
    wasIdle = state === "idle";
    if (state === "stuck") prepared.stop("stuck_seconds", graceMs);
    stopAtCeiling();
  }, LOOK_MS);
  try {
    const running = execute(prepared, {
      limits,
      graceMs,
      signal: request.signal,
      onChild: () => {
        ceiling.seeProgram();
        stopAtCeiling();
      },
      onOutput: (stream, chunk) => {
        watch.touch(clock());
        files.print(stream, chunk);
        if (stream === "stdout") hear(reader.take(chunk));
        // At once, and not with the next look: an agent that hurries must not get past its ceiling.
        stopAtCeiling();
      },
    });
    // The agent has begun: what comes after it is read now, and not when it is waited for.
    void readMeanwhile();
    const ran = await running;
    hear(reader.end());
    // A program can break off and still end with 0: then what it said last is no answer.
    const endedWell = ran.kind === "ran" && ran.end.code === 0 && ran.end.limit === undefined;
    if (endedWell && words.troubles.length === 0) hear(noAnswer(reader, words));
    if (ceiling.use.toolCallsBy === "seen" && !isWhole(ran)) ceiling.countBy("partly");
    const { answer, troubles } = words;
    return { ran, answer, watch, use: ceiling.use, troubles };
  } finally {
    clearInterval(looks);
  }
}

/** What an agent said that its run is concluded from. */
class Words {
  answer = "";
  /** The last first. */
  readonly troubles: Trouble[] = [];
  /** The first that was in no form of its own. */
  unread: string | undefined;
  /** Whether it said anything that can be read, or used a tool. */
  hasSpoken = false;

  take(event: AgentEvent): void {
    if (event.kind === "unread") this.unread ??= event.text;
    this.hasSpoken ||= ["text", "tool", "answer"].includes(event.kind);
    if (event.kind === "error" && this.troubles.unshift(event) > TROUBLES_MAX) this.troubles.pop();
    if (event.kind !== "answer") return;
    this.answer = event.text.slice(-ANSWER_CHARS_MAX);
    // Whoever answers in the end got over what went wrong before.
    this.troubles.length = 0;
  }
}

/** Why what ended well came to no answer all the same. */
function noAnswer(reader: StreamReader, { unread, hasSpoken }: Words): AgentEvent[] {
  if (reader.isCutOff === true) {
    return [problem("its turn broke off before it said that it was done")];
  }
  const hasForm = reader.isForeign !== undefined;
  if (!hasForm || hasSpoken) return [];
  if (!reader.isForeign || unread === undefined) return [problem("it ended without a word")];
  const shown = unread.slice(0, UNREAD_SHOWN_CHARS);
  return [
    problem(`nothing that it printed has the form that was expected; it begins with: ${shown}`),
  ];
}

const problem = (message: string): AgentEvent => ({ kind: "error", why: "other", message });

/** Whether no program can have begun unseen. */
function isWhole(ran: Executed): boolean {
  return ran.kind === "ran" && ran.observed?.gaps.length === 0;
}

/** The first of its processes, once there is one; before that nobody knows its number. */
function nameProcess(files: RunFiles, [first]: readonly { readonly pid: number }[]): void {
  if (first === undefined || files.info.pid !== 0) return;
  files.update({ pid: first.pid, pgid: groupOf(first.pid) });
}

/** The third number behind the name in a process's stat line; 0 when it is gone already. */
function groupOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2] ?? 0);
  } catch {
    return 0;
  }
}
