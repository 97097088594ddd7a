import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { ensureFolder, readPlainFile, SwornError, writeFileDurably } from "../../../base/index.ts";
import { type Entry, Name, TraceId } from "../../../schema/index.ts";
import { assertNoLink, type Place } from "../../place.ts";
import { RUNTIME_AGENT } from "../../record/complete.ts";
import { soundBytes } from "../../trace/artifact-bytes.ts";
import { readTrace, sessionOf } from "../../trace/look.ts";

/** What a run was asked and said, as its artifact has it. */
const Exchange = z.strictObject({ prompt: z.string(), answer: z.string() });
const Subject = z.strictObject({ request: z.string().min(1), agent: z.string().min(1) });
/** The member of a message's `meta` that says how a planning ended. */
export const ENDED = "ended";
const POINTER_BYTES_MAX = 64;
const POINTER = "planning";

/** What an earlier planning of the task left. */
export interface Recalled {
  readonly trace?: string;
  readonly objective?: string;
  /** Answers that were taken, by the keys of what was asked. */
  readonly answers: ReadonlyMap<string, string>;
  /** The hash of the last plan that was proposed. */
  readonly lastPlan?: string | undefined;
  /** What was asked for, and who planned. */
  readonly subject?: z.infer<typeof Subject> | undefined;
  /** Whether it came to an end, whatever that was. */
  readonly isEnded?: boolean;
}

/**
 * The trace in which a task was planned last; undefined where it never was.
 *
 * @throws SwornError `LEDGER_CORRUPT` when the file that names it names none.
 */
export function findPlanningTrace(place: Place, task: string): string | undefined {
  const path = join(planningFolder(place, task), POINTER);
  if (!existsSync(path)) return undefined;
  const named = TraceId.safeParse(
    readPlainFile(path, POINTER_BYTES_MAX, "refuse").toString().trimEnd(),
  );
  if (named.success && existsSync(place.ledgerPath(named.data))) return named.data;
  throw new SwornError(
    "LEDGER_CORRUPT",
    `${path} names no trace of this project, expected the one in which ${task} was planned; remove the file to plan anew`,
  );
}

/**
 * Whether a trace is this user's own. A repository can bring a store along, and answers that nobody
 * here has heard must not take the place of asking.
 */
export function isOwnTrace(place: Place, trace: string): boolean {
  const { session } = sessionOf(place, trace);
  const key = session.agents.get(RUNTIME_AGENT)?.key;
  return key !== undefined && place.keyring.has(RUNTIME_AGENT, key);
}

/** Remembers in which trace a task is planned. */
export function pointToPlanning(place: Place, task: string, trace: string): void {
  const folder = planningFolder(place, task);
  ensureFolder(folder);
  writeFileDurably(join(folder, POINTER), `${trace}\n`);
}

/** Reads what was answered; the trace has to be one that was opened for recording, which checks it. */
export function recallPlanning(place: Place, trace: string): Recalled {
  const answers = new Map<string, string>();
  const entries = readTrace(place, trace);
  for (const entry of entries) {
    const taken = takenAnswer(place, entry);
    if (taken) answers.set(...taken);
  }
  const [first] = entries;
  const last = entries.at(-1);
  return {
    ...{ trace, answers },
    objective: first?.type === "session_initialized" ? first.body.objective : "",
    subject: first === undefined ? undefined : artifactOf(place, first, Subject),
    lastPlan: entries.findLast(({ type }) => type === "proposal_created")?.artifacts[0]?.hash,
    isEnded: last?.type === "message_posted" && last.body.meta?.[ENDED] !== undefined,
  };
}

function takenAnswer(place: Place, entry: Entry): [string, string] | undefined {
  if (entry.type !== "message_posted" || entry.body.meta?.["taken"] !== "yes") return undefined;
  const { key = "" } = entry.body.meta;
  const exchange = artifactOf(place, entry, Exchange);
  return exchange && [key, exchange.answer];
}

/** What the first artifact of an entry says; undefined when it is not of that shape. */
function artifactOf<T>(place: Place, entry: Entry, shape: z.ZodType<T>): T | undefined {
  const [kept] = entry.artifacts;
  if (kept === undefined) return undefined;
  const text = Buffer.concat([...soundBytes(place, kept.hash)]).toString();
  return shape.safeParse(JSON.parse(text)).data;
}

/** Where the files about a task lie: never behind a link. @throws SwornError `INPUT_INVALID`. */
export function planningFolder(place: Place, task: string): string {
  if (!Name.safeParse(task).success || task === "project") {
    const expected = "lower-case letters, digits, dot, dash or underscore, at most 64";
    throw new SwornError(
      "INPUT_INVALID",
      `"${task.slice(0, 100)}" is no name of a task, expected ${expected}`,
    );
  }
  const folder = place.talkFolder(task);
  for (const path of [place.store, join(place.store, "tasks"), folder]) assertNoLink(path);
  return folder;
}
