import { randomBytes } from "node:crypto";
import { existsSync, linkSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  ensureFolder,
  readPlainFile,
  removeQuietly,
  SwornError,
  syncFolder,
  writeFileDurably,
} from "../../base/index.ts";
import { Name, TraceId } from "../../schema/index.ts";
import { assertNoLink, type Place } from "../place.ts";
import { Recorder } from "../record/recorder.ts";
import { openForReading } from "../trace/reading.ts";
import { nearest } from "../words/nearest.ts";

/** What the project's own trace is called; no task may be. */
const PROJECT = "project";
/** The agent that leads a task. */
export const LEAD_AGENT = "lead";
const POINTER_BYTES_MAX = 64;

/** Who is there from the beginning; others join with `agent_enrolled`. */
const CREW = [
  { agent: LEAD_AGENT, roles: ["planner" as const] },
  { agent: "worker", roles: ["executor" as const] },
  { agent: "critic", roles: ["critic" as const] },
  { agent: "auditor", roles: ["auditor" as const] },
];

/** What is talked about: one task, or the project where there is none. */
export interface Where {
  readonly place: Place;
  readonly task?: string | undefined;
}

/**
 * The trace in which a task, or the project, is talked about; undefined where nobody has spoken.
 *
 * @throws SwornError `INPUT_INVALID` for no name of a task, `LEDGER_CORRUPT` when the file that
 * names the trace names none of ours.
 */
export function findTalkTrace({ place, task }: Where): string | undefined {
  const folder = talkFolder(place, task);
  const path = join(folder, "trace");
  if (!existsSync(path)) return undefined;
  const named = readPlainFile(path, POINTER_BYTES_MAX, "refuse").toString().trimEnd();
  const parsed = TraceId.safeParse(named);
  const found = parsed.success ? taskOf(place, parsed.data) : undefined;
  // Whoever can write into the store must not be able to make one task speak in another's place.
  if (parsed.success && found === (task ?? PROJECT)) return parsed.data;
  const what = parsed.success ? `the trace of ${found ?? "nothing that is here"}` : "no trace";
  throw new SwornError(
    "LEDGER_CORRUPT",
    `${path} names ${what}, expected the trace of ${task ?? "the project"}; see "sworn trace ls"`,
  );
}

/** The same, and the trace is begun where there is none. Of several processes one begins it. */
export async function ensureTalkTrace(where: Where): Promise<string> {
  const known = findTalkTrace(where);
  if (known !== undefined) return known;
  const own = await beginTrace(where);
  if (publishOrDiscard(where, own)) return own;
  const first = findTalkTrace(where);
  if (first !== undefined) return first;
  throw new SwornError("LEDGER_BUSY", "the task's trace was taken away meanwhile; try again");
}

/**
 * The trace of a task that must be there already.
 *
 * @throws SwornError `NOT_FOUND`, with the task that was probably meant.
 */
export function requireTalkTrace(where: Where): string {
  const trace = findTalkTrace(where);
  if (trace !== undefined) return trace;
  const meant = where.task === undefined ? undefined : nearest(where.task, where.place.tasks());
  const what = where.task === undefined ? "on the project's bus" : `about the task ${where.task}`;
  const hint = meant === undefined ? "; see" : `; did you mean ${meant}? See`;
  throw new SwornError("NOT_FOUND", `nothing was said ${what} yet${hint} "sworn bus ls"`);
}

/** Where the files about a task lie: never behind a link. */
function talkFolder(place: Place, task: string | undefined): string {
  if (task !== undefined && (task === PROJECT || !Name.safeParse(task).success)) {
    const expected = "lower-case letters, digits, dot, dash or underscore, at most 64";
    const what =
      task === PROJECT ? "is the project's own name" : `is no task, expected ${expected}`;
    throw new SwornError("INPUT_INVALID", `"${task.slice(0, 100)}" ${what}`);
  }
  const folder = place.talkFolder(task);
  for (const path of [place.store, join(place.store, "tasks"), folder]) assertNoLink(path);
  return folder;
}

function taskOf(place: Place, trace: string): string | undefined {
  if (!existsSync(place.ledgerPath(trace))) return undefined;
  const ledger = openForReading(place, trace);
  try {
    const [line] = ledger.read();
    const first = line === undefined ? undefined : (JSON.parse(line) as FirstLine);
    return first?.type === "session_initialized" ? first.body?.task : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  } finally {
    ledger.close();
  }
}

/** As much of a first entry as is asked for; the trace is checked when it is opened. */
interface FirstLine {
  readonly type?: string;
  readonly body?: { readonly task?: string };
}

async function beginTrace({ place, task }: Where): Promise<string> {
  const recorder = Recorder.start(place);
  try {
    const objective =
      task === undefined ? "What the whole project talks about" : `What is said about ${task}`;
    const { refusal } = await recorder.record(
      [
        {
          actor: { agent: LEAD_AGENT, role: "planner" },
          type: "session_initialized",
          body: { task: task ?? PROJECT, objective, profile: "solo", agents: CREW },
        },
      ],
      { artifactRoots: [] },
    );
    if (refusal === undefined) return recorder.id;
    throw new SwornError("INPUT_INVALID", refusal.reason);
  } finally {
    recorder.close();
  }
}

/** What nothing points at is taken back, so that nobody wonders what it was. */
function publishOrDiscard(where: Where, trace: string): boolean {
  let isPublished = false;
  try {
    isPublished = publish(where, trace);
    return isPublished;
  } finally {
    if (!isPublished) discard(where.place, trace);
  }
}

/** Makes a trace the task's own, unless another process was faster: a link replaces nothing. */
function publish({ place, task }: Where, trace: string): boolean {
  const folder = talkFolder(place, task);
  ensureFolder(folder);
  const path = join(folder, "trace");
  const unfinished = `${path}.${randomBytes(6).toString("hex")}.new`;
  try {
    writeFileDurably(unfinished, `${trace}\n`);
    linkSync(unfinished, path);
    return true;
  } catch (error) {
    if (existsSync(path)) return false;
    throw error;
  } finally {
    removeQuietly(unfinished);
    syncFolder(folder);
  }
}

/** Takes back a trace that nobody but us can know of. */
function discard(place: Place, trace: string): void {
  rmSync(place.traceFolder(trace), { recursive: true, force: true });
  rmSync(place.heads(trace).path, { force: true });
}
